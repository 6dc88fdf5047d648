# Sourced: the user's cache folder, and a way to fill it once.
#
# Everything that scripts/ makes is kept outside the checkout, so that all clones share it. It can be deleted at any time.

cache=${XDG_CACHE_HOME:-$HOME/.cache}/cdk8s-hosted-control-plane

log() {
  printf '%s\n' "$*" >&2
}

die() {
  log "${0##*/}: $*"
  exit 1
}

# require COMMAND... REMEDY: ends the script when a command is missing.
require() {
  local remedy=${*: -1} command
  for command in "${@:1:$#-1}"; do
    command -v "$command" >/dev/null || die "$command is missing: $remedy"
  done
}

# provide NAME BUILD: makes the folder $cache/NAME by calling `BUILD TEMPORARY_FOLDER FINAL_FOLDER`, unless it is there.
#
# The folder appears in one step and complete. Scripts that run at the same time wait for the first. BUILD runs with
# `set -e` in force, so call provide as a plain command: behind `if`, `&&` or `||` bash would ignore its failures.
provide() {
  local name=$1 build=$2
  [[ -d $cache/$name ]] && return
  mkdir -p "$cache"
  (
    flock 9
    [[ -d $cache/$name ]] && exit
    temporary=$(mktemp -d "$cache/.$name.XXXXXX")
    trap 'rm -rf "$temporary"' EXIT
    "$build" "$temporary" "$cache/$name" >&2
    chmod 755 "$temporary"
    mv -T "$temporary" "$cache/$name"
  ) 9>"$cache/.$name.lock"
}
