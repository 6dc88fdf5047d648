#!/usr/bin/env bash
# Prints a folder with etcd, kube-apiserver and kubectl, as KUBEBUILDER_ASSETS names it by convention: that folder if it
# is complete, else one in the user's cache folder.
#
# kube-apiserver is built from its Go module, which takes minutes once; etcd and kubectl are Debian's. kubectl is not
# taken from PATH: there it may be a wrapper that picks, or fetches, another version to suit the server.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/debian.sh"

# kubectl works with servers one minor version apart from its own, which is 1.32 in Debian trixie.
kubernetes_version=1.32.13
remedy='install Go >= 1.23, or set KUBEBUILDER_ASSETS to a folder with etcd, kube-apiserver and kubectl'

complete() {
  local program
  for program in etcd kube-apiserver kubectl; do
    [[ -x $1/$program ]] || return
  done
}

# k8s.io/kubernetes requires its sibling modules as v0.0.0, which only its own repository can resolve: the same
# release of each is published as v0.<minor>.<patch>.
write_go_mod() {
  local upstream=$1
  printf 'module kube-apiserver\n\nrequire k8s.io/kubernetes v%s\n\n' "$kubernetes_version"
  grep -E '^(go|godebug) ' "$upstream"
  awk -v version="v0.${kubernetes_version#1.}" \
    '$1 ~ /^k8s\.io\// && $2 == "v0.0.0" { print "replace", $1, "=>", $1, version }' "$upstream"
}

build_kube_apiserver() {
  local folder=$1 module=k8s.io/kubernetes@v$kubernetes_version version=k8s.io/component-base/version minor
  minor=${kubernetes_version#*.}
  log "building kube-apiserver $kubernetes_version, once; this takes several minutes"
  mkdir "$folder/build"
  cd "$folder/build"
  write_go_mod "$(go mod download -json "$module" | sed -n 's/^\t"GoMod": "\(.*\)",$/\1/p')" >go.mod
  # Leaving out debug information saves an eighth of the time.
  CGO_ENABLED=0 go build -mod=mod -trimpath -gcflags=all=-dwarf=false -o "$folder/kube-apiserver" \
    -ldflags "-s -w -X $version.gitVersion=v$kubernetes_version -X $version.gitMajor=1 -X $version.gitMinor=${minor%.*}" \
    k8s.io/kubernetes/cmd/kube-apiserver
  rm -r "$folder/build"
}

assemble() {
  debian_unpack "$1/debian" etcd-server kubernetes-client patchelf
  debian_relocate "$1/debian" "$2/debian" usr/bin/etcd usr/bin/kubectl
  ln -s debian/usr/bin/etcd debian/usr/bin/kubectl "../kube-apiserver-$kubernetes_version/kube-apiserver" "$1"
}

assets=${KUBEBUILDER_ASSETS:-}
if [[ -z $assets ]] || ! complete "$assets"; then
  assets=$cache/kubebuilder-assets-$kubernetes_version
  if ! complete "$assets"; then
    require go
    provide "$cache/kube-apiserver-$kubernetes_version" build_kube_apiserver
    debian_prepare
    provide "$assets" assemble
  fi
fi
printf '%s\n' "$assets"
