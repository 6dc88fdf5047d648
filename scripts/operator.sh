#!/usr/bin/env bash
# operator.sh NAME SOURCE [MODULE_SOURCE]: prints a folder with the program of an operator, `manager`, its sources, `source`, their `version`, and the
# definitions of the Gateway API and of Cluster API that they were written for, `gateway-api` and `cluster-api`. It is built once for
# each commit, into the user's cache folder, which takes minutes.
#
# SOURCE is a git directory or a working copy, with `@` and a commit where that is not HEAD; or a folder without git, which is
# known by what is in it. MODULE_SOURCE is the git directory of a module that go.mod names by a commit of no release, which no proxy has.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/sources.sh"

remedy='name a folder or a git directory with the sources, and install the version of Go that their go.mod asks for'
name=$1
sources_named "$2"
module_source=${3:-}

# definitions MODULE FILES FOLDER: these files, a pattern, of the version of the module that these sources use; none where they do not.
definitions() {
  local module
  module=$(go mod download -json "$1" 2>/dev/null | sed -n 's/^\t"Dir": "\(.*\)",*$/\1/p') || true
  mkdir "$3"
  [[ -z $module ]] || find "$module" -path "$module/$2" -exec cp --no-preserve=mode {} "$3" ';'
}

# use_module REPOSITORY FOLDER: has the sources in the current folder use a module of the folder, where it is put at the commit of the version that
# go.mod names: v1.2.3-0.20260101000000-COMMIT, or a tag.
use_module() {
  local module version
  module=$(git -C "$1" show HEAD:go.mod | sed -n 's/^module //p')
  version=$(go mod edit -json | sed -n "\|\"Path\": \"$module\"|{n;s/.*\"Version\": \"\([^\"]*\)\".*/\1/p;q}")
  [[ -n $version ]] || return 0
  mkdir -p "$2"
  git -C "$1" archive --format tar "${version##*-}" | tar --extract --directory "$2"
  go mod edit -replace "$module=$2"
}

build() {
  log "building $name of $identity, once; this takes a few minutes"
  mkdir "$1/source"
  sources_pack | tar --extract --directory "$1/source"
  # 0.4.0 of the tag steward-v0.4.0.
  { sources_tag || printf '%s\n' "${identity:0:12}"; } | sed -E 's/^(.*-)?v([0-9])/\2/' >"$1/version"
  cd "$1/source"
  [[ -z $module_source ]] || use_module "${module_source%@*}" "$1/module"
  definitions sigs.k8s.io/gateway-api 'config/crd/experimental/gateway.networking.k8s.io_*.yaml' "$1/gateway-api"
  definitions sigs.k8s.io/cluster-api 'config/crd/bases/*.yaml' "$1/cluster-api"
  # Programs of operators are the root of their repository, or below cmd.
  local main=.
  [[ -e main.go ]] || main=./cmd
  CGO_ENABLED=0 nice go build -p 1 -trimpath -gcflags=all=-dwarf=false -ldflags '-s -w' -o "$1/manager" "$main"
  rm -rf "$1/module"
}

require git go
identity=$(sources_identify)
folder=$cache/operator-$name-${identity:0:12}
provide "$folder" build
printf '%s\n' "$folder"
