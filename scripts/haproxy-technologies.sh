#!/usr/bin/env bash
# Prints the path of the ingress controller of HAProxy Technologies, and that of a file with the definitions of its custom resources; both
# are made into the user's cache folder, which takes minutes once, from its Go module or from the git directory that
# HAPROXY_TECHNOLOGIES_SOURCE names. It ends with 2 where there is neither.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/go.sh"

controller_version=3.2.11
sources=(HAPROXY_TECHNOLOGIES_SOURCE github.com/haproxytech/kubernetes-ingress 407b48ade0b6)
remedy='install Go >= 1.26'

build() {
  log "building the controller of HAProxy Technologies $controller_version, once; this takes a few minutes"
  go_sources "$1/source" "${sources[@]}"
  cat "$1"/source/crs/definition/*.yaml >"$1/definitions.yaml"
  (cd "$1/source" && go_build "$1/haproxy-ingress-controller" .)
  rm -r "$1/source"
}

folder=$cache/haproxy-technologies-$controller_version
if [[ ! -d $folder ]]; then
  require go
  go_require_sources "${sources[@]}"
  provide "$folder" build
fi
printf '%s\n' "$folder/haproxy-ingress-controller" "$folder/definitions.yaml"
