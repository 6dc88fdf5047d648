#!/usr/bin/env bash
# Builds the tcp-proxy image without a container engine, and prints two lines: the folder with its root file system and
# the OCI archive. Both lie in images/tcp-proxy/dist and are made again only when something that they consist of changed.
#
# image-run.sh runs a program from the root file system.
#
# Versions, user, environment, entry point and labels are read from the Dockerfile. Node.js, which the Dockerfile takes
# from its official image, is the same version from the npm registry.
set -euo pipefail
umask 022
source "$(dirname "${BASH_SOURCE[0]}")/lib/debian.sh"
source "$(dirname "${BASH_SOURCE[0]}")/lib/oci.sh"
cd "$(dirname "${BASH_SOURCE[0]}")/.."

remedy='build the image from the Dockerfile with a container engine'
image=images/tcp-proxy
bundle=$image/dist/main/index.js

# directive EXPRESSION: prints the group of the first line that matches in the Dockerfile.
directive() {
  sed -n "/^$1\$/{s//\\1/p;q}" "$image/Dockerfile"
}

haproxy_version=$(directive 'ARG HAPROXY_VERSION=\(.*\)')
node_version=$(directive 'ARG NODE_IMAGE=node:\([0-9.]*\).*')

# hash FILE_OR_TEXT...: prints a short digest over files' contents and texts.
hash() {
  local part
  for part in "$@"; do
    if [[ -f $part ]]; then cat "$part"; else printf '%s\n' "$part"; fi
  done | sha256sum | cut -c 1-12
}

unpack_node() {
  local folder=$1/node root=$1/root cpu
  cpu=$(dpkg --print-architecture)
  mkdir "$folder"
  npm pack --silent --pack-destination "$folder" "node-linux-${cpu/amd64/x64}@$node_version" >&2
  tar --extract --gzip --file "$folder"/*.tgz --directory "$folder"
  install -D "$folder/package/bin/node" "$root/usr/bin/node"
  install -D --mode 644 "$folder/package/LICENSE" "$root/usr/share/doc/nodejs/copyright"
  rm -r "$folder"
}

build_base() {
  scripts/image-base.sh "$1/root" "$haproxy_version"
  unpack_node "$1"
  oci_layer "$1/root" "$1/layer"
}

# What the last stage of the Dockerfile says, as the `config` of an OCI image.
config() {
  local environment labels
  environment=$(sed -n 's/^ENV \(.*\)$/"\1"/p' "$image/Dockerfile" | paste -s -d ,)
  labels=$(sed -n 's/^LABEL \([^=]*\)=\("[^$]*"\)$/"\1":\2/p' "$image/Dockerfile" | paste -s -d ,)
  printf '{"User":"%s","Entrypoint":%s,"Cmd":%s,"Env":[%s],"Labels":{%s}}' \
    "$(directive 'USER \(.*\)')" "$(directive 'ENTRYPOINT \(.*\)')" "$(directive 'CMD \(.*\)')" "$environment" "$labels"
}

build_image() {
  install -D "$image/tcp-proxy" "$1/agent/usr/bin/tcp-proxy"
  install -D --mode 644 "$bundle" "$1/agent/usr/lib/tcp-proxy/index.js"
  oci_layer "$1/agent" "$1/layer"
  oci_archive "$1/tcp-proxy.tar" tcp-proxy:latest "$(config)" "$base/layer" "$1/layer"
  cp --archive "$base/root" "$1/root"
  cp --recursive "$1/agent/." "$1/root"
  rm -r "$1/agent" "$1"/layer.*
}

[[ -f $bundle ]] || remedy="run 'npx projen bundle' in $image" die "$bundle is missing"
require npm
base=$cache/tcp-proxy-base-$(hash "$haproxy_version" "$node_version" scripts/image-base.sh scripts/lib/debian.sh scripts/lib/oci.sh)
provide "$base" build_base
result=$PWD/$image/dist/image-$(hash "$base" "$bundle" "$image/tcp-proxy" "$image/Dockerfile" scripts/image.sh)
provide "$result" build_image
find "$image/dist" -maxdepth 1 -name 'image-*' ! -name "${result##*/}" -exec rm -r {} +
printf '%s\n' "$result/root" "$result/tcp-proxy.tar"
