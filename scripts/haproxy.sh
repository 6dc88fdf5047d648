#!/usr/bin/env bash
# Prints the path of a HAProxy >= 3.0: the one on PATH, or Debian's, unpacked into the user's cache folder.
# It stays there as it is; delete the folder to get a newer one. HAPROXY_SUITE names another suite of Debian, e.g. sid,
# whose HAProxy it is to be.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/debian.sh"

remedy='install HAProxy >= 3.0 and put it on PATH'

# Debian's own haproxy lies in /usr/sbin, which is not on every user's PATH.
PATH=$PATH:/usr/sbin

on_path() {
  local major
  major=$(haproxy -v 2>/dev/null | sed -n 's/^HAProxy version \([0-9]*\).*/\1/p')
  [[ ${major:-0} -ge 3 ]] && command -v haproxy
}

folder=$cache/haproxy
if [[ -n ${HAPROXY_SUITE:-} ]]; then
  debian_use_suite "$HAPROXY_SUITE"
  folder=$cache/debian-$debian_suite-haproxy
fi

in_cache() {
  local programs=("$folder"-[0-9]*/usr/sbin/haproxy)
  [[ -x ${programs[-1]} ]] && printf '%s\n' "${programs[-1]}"
}

build() {
  debian_unpack "$1" haproxy patchelf
  debian_relocate "$1" "$2" usr/sbin/haproxy
}

[[ -z ${HAPROXY_SUITE:-} ]] && on_path && exit
in_cache && exit
debian_prepare
provide "$folder-$(debian_version haproxy)" build
in_cache
