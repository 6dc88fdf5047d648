#!/usr/bin/env bash
# Prints the path of Traefik, and that of a file with the definitions of its custom resources; both are made from its Go
# module into the user's cache folder, which takes minutes once.
#
# It is Traefik's own program but for what is not in the module or is not asked here: without the dashboard, without the fields of its
# vendor's product (an empty module, as upstream), and without the DNS providers of its ACME client, which are most of the build.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/go.sh"

traefik_version=3.7.9
remedy='install Go >= 1.26'

build() {
  log "building Traefik $traefik_version, once; this takes several minutes"
  local source lego lego_path=github.com/go-acme/lego/v5
  mkdir "$1/build"
  cd "$1/build"
  source=$(go_module github.com/traefik/traefik/v3 "v$traefik_version")
  cp -r --no-preserve=mode "$source" traefik
  cp traefik/docs/content/reference/dynamic-configuration/kubernetes-crd-definition-v1.yml "$1/definitions.yaml"
  cd traefik

  mkdir -p pkg/config/dynamic/ext
  printf 'module github.com/traefik/traefik/dynamic/ext\n' >pkg/config/dynamic/ext/go.mod
  printf 'package ext\n\ntype HTTP struct{}\n\ntype Router struct{}\n' >pkg/config/dynamic/ext/ext.go

  lego=$(go_module "$lego_path" "$(go list -m -f '{{.Version}}' "$lego_path")")
  cp -r --no-preserve=mode "$lego" ../lego
  find ../lego/providers/dns -mindepth 1 -maxdepth 1 ! -name internal -exec rm -r {} +
  cat >../lego/providers/dns/none.go <<'GO'
package dns

import (
	"fmt"

	"github.com/go-acme/lego/v5/challenge"
)

func NewDNSChallengeProviderByName(name string) (challenge.Provider, error) {
	return nil, fmt.Errorf("built without DNS providers: %s", name)
}
GO
  go mod edit -replace "$lego_path=../lego"

  CGO_ENABLED=0 nice go build -mod=mod -trimpath -gcflags=all=-dwarf=false -o "$1/traefik" \
    -ldflags "-s -w -X github.com/traefik/traefik/v3/pkg/version.Version=$traefik_version" ./cmd/traefik
  cd /
  rm -r "$1/build"
}

folder=$cache/traefik-$traefik_version
if [[ ! -d $folder ]]; then
  require go
  provide "$folder" build
fi
printf '%s\n' "$folder/traefik" "$folder/definitions.yaml"
