#!/usr/bin/env bash
# Runs the tests with real controllers, in the surroundings of the end-to-end tests. What the chosen test files need is built
# on first use, which takes minutes for each: the scripts that they name in calls of provided('<script>'), here, as they
# have no network later.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Operators are built from sources that a variable names, e.g. KAMAJI_SOURCE: a folder or a git directory, with @ and a commit
# where that is not HEAD. k0s is what k0smotron runs. The provider of Cluster API for an operator runs with that, whose module it has from the same
# sources.
variable_of() {
  local variable=${1^^}_$2
  printf %s "${variable//-/_}"
}

unnamed=()
for file in test/upstream/operators/*.test.ts; do
  name=$(basename "$file" .test.ts)
  # Whose sources it needs; the first is built.
  case $name in
    k0s-config) needed=(k0s) ;;
    k0s | k0s-*) needed=(k0s k0smotron) ;;
    *-provider) needed=("$name" "${name%-provider}") ;;
    *) needed=("$name") ;;
  esac
  operator=${needed[0]} sources=() missing=''
  for one in "${needed[@]}"; do
    variable=$(variable_of "$one" SOURCE)
    sources+=("${!variable:-}")
    [[ -n ${!variable:-} ]] || missing=${missing:-$variable}
  done
  if [[ $missing ]]; then
    printf 'not run: %s, as %s names no sources\n' "$file" "$missing" >&2
    unnamed+=("--testPathIgnorePatterns=$file")
    continue
  fi
  case $operator in
    k0s) folder=$(scripts/k0s.sh "${sources[0]}") ;;
    *) folder=$(scripts/operator.sh "$operator" "${sources[@]}") ;;
  esac
  export "$(variable_of "$operator" FOLDER)=$folder"
done
export JEST_CONFIG=test/upstream/jest.config.json
mapfile -t files < <(npx jest --config "$JEST_CONFIG" --listTests "$@")
mapfile -t needed < <(sed -n "s/.*provided('\([a-z0-9-]*\)').*/\1/p" "${files[@]}" | sort -u)
for script in "${needed[@]}"; do
  "scripts/$script.sh" >/dev/null && continue
  # 2 says that the sources cannot be had here.
  (($? == 2)) || exit 1
  mapfile -t without < <(grep -l "provided('$script')" "${files[@]}")
  for file in "${without[@]}"; do
    printf 'not run: %s\n' "${file#"$PWD/"}" >&2
    unnamed+=("--testPathIgnorePatterns=${file#"$PWD/"}")
  done
done
exec scripts/e2e.sh "$@" "${unnamed[@]}"
