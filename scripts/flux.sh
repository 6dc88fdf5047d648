#!/usr/bin/env bash
# Prints the path of Flux' kustomize-controller, and that of a folder with the definitions that it needs; both are made from
# their Go modules into the user's cache folder, which takes minutes once.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/go.sh"

kustomize_controller_version=1.7.3
source_controller_version=1.7.3
remedy='install Go >= 1.25'

build() {
  log "building Flux' kustomize-controller $kustomize_controller_version, once; this takes a few minutes"
  local source definitions
  source=$(go_module github.com/fluxcd/kustomize-controller "v$kustomize_controller_version")
  definitions=$(go_module github.com/fluxcd/source-controller "v$source_controller_version")
  mkdir "$1/definitions" "$1/build"
  cp "$source"/config/crd/bases/*.yaml "$definitions"/config/crd/bases/*.yaml "$1/definitions"
  cp -r --no-preserve=mode "$source/." "$1/build"
  cd "$1/build"
  # A module is published without its neighbours.
  go mod edit -dropreplace github.com/fluxcd/kustomize-controller/api
  CGO_ENABLED=0 go build -mod=mod -trimpath -gcflags=all=-dwarf=false -ldflags '-s -w' -o "$1/kustomize-controller" .
  rm -r "$1/build"
}

folder=$cache/flux-$kustomize_controller_version-$source_controller_version
if [[ ! -d $folder ]]; then
  require go
  provide "$folder" build
fi
printf '%s\n' "$folder/kustomize-controller" "$folder/definitions"
