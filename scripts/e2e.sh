#!/usr/bin/env bash
# Runs the end-to-end tests: a real kube-apiserver and etcd, HAProxy as the ingress, the agent from the image's root
# file system.
#
# Everything runs in a network namespace of its own: its only addresses are loopback and those of the two nodes that the
# tests play, and its /etc/hosts knows the public hosts. Users other than root need user namespaces.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/cache.sh"
cd "$(dirname "${BASH_SOURCE[0]}")/.."

remedy='run the other tests alone with "npm test"'
require ip unshare

KUBEBUILDER_ASSETS=$(scripts/kubebuilder-assets.sh)
export KUBEBUILDER_ASSETS
scripts/haproxy.sh >/dev/null
HELM=$(scripts/helm.sh)
export HELM
scripts/coredns.sh >/dev/null
ADDRESS_DAEMONS=$(scripts/address-daemons.sh)
export ADDRESS_DAEMONS
# A root file system that is given, e.g. that of a published image, is tested instead of one that is built here.
if [[ ! ${TCP_PROXY_IMAGE_ROOT:-} ]]; then
  (cd images/tcp-proxy && npx projen bundle) >&2
  mapfile -t image < <(scripts/image.sh)
  export TCP_PROXY_IMAGE_ROOT=${image[0]}
fi

namespace=(unshare --net --mount --propagation private)
[[ $EUID -eq 0 ]] || namespace+=(--map-root-user)
hosts=$(mktemp)
trap 'rm -f "$hosts"' EXIT
printf '127.0.0.1 localhost tenant-01.k8s.example.com tenant-01.konnectivity.example.com\n' >"$hosts"

# shellcheck disable=SC2016 # for the inner shell
"${namespace[@]}" bash -euc '
  mount --bind "$1" /etc/hosts
  shift
  ip link set lo up
  ip address add 10.77.0.2/32 dev lo
  ip address add 10.77.0.3/32 dev lo
  exec npx jest --config "$@"
' bash "$hosts" "${JEST_CONFIG:-test/e2e/jest.config.json}" "$@"
