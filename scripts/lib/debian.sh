# Sourced: programs from Debian's packages, unpacked instead of installed.
#
# apt runs with a configuration, lists and a package database of its own below $cache/apt: nothing of the system is
# touched and root is not needed. Signatures are checked as always, with the Debian keys of this machine.

source "$(dirname "${BASH_SOURCE[0]}")/cache.sh"

debian_suite=trixie
debian_state=$cache/apt

# Depended upon, but only for installing, for service management or for shell scripts. Declared as installed, so that
# they and their own dependencies stay out.
debian_unneeded=(
  adduser awk bash coreutils dash debconf debianutils dpkg init-system-helpers libcap2-bin lsb-base mawk perl-base
  procps sysvinit-utils
)

# debian_use_suite SUITE: takes another suite than the usual one, e.g. sid.
debian_use_suite() {
  debian_suite=$1
  debian_state=$cache/apt-$1
}

# debian_prepare: fetches the package lists, or what changed in them, and keeps other scripts from doing so until this
# one ends.
debian_prepare() {
  local mirror keyring
  require apt-get apt-config dpkg dpkg-deb flock
  # Other vendors name their suites after Debian's too, but have no updates suite.
  mirror=$(debian_mirror -updates '')
  [[ -n $mirror ]] || die "no Debian mirror in the apt sources of this machine"
  mkdir -p "$debian_state/lists/partial"
  exec {debian_lock}>"$debian_state/lock"
  flock "$debian_lock"
  keyring=$(debian_keyring)
  debian_configure "$mirror" "$(debian_mirror -security)" "$keyring"
  debian_apt apt-get update --error-on=any >&2 || die "cannot fetch the package lists of Debian $debian_suite"
}

# debian_apt COMMAND...: apt with the private configuration.
debian_apt() {
  APT_CONFIG=$debian_state/apt.conf "$@"
}

# debian_mirror SUITE_SUFFIX...: prints the address from which this machine gets the first suite that it has of its own
# release: trixie for an empty suffix, trixie-updates for -updates. apt itself reads the sources, in either format.
debian_mirror() {
  local codename indexes suffix mirror
  # shellcheck source=/dev/null
  codename=$(source /etc/os-release && printf %s "${VERSION_CODENAME:-}")
  indexes=$(apt-get update --print-uris)
  for suffix in "$@"; do
    mirror=$(sed -n "\|^'\(.*\)/dists/$codename$suffix/InRelease'.*|{s//\1/p;q}" <<<"$indexes")
    [[ -z $mirror ]] || break
  done
  printf %s "$mirror"
}

# debian_keyring: prints the file of this machine's Debian keys. Debian signs a release with the keys of the release
# before as well, so that a Debian 12 accepts trixie as it is.
debian_keyring() {
  local keyring
  for keyring in /usr/share/keyrings/debian-archive-keyring.{pgp,gpg}; do
    [[ ! -e $keyring ]] || break
  done
  printf %s "$keyring"
}

debian_configure() {
  local mirror=$1 security=$2 keyring=$3 package suites="$debian_suite $debian_suite-updates"
  # What is never released has no updates either.
  if [[ $debian_suite == sid ]]; then
    suites=$debian_suite security=''
  fi
  {
    # The machine's proxies, certificates and time-outs; not its hooks, which belong to the system.
    apt-config dump | grep '^Acquire::' | grep -v '^Acquire::IndexTargets'
    cat <<EOF
Dir::Etc::Main "/dev/null";
Dir::Etc::Parts "/dev/null";
Dir::Etc::SourceList "$debian_state/debian.sources";
Dir::Etc::SourceParts "/dev/null";
Dir::Etc::Preferences "/dev/null";
Dir::Etc::PreferencesParts "/dev/null";
Dir::State "$debian_state";
Dir::State::status "$debian_state/status";
Dir::Cache "$debian_state";
Dir::Log "$debian_state";
APT::Sandbox::User "";
Debug::NoLocking "true";
EOF
  } >"$debian_state/apt.conf"
  for package in "${debian_unneeded[@]}"; do
    printf 'Package: %s\nStatus: install ok installed\nVersion: 9999:0\nArchitecture: all\nMulti-Arch: foreign\n\n' "$package"
  done >"$debian_state/status"
  {
    printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n\n' "$mirror" "$suites" "$keyring"
    [[ -z $security ]] ||
      printf 'Types: deb\nURIs: %s\nSuites: %s-security\nComponents: main\nSigned-By: %s\n' \
        "$security" "$debian_suite" "$keyring"
  } >"$debian_state/debian.sources"
}

# debian_version PACKAGE: prints the newest version.
debian_version() {
  debian_apt apt-cache --no-all-versions show "$1" | sed -n 's/^Version: //p'
}

# debian_unpack ROOT PACKAGE...: unpacks the packages and all that they depend on. `PACKAGE=3.0.*` chooses a version.
debian_unpack() {
  local root=$1 archives=$1/.archives deb
  shift
  log "downloading $* and dependencies from Debian $debian_suite"
  mkdir -p "$archives/partial" "$root/var/lib/dpkg/status.d"
  debian_apt apt-get install --yes --quiet=2 --download-only --no-install-recommends -o "Dir::Cache::archives=$archives" "$@" >&2
  for deb in "$archives"/*.deb; do
    dpkg-deb --extract "$deb" "$root"
    # What scanners read in images without a package manager.
    dpkg-deb --field "$deb" >"$root/var/lib/dpkg/status.d/$(dpkg-deb --field "$deb" Package)"
  done
  rm -rf "$archives"
}

# debian_relocate ROOT FINAL_ROOT PROGRAM...: makes programs in ROOT run with the libraries beside them, once ROOT has
# become FINAL_ROOT. (A wrapper around the dynamic loader would not do: HAProxy executes itself again to reload.)
# ROOT must hold the package patchelf.
debian_relocate() {
  local root=$1 final=$2 program loader
  shift 2
  for program in "$@"; do
    loader=$(debian_patchelf "$root" --print-interpreter "$root/$program")
    debian_patchelf "$root" --set-interpreter "$final/usr$loader" --force-rpath --set-rpath "$final/$(debian_libraries "$root")" "$root/$program"
  done
}

# debian_libraries ROOT: prints the folder of libraries in it, without ROOT.
debian_libraries() {
  (cd "$1" && dirname usr/lib/*/libc.so.6)
}

# debian_patchelf ROOT ARGUMENT...: the patchelf that is in ROOT.
debian_patchelf() {
  local root=$1
  shift
  "$root"/usr/lib*/ld-linux*.so.* --library-path "$root/$(debian_libraries "$root")" "$root/usr/bin/patchelf" "$@"
}
