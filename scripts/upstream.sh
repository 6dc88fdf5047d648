#!/usr/bin/env bash
# Runs the tests with real controllers, in the surroundings of the end-to-end tests. What the chosen test files need is built
# on first use, which takes minutes for each: the scripts that they name in calls of provided('<script>'), here, as they
# have no network later.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Operators are built from sources that a variable names, e.g. KAMAJI_SOURCE: a folder or a git directory, with @ and a commit
# where that is not HEAD. k0s is what k0smotron runs.
unnamed=()
for file in test/upstream/operators/*.test.ts; do
  name=$(basename "$file" .test.ts)
  operator=${name%%-*}
  variable=${operator^^}_SOURCE
  build=(scripts/operator.sh "$operator")
  [[ $operator != k0s ]] || build=(scripts/k0s.sh)
  [[ $operator != k0s || $name == k0s-config || ${K0SMOTRON_SOURCE:-} ]] || variable=K0SMOTRON_SOURCE
  if [[ -n ${!variable:-} ]]; then
    folder=$("${build[@]}" "${!variable}")
    export "${operator^^}_FOLDER=$folder"
  else
    printf 'not run: %s, as %s names no sources\n' "$file" "$variable" >&2
    unnamed+=("--testPathIgnorePatterns=$file")
  fi
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
