#!/usr/bin/env bash
# Prints a folder with the definitions of the Gateway API, as <version>/<channel>/*.yaml, from its Go module. Versions other
# than the usual ones are those in GATEWAY_API_VERSIONS, e.g. "1.6.3 1.7.0".
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/go.sh"

read -ra versions <<<"${GATEWAY_API_VERSIONS:-1.4.1 1.5.1 1.6.3}"
remedy='install the Go that these versions want'

build() {
  local version source
  for version in "${versions[@]}"; do
    source=$(go_module sigs.k8s.io/gateway-api "v$version")
    mkdir "$1/$version"
    cp -r --no-preserve=mode "$source"/config/crd/{standard,experimental} "$1/$version"
  done
}

folder=$cache/gateway-api-$(IFS=-; printf '%s' "${versions[*]}")
if [[ ! -d $folder ]]; then
  require go
  provide "$folder" build
fi
printf '%s\n' "$folder"
