#!/usr/bin/env bash
# Prints the paths of named, named-checkzone and dnsmasq, a line each: those on PATH, or Debian's, unpacked into the
# user's cache folder. They stay there as they are; delete the folder to get newer ones.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/debian.sh"

remedy='install BIND 9 (named, named-checkzone) and dnsmasq, and put them on PATH'
programs=(named named-checkzone dnsmasq)

# Debian's own servers lie in /usr/sbin, which is not on every user's PATH.
PATH=$PATH:/usr/sbin

# Depended upon, but only to set up a machine's network and its dnsmasq account.
debian_unneeded+=(iproute2 netbase passwd)

on_path() {
  local program
  for program in "${programs[@]}"; do
    command -v "$program" || return
  done
}

in_cache() {
  local folders=("$cache"/dns-servers-*) program path
  for program in "${programs[@]}"; do
    for path in "${folders[-1]}"/usr/{bin,sbin}/"$program"; do
      [[ ! -x $path ]] || break
    done
    [[ -x $path ]] || return
    printf '%s\n' "$path"
  done
}

build() {
  debian_unpack "$1" bind9 bind9-utils dnsmasq-base patchelf
  debian_relocate "$1" "$2" usr/sbin/named usr/bin/named-checkzone usr/sbin/dnsmasq
}

# Both print only what is complete.
if found=$(on_path) || found=$(in_cache); then
  printf '%s\n' "$found"
  exit
fi
debian_prepare
version=$(debian_version bind9)
provide "$cache/dns-servers-${version#*:}-dnsmasq-$(debian_version dnsmasq-base)" build
in_cache
