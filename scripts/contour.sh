#!/usr/bin/env bash
# Prints the path of Contour, and that of a file with the definitions of its custom resources; both are made from its Go
# module into the user's cache folder, which takes minutes once.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/go.sh"

contour_version=1.33.8
remedy='install Go >= 1.26'

build() {
  log "building Contour $contour_version, once; this takes a few minutes"
  local module=github.com/projectcontour/contour source
  source=$(go_module "$module" "v$contour_version")
  cp --no-preserve=mode "$source/examples/contour/01-crds.yaml" "$1/definitions.yaml"
  cd "$source"
  go_build "$1/contour" ./cmd/contour "-X $module/internal/build.Version=v$contour_version"
}

folder=$cache/contour-$contour_version
if [[ ! -d $folder ]]; then
  require go
  provide "$folder" build
fi
printf '%s\n' "$folder/contour" "$folder/definitions.yaml"
