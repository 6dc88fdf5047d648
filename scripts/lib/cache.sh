# Sourced: the user's cache folder, and a way to fill it once.
#
# Everything that scripts/ provides is kept outside the checkout, so that all clones share it. It can be deleted at any
# time. The script that sources this sets `remedy`, what to do when it fails, which ends every error message.

# shellcheck disable=SC2034 # for the scripts that source this
cache=${XDG_CACHE_HOME:-$HOME/.cache}/cdk8s-hosted-control-plane

log() {
  printf '%s\n' "$*" >&2
}

die() {
  log "${0##*/}: $*; ${remedy:?}"
  exit 1
}

# require COMMAND...: ends the script when a command is missing.
require() {
  local command
  for command in "$@"; do
    command -v "$command" >/dev/null || die "$command is missing"
  done
}

# provide FOLDER BUILD: makes FOLDER by calling `BUILD TEMPORARY_FOLDER FOLDER`, unless it is there.
#
# The folder appears in one step and complete. Scripts that run at the same time wait for the first. BUILD runs with
# `set -e` in force, so call provide as a plain command: behind `if`, `&&` or `||` bash would ignore its failures.
provide() {
  local folder=$1 build=$2 parent=${1%/*} name=${1##*/}
  [[ ! -d $folder ]] || return 0
  require flock
  mkdir -p "$parent"
  (
    flock 9
    [[ ! -d $folder ]] || exit 0
    # What a killed run left behind.
    rm -rf "$parent/.$name".??????
    temporary=$(mktemp -d "$parent/.$name.XXXXXX")
    trap 'rm -rf "$temporary"; [[ -d $folder ]] || die "cannot make $name"' EXIT
    "$build" "$temporary" "$folder" >&2
    chmod 755 "$temporary"
    mv -T "$temporary" "$folder"
  ) 9>"$parent/.$name.lock"
}
