#!/usr/bin/env bash
# operator.sh NAME SOURCE: prints a folder with the program of an operator, `manager`, its sources, `source`, their `version`, and the
# definitions of the Gateway API and of Cluster API that they were written for, `gateway-api` and `cluster-api`. It is built once for
# each commit, into the user's cache folder, which takes minutes.
#
# SOURCE is a git directory or a working copy, with `@` and a commit where that is not HEAD; or a folder without git, which is
# known by what is in it.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/sources.sh"

remedy='name a folder or a git directory with the sources, and install the version of Go that their go.mod asks for'
name=$1
sources_named "$2"

# definitions MODULE FILES FOLDER: these files, a pattern, of the version of the module that these sources use; none where they do not.
definitions() {
  local module
  module=$(go mod download -json "$1" 2>/dev/null | sed -n 's/^\t"Dir": "\(.*\)",*$/\1/p') || true
  mkdir "$3"
  [[ -z $module ]] || find "$module" -path "$module/$2" -exec cp --no-preserve=mode {} "$3" ';'
}

build() {
  log "building $name of $identity, once; this takes a few minutes"
  mkdir "$1/source"
  sources_pack | tar --extract --directory "$1/source"
  # 0.4.0 of the tag steward-v0.4.0.
  { sources_tag || printf '%s\n' "${identity:0:12}"; } | sed -E 's/^(.*-)?v([0-9])/\2/' >"$1/version"
  cd "$1/source"
  definitions sigs.k8s.io/gateway-api 'config/crd/experimental/gateway.networking.k8s.io_*.yaml' "$1/gateway-api"
  definitions sigs.k8s.io/cluster-api 'config/crd/bases/*.yaml' "$1/cluster-api"
  # Programs of operators are the root of their repository, or below cmd.
  local main=.
  [[ -e main.go ]] || main=./cmd
  CGO_ENABLED=0 nice go build -p 1 -trimpath -gcflags=all=-dwarf=false -ldflags '-s -w' -o "$1/manager" "$main"
}

require git go
identity=$(sources_identify)
folder=$cache/operator-$name-${identity:0:12}
provide "$folder" build
printf '%s\n' "$folder"
