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
