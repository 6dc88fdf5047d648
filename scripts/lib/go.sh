# Sourced: programs that are built of Go modules. Modules come by the ordinary way of Go, so a proxy or a mirror of the user's is asked.

source "$(dirname "${BASH_SOURCE[0]}")/cache.sh"

# go_module PATH VERSION: prints the folder of a module, which is fetched where it is missing.
go_module() {
  local folder
  folder=$(cd / && go mod download -json "$1@$2" | sed -n 's/^\s*"Dir": "\(.*\)",$/\1/p')
  [[ -n $folder ]] || die "cannot get $1 $2"
  printf '%s\n' "$folder"
}

# go_build PROGRAM PACKAGE [LINKER_FLAG...]: builds a static program of the module in the current folder.
go_build() {
  local program=$1 package=$2
  shift 2
  CGO_ENABLED=0 nice go build -trimpath -gcflags=all=-dwarf=false -o "$program" -ldflags "-s -w $*" "$package"
}

# Some programs have releases whose numbers do not go with the paths of their modules. They are known by commits, and not
# every proxy has those: then a variable names a git directory with the commit.

# go_require_sources VARIABLE PATH COMMIT: ends the script with 2 where the sources cannot be had.
go_require_sources() {
  [[ -z ${!1:-} ]] || return 0
  (cd / && go mod download "$2@$3") &>/dev/null && return
  log "${0##*/}: Go cannot get $2 at $3; name a git directory with that commit in $1"
  exit 2
}

# go_sources FOLDER VARIABLE PATH COMMIT: puts the sources into a new folder.
go_sources() {
  local folder=$1 repository=${!2:-} module
  mkdir "$folder"
  if [[ -n $repository ]]; then
    git -C "$repository" archive --format tar "$4" | tar --extract --directory "$folder"
  else
    module=$(go_module "$3" "$4")
    cp -r --no-preserve=mode "$module/." "$folder"
  fi
}
