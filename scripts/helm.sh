#!/usr/bin/env bash
# Prints the path of a Helm 3: the one on PATH, else one in the user's cache folder, which is built from its Go module;
# that takes minutes once.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/cache.sh"

helm_version=3.18.6
remedy='install Helm 3 and put it on PATH, or install Go >= 1.24'

on_path() {
  [[ $(helm version --template '{{.Version}}' 2>/dev/null) == v3.* ]] && command -v helm
}

build() {
  require go
  log "building helm $helm_version, once; this takes several minutes"
  CGO_ENABLED=0 GOBIN=$1 go install -trimpath \
    -ldflags "-s -w -X helm.sh/helm/v3/internal/version.version=v$helm_version" "helm.sh/helm/v3/cmd/helm@v$helm_version"
}

on_path && exit
provide "$cache/helm-$helm_version" build
printf '%s\n' "$cache/helm-$helm_version/helm"
