#!/usr/bin/env bash
# Prints the path of a CoreDNS: the one on PATH, or one built from its Go module into the user's cache folder, which
# takes minutes once. It has just the plugins that the tests need, so that it builds fast.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/cache.sh"

# As kubeadm 1.34 installs it.
coredns_version=1.12.1
remedy='install Go >= 1.23, or put CoreDNS on PATH'

build() {
  log "building CoreDNS $coredns_version, once; this takes a few minutes"
  mkdir "$1/build"
  cd "$1/build"
  printf 'module coredns\n\nrequire github.com/coredns/coredns v%s\n' "$coredns_version" >go.mod
  cat >main.go <<'GO'
package main

import (
	"github.com/coredns/coredns/coremain"
	_ "github.com/coredns/coredns/plugin/bind"
	_ "github.com/coredns/coredns/plugin/errors"
	_ "github.com/coredns/coredns/plugin/template"
)

func main() { coremain.Run() }
GO
  # Leaving out debug information saves an eighth of the time.
  CGO_ENABLED=0 go build -mod=mod -trimpath -gcflags=all=-dwarf=false -ldflags '-s -w' -o "$1/coredns" .
  rm -r "$1/build"
}

folder=$cache/coredns-$coredns_version
if ! command -v coredns; then
  if [[ ! -d $folder ]]; then
    require go
    provide "$folder" build
  fi
  printf '%s\n' "$folder/coredns"
fi
