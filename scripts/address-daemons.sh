#!/usr/bin/env bash
# Prints the paths of keepalived, bird, birdc and nft, a line each: those on PATH, or Debian's, unpacked into the user's cache
# folder. They stay there as they are; delete the folder to get newer ones.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/debian.sh"

remedy='install keepalived, BIRD 2 (bird, birdc) and nftables (nft), and put them on PATH'
programs=(keepalived bird birdc nft)

# Debian's own daemons lie in /usr/sbin, which is not on every user's PATH.
PATH=$PATH:/usr/sbin

# Depended upon, but only to set up a machine's services and accounts.
debian_unneeded+=(iproute2 passwd ucf)

on_path() {
  local program
  for program in "${programs[@]}"; do
    command -v "$program" || return
  done
}

in_cache() {
  local folders=("$cache"/address-daemons-*) program path
  for program in "${programs[@]}"; do
    path=${folders[-1]}/usr/sbin/$program
    [[ -x $path ]] || return
    printf '%s\n' "$path"
  done
}

build() {
  debian_unpack "$1" keepalived bird2 nftables patchelf
  debian_relocate "$1" "$2" "${programs[@]/#/usr/sbin/}"
}

# Both print only what is complete.
if found=$(on_path) || found=$(in_cache); then
  printf '%s\n' "$found"
  exit
fi
debian_prepare
keepalived=$(debian_version keepalived)
# A colon in the path would part the folders of libraries.
provide "$cache/address-daemons-keepalived-${keepalived#*:}-bird-$(debian_version bird2 | head -n 1)" build
in_cache
