#!/usr/bin/env bash
# Prints a folder with etcd, kube-apiserver and kubectl, as KUBEBUILDER_ASSETS names it by convention: of the version in
# KUBERNETES_VERSION if that is set, else that folder if it is complete, else one in the user's cache folder.
#
# kube-apiserver is built from its Go module, which takes minutes once, and so is kubectl unless Debian's fits; etcd is
# Debian's. kubectl is not taken from PATH: there it may be a wrapper that picks, or fetches, another version to suit the
# server.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/debian.sh"

# kubectl works with servers one minor version apart from its own, which is 1.32 in Debian trixie.
debian_kubectl=1.32
kubernetes_version=${KUBERNETES_VERSION:-1.32.13}
kubernetes_version=${kubernetes_version#v}
remedy='install the Go that this version of Kubernetes wants, or set KUBEBUILDER_ASSETS to a folder with etcd, kube-apiserver and kubectl'
[[ $kubernetes_version =~ ^1\.[0-9]+\.[0-9]+$ ]] || die "KUBERNETES_VERSION=$kubernetes_version is no release such as 1.37.2"

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

build_programs() {
  local folder=$1 module=k8s.io/kubernetes@v$kubernetes_version version=k8s.io/component-base/version minor program
  minor=${kubernetes_version#*.}
  log "building kube-apiserver $kubernetes_version, once; this takes several minutes"
  mkdir "$folder/build"
  cd "$folder/build"
  write_go_mod "$(go mod download -json "$module" | sed -n 's/^\t"GoMod": "\(.*\)",$/\1/p')" >go.mod
  # Leaving out debug information saves an eighth of the time.
  for program in kube-apiserver $(debian_kubectl_fits || echo kubectl); do
    CGO_ENABLED=0 go build -mod=mod -trimpath -gcflags=all=-dwarf=false -o "$folder/$program" \
      -ldflags "-s -w -X $version.gitVersion=v$kubernetes_version -X $version.gitMajor=1 -X $version.gitMinor=${minor%.*}" \
      "k8s.io/kubernetes/cmd/$program"
  done
  rm -r "$folder/build"
}

debian_kubectl_fits() {
  [[ $kubernetes_version == "$debian_kubectl".* ]]
}

assemble() {
  local built=../kube-apiserver-$kubernetes_version packages=(etcd-server patchelf) programs=(etcd)
  if debian_kubectl_fits; then
    packages+=(kubernetes-client)
    programs+=(kubectl)
  else
    ln -s "$built/kubectl" "$1"
  fi
  debian_unpack "$1/debian" "${packages[@]}"
  debian_relocate "$1/debian" "$2/debian" "${programs[@]/#/usr/bin/}"
  ln -s "${programs[@]/#/debian/usr/bin/}" "$built/kube-apiserver" "$1"
}

assets=${KUBEBUILDER_ASSETS:-}
if [[ -n ${KUBERNETES_VERSION:-} || -z $assets ]] || ! complete "$assets"; then
  assets=$cache/kubebuilder-assets-$kubernetes_version
  if ! complete "$assets"; then
    require go
    provide "$cache/kube-apiserver-$kubernetes_version" build_programs
    debian_prepare
    provide "$assets" assemble
  fi
fi
printf '%s\n' "$assets"
