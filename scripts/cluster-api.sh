#!/usr/bin/env bash
# Prints a folder with Cluster API's core: its program, `manager`, its `version`, and its definitions, roles and webhooks, `config`. They are
# made from its Go module into the user's cache folder, which takes minutes once. CLUSTER_API_VERSION names another version.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/go.sh"

version=${CLUSTER_API_VERSION:-1.14.2}
remedy='install the Go that this version wants'

build() {
  log "building Cluster API $version, once; this takes a few minutes"
  local source
  source=$(go_module sigs.k8s.io/cluster-api "v$version")
  printf '%s\n' "$version" >"$1/version"
  cp -r --no-preserve=mode "$source/core/config" "$1/config"
  mkdir "$1/build"
  cp -r --no-preserve=mode "$source/." "$1/build"
  cd "$1/build"
  # A module is published without its neighbours.
  go mod edit -dropreplace sigs.k8s.io/cluster-api/api -require "sigs.k8s.io/cluster-api/api@v$version"
  CGO_ENABLED=0 go build -mod=mod -trimpath -gcflags=all=-dwarf=false -ldflags '-s -w' -o "$1/manager" ./core
  rm -r "$1/build"
}

folder=$cache/cluster-api-$version
if [[ ! -d $folder ]]; then
  require go
  provide "$folder" build
fi
printf '%s\n' "$folder"
