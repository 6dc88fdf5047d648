#!/usr/bin/env bash
# Prints the paths of prometheus-operator and of its admission webhook, and that of a folder with its definitions; all are made from its Go module
# into the user's cache folder, which takes minutes once.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/go.sh"

prometheus_operator_version=0.85.0
module=github.com/prometheus-operator/prometheus-operator
remedy='install Go >= 1.25'

build() {
  log "building prometheus-operator $prometheus_operator_version, once; this takes a few minutes"
  local source
  source=$(go_module "$module" "v$prometheus_operator_version")
  mkdir "$1/definitions" "$1/build"
  cp "$source"/example/prometheus-operator-crd/*.yaml "$1/definitions"
  cp -r --no-preserve=mode "$source/." "$1/build"
  cd "$1/build"
  # A module is published without its neighbours.
  go mod edit -dropreplace "$module/pkg/apis/monitoring" -dropreplace "$module/pkg/client"
  # The version goes into what it writes for Prometheus.
  CGO_ENABLED=0 nice go build -mod=mod -trimpath -gcflags=all=-dwarf=false -o "$1" \
    -ldflags "-s -w -X github.com/prometheus/common/version.Version=$prometheus_operator_version" ./cmd/operator ./cmd/admission-webhook
  cd /
  rm -r "$1/build"
}

folder=$cache/prometheus-operator-$prometheus_operator_version
if [[ ! -d $folder ]]; then
  require go
  provide "$folder" build
fi
printf '%s\n' "$folder/operator" "$folder/admission-webhook" "$folder/definitions"
