#!/usr/bin/env bash
# Prints the path of the community's HAProxy Ingress, and that of the folder with the files of its image; both are made from its Go module
# into the user's cache folder, which takes minutes once.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/go.sh"

haproxy_ingress_version=0.16.1
remedy='install Go >= 1.26'

build() {
  log "building HAProxy Ingress $haproxy_ingress_version, once; this takes a few minutes"
  local module=github.com/jcmoraisjr/haproxy-ingress source
  source=$(go_module "$module" "v$haproxy_ingress_version")
  cp -r --no-preserve=ownership "$source/rootfs" "$1/rootfs"
  chmod -R u+w "$1/rootfs"
  cd "$source"
  go_build "$1/haproxy-ingress-controller" ./pkg "-X $module/pkg/version.RELEASE=v$haproxy_ingress_version"
}

folder=$cache/haproxy-ingress-$haproxy_ingress_version
if [[ ! -d $folder ]]; then
  require go
  provide "$folder" build
fi
printf '%s\n' "$folder/haproxy-ingress-controller" "$folder/rootfs"
