#!/usr/bin/env bash
# Prints the path of Envoy Gateway, and that of a file with the definitions of its custom resources; both are made from its Go module into the
# user's cache folder, which takes many minutes once.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/go.sh"

envoy_gateway_version=1.9.1
remedy='install Go >= 1.26.7'

build() {
  log "building Envoy Gateway $envoy_gateway_version, once; this takes many minutes"
  local module=github.com/envoyproxy/gateway source
  source=$(go_module "$module" "v$envoy_gateway_version")
  cat "$source"/charts/gateway-helm/charts/crds/crds/generated/*.yaml >"$1/definitions.yaml"
  cd "$source"
  go_build "$1/envoy-gateway" ./cmd/envoy-gateway "-X $module/internal/cmd/version.envoyGatewayVersion=v$envoy_gateway_version"
}

folder=$cache/envoy-gateway-$envoy_gateway_version
if [[ ! -d $folder ]]; then
  require go
  provide "$folder" build
fi
printf '%s\n' "$folder/envoy-gateway" "$folder/definitions.yaml"
