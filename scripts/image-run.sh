#!/usr/bin/env bash
# image-run.sh ROOT PROGRAM ARGUMENT...: runs a program of the tcp-proxy image in the root file system that image.sh made.
#
# As in a container, the root is read-only and the environment is the image's, plus the caller's TCP_PROXY_* variables.
# Network, /proc, /dev, /tmp, names and user are the caller's. The process keeps its ID, so that signals reach it.
# Users other than root need user namespaces.
set -euo pipefail

root=$(realpath "$1")
shift
mapfile -t environment < <(sed -n 's/^ENV //p' "$(dirname "${BASH_SOURCE[0]}")/../images/tcp-proxy/Dockerfile")
for name in "${!TCP_PROXY_@}"; do
  environment+=("$name=${!name}")
done

namespace=(unshare --mount --propagation private)
[[ $EUID -eq 0 ]] || namespace+=(--map-root-user)

# The mounts end with the namespace, that is, with the program.
# shellcheck disable=SC2016 # for the inner shell
exec "${namespace[@]}" bash -euc '
  root=$1
  shift
  mount --bind "$root" "$root"
  mount -o remount,bind,ro "$root"
  for path in proc dev tmp etc/hosts etc/resolv.conf; do
    mount --rbind "/$path" "$root/$path"
  done
  exec "$@"
' bash "$root" env --ignore-environment "${environment[@]}" chroot "$root" "$@"
