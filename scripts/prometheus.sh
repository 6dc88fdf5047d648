#!/usr/bin/env bash
# Prints the folder with Debian's prometheus and promtool, unpacked into the user's cache folder.
# It stays there as it is; delete the folder to get a newer one.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/debian.sh"

remedy='run on a machine with apt-get, or the other tests alone'

in_cache() {
  local programs=("$cache"/prometheus-*/usr/bin/promtool)
  [[ -x ${programs[-1]} ]] && dirname "${programs[-1]}"
}

build() {
  debian_unpack "$1" prometheus patchelf
  # The pages of its own server, which nobody looks at here.
  rm -rf "$1/usr/share"
  debian_relocate "$1" "$2" usr/bin/prometheus usr/bin/promtool
}

in_cache && exit
debian_prepare
provide "$cache/prometheus-$(debian_version prometheus | tr / -)" build
in_cache
