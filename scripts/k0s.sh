#!/usr/bin/env bash
# k0s.sh SOURCE: prints a folder with k0s, its `version`, the programs that it runs, `bin`, and `exec-server`, with which the tests play a
# kubelet. It is built once for each commit, into the user's cache folder, which takes half an hour.
#
# Released k0s holds its programs inside. This one has none, as with EMBEDDED_BINS_BUILDMODE=none of its Makefile, and looks for them on PATH:
# they are those of the Go modules that its sources name; etcd is not among them. SOURCE is as for operator.sh.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/sources.sh"
here=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."
checkout=$PWD
cd "$here"

remedy='name a git directory with the sources of k0s and a commit that has a tag, and install the version of Go that their go.mod asks for'
network_proxy=sigs.k8s.io/apiserver-network-proxy
sources_named "$1"

# variable NAME: one of the versions that k0s is released with.
variable() {
  sed -n "s/^$1 = //p" embedded-bins/Makefile.variables
}

# module NAME VERSION MODULE...: a module that needs these, in a folder of its own.
module() {
  local version=$2 name=$1 required
  mkdir "../$name"
  cd "../$name"
  printf 'module %s\n\ngo %s\n\n' "$name" "$(go env GOVERSION | sed 's/^go//')" >go.mod
  for required in "${@:3}"; do
    printf 'require %s v%s\n' "$required" "$version" >>go.mod
  done
}

build() {
  local kubernetes minor linked=k8s.io/component-base/version
  log "building k0s $tag, once; this takes half an hour"
  mkdir "$1/build" "$1/build/k0s" "$1/bin"
  sources_pack | tar --extract --directory "$1/build/k0s"
  cd "$1/build/k0s"
  kubernetes=$(variable kubernetes_version) minor=$(variable kubernetes_version | cut -d . -f 2)
  # Its generators and its flags; without a container, and not with the static C library, which nothing of it needs.
  make GO='go' DOCKER='' EMBEDDED_BINS_BUILDMODE=none BUILD_GO_LDFLAGS_EXTRA='' VERSION="$tag" SOURCE_DATE_EPOCH=0 k0s
  CGO_ENABLED=0 go build -mod=mod -tags=osusergo,noembedbins -trimpath -o "$1/bin/" \
    -ldflags "-s -w -X $linked.gitVersion=v$kubernetes -X $linked.gitMajor=1 -X $linked.gitMinor=$minor" \
    k8s.io/kubernetes/cmd/{kube-apiserver,kube-controller-manager,kube-scheduler}
  cp k0s "$1"
  (
    module konnectivity "$(variable konnectivity_version)" $network_proxy $network_proxy/konnectivity-client
    CGO_ENABLED=0 go build -mod=mod -trimpath -ldflags '-s -w' -o "$1/bin/konnectivity-server" $network_proxy/cmd/server
    CGO_ENABLED=0 go build -mod=mod -trimpath -ldflags '-s -w' -o "$1/bin/konnectivity-agent" $network_proxy/cmd/agent
  )
  (
    module exec-server "0.${kubernetes#1.}" k8s.io/cri-streaming
    cp "$checkout/test/upstream/operators/support/exec-server/main.go" .
    CGO_ENABLED=0 go build -mod=mod -trimpath -ldflags '-s -w' -o "$1/exec-server" .
  )
  printf '%s\n' "$tag" >"$1/version"
  cd "$1"
  chmod -R u+w build
  rm -r build
}

require git go make
identity=$(sources_identify)
tag=$(sources_tag) || die "$1 has no tag that says its version"
folder=$cache/k0s-${identity:0:12}
provide "$folder" build
printf '%s\n' "$folder"
