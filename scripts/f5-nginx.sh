#!/usr/bin/env bash
# Prints a folder that holds what the image of F5 NGINX Ingress Controller does, and the path of a file with the definitions of its custom
# resources: NGINX from Debian's packages, and the controller from its Go module or from the git directory that F5_NGINX_SOURCE names. They are
# made into the user's cache folder, which takes minutes once. It ends with 2 where there are no sources.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/debian.sh"
source "$(dirname "${BASH_SOURCE[0]}")/lib/go.sh"

controller_version=5.5.4
sources=(F5_NGINX_SOURCE github.com/nginx/kubernetes-ingress f92a24e4fd2b)
remedy='install Go >= 1.26'

# usr_merge ROOT: makes the links that the package base-files has.
usr_merge() {
  local name
  for name in bin lib lib64 sbin; do
    [[ -e $1/$name || ! -d $1/usr/$name ]] || ln -s "usr/$name" "$1/$name"
  done
}

build() {
  local root=$1/root source=$1/source
  log "building F5 NGINX Ingress Controller $controller_version, once; this takes several minutes"
  go_sources "$source" "${sources[@]}"
  cp --no-preserve=mode "$source/deploy/crds.yaml" "$1/definitions.yaml"
  # Busybox is the shell by which the controller reloads NGINX.
  debian_unpack "$root" nginx libnginx-mod-stream libnginx-mod-http-js busybox-static
  usr_merge "$root"
  ln -s busybox "$root/usr/bin/sh"
  # As build/Dockerfile and build/scripts/common.sh have it.
  mkdir -p "$root"/etc/nginx/{conf.d,njs,secrets,stream-conf.d} "$root"/var/{cache,lib,log}/nginx "$root"/{dev,tmp} "$root/etc/ssl/certs"
  # An empty file is as good as the device, which only root may make.
  touch "$root/etc/ssl/certs/ca-certificates.crt" "$root/dev/null"
  rm -f "$root"/etc/nginx/conf.d/*
  cp --no-preserve=mode "$source"/internal/configs/njs/* "$root/etc/nginx/njs"
  cp --no-preserve=mode "$source"/internal/configs/version1/nginx{,.ingress}.tmpl "$source"/internal/configs/version2/nginx.{virtualserver,transportserver}.tmpl "$root"
  printf 'root:x:0:0::/:/bin/false\nnobody:x:65534:65534::/:/bin/false\n' >"$root/etc/passwd"
  printf 'root:x:0:\nnogroup:x:65534:\n' >"$root/etc/group"
  (cd "$source" && go_build "$root/nginx-ingress" ./cmd/nginx-ingress "-X main.version=$controller_version")
  rm -r "$source"
}

folder=$cache/f5-nginx-$controller_version
if [[ ! -d $folder ]]; then
  require go
  go_require_sources "${sources[@]}"
  debian_prepare
  provide "$folder" build
fi
printf '%s\n' "$folder/root" "$folder/definitions.yaml"
