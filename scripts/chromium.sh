#!/usr/bin/env bash
# Prints the path of a Chromium without a window: Debian's, unpacked into the user's cache folder. With it come two fonts and
# the configuration that finds them, to be given as FONTCONFIG_FILE: the path is on the second line.
# It stays there as it is; delete the folder to get a newer one.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/debian.sh"

remedy='run the other tests alone with "npm test"'
program=usr/lib/chromium/chromium-headless-shell
fonts=etc/fonts/of-here.conf

# Depended upon by what opens windows.
debian_unneeded+=(x11-utils xdg-utils fontconfig-config ucf)

in_cache() {
  local folders=("$cache"/chromium-*) folder
  folder=${folders[-1]}
  [[ -x $folder/$program ]] && printf '%s\n' "$folder/$program" "$folder/$fonts"
}

build() {
  debian_unpack "$1" chromium-headless-shell fonts-dejavu-core fonts-liberation patchelf
  debian_relocate "$1" "$2" "$program"
  local libraries
  libraries=$(debian_libraries "$1")
  # It looks for a library of its own where an installed one would be.
  debian_patchelf "$1" --set-rpath "$2/$libraries/pulseaudio:$2/$libraries" "$1/$libraries/libpulse.so.0"
  mkdir -p "$1/etc/fonts"
  cat >"$1/$fonts" <<CONFIG
<?xml version="1.0"?>
<fontconfig>
  <dir>$2/usr/share/fonts</dir>
  <cachedir>$2/var/cache/fontconfig</cachedir>
  <alias><family>sans-serif</family><prefer><family>Liberation Sans</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>Liberation Mono</family></prefer></alias>
</fontconfig>
CONFIG
}

in_cache && exit
debian_prepare
version=$(debian_version chromium-headless-shell)
provide "$cache/chromium-${version#*:}" build
in_cache
