# Sourced: programs that are built from sources which a variable of the user's names.
#
# The script that sources this sets `source`, a git directory, a working copy, or a folder without git, which is known by what is in it; and
# `commit`, which counts for the first two.

source "$(dirname "${BASH_SOURCE[0]}")/go.sh"

# sources_named SOURCE[@COMMIT]: sets both.
sources_named() {
  source=${1%@*}
  commit=HEAD
  [[ $1 != *@* ]] || commit=${1##*@}
  [[ -d $source ]] || die "$source is not a folder"
}

# Whether the sources are a repository, and not a folder in one.
sources_are_repository() {
  git -C "$source" rev-parse --git-dir &>/dev/null && [[ -z $(git -C "$source" rev-parse --show-prefix 2>/dev/null) ]]
}

# The sources as a tar archive, the same bytes for the same sources.
sources_pack() {
  if sources_are_repository; then
    git -C "$source" archive --format tar "$commit"
  else
    tar --create --directory "$source" --exclude-vcs --sort name --mtime @0 --owner 0 --group 0 --numeric-owner .
  fi
}

sources_identify() {
  if sources_are_repository; then
    git -C "$source" rev-parse --verify --quiet "$commit^{commit}" || die "$source has no commit $commit"
  else
    sources_pack | sha256sum | cut -d ' ' -f 1
  fi
}

# The name that git has for the commit; none without one.
sources_tag() {
  sources_are_repository && git -C "$source" describe --tags "$commit" 2>/dev/null
}
