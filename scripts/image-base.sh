#!/usr/bin/env bash
# image-base.sh FOLDER HAPROXY_VERSION: fills a folder with all of the tcp-proxy image that comes from Debian.
#
# The Dockerfile and image.sh both call this, so that what is tested without a container engine is what is shipped.
# There is no shell and no package manager in the result, just HAProxy, iproute2 and the libraries of these and Node.js.
set -euo pipefail
umask 022
source "$(dirname "${BASH_SOURCE[0]}")/lib/debian.sh"

remedy='run it on Debian, or build the image from the Dockerfile'
root=$1 haproxy_version=$2

mkdir -p "$root"
debian_prepare
debian_unpack "$root" base-files "haproxy=$haproxy_version" iproute2 libstdc++6

cd "$root"
find usr/share/doc -type f ! -name copyright -delete
rm -rf usr/include usr/share/{base-files,bash-completion,gcc,gdb,lintian,locale,man} usr/lib/{systemd,tmpfiles.d} \
  etc/{default,init.d,logrotate.d,profile.d,rsyslog.d,skel,update-motd.d}
# The configuration is mounted there; without it, HAProxy must not start with Debian's.
rm -r etc/haproxy/*

printf '%s\n' 'root:x:0:0::/:/nonexistent' 'tcp-proxy:x:65532:65532::/:/nonexistent' >etc/passwd
printf '%s\n' 'root:x:0:' 'tcp-proxy:x:65532:' >etc/group
# The host aliases of a pod come before DNS.
printf '%s\n' 'hosts: files dns' >etc/nsswitch.conf
# Runtimes mount over these.
touch etc/hosts etc/hostname etc/resolv.conf
