#!/usr/bin/env bash
# Runs the tests with real controllers, in the surroundings of the end-to-end tests. What they need is built on first use,
# which takes minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mapfile -t flux < <(scripts/flux.sh)
export KUSTOMIZE_CONTROLLER=${flux[0]} FLUX_DEFINITIONS=${flux[1]}
# Operators are built from sources that a variable names, e.g. KAMAJI_SOURCE: a folder or a git directory, with @ and a commit
# where that is not HEAD.
unnamed=()
for file in test/upstream/operators/*.test.ts; do
  operator=$(basename "$file" .test.ts)
  variable=${operator^^}_SOURCE
  if [[ -n ${!variable:-} ]]; then
    folder=$(scripts/operator.sh "$operator" "${!variable}")
    export "${operator^^}_FOLDER=$folder"
  else
    printf 'not run: %s, as %s names no sources\n' "$file" "$variable" >&2
    unnamed+=("--testPathIgnorePatterns=$file")
  fi
done
JEST_CONFIG=test/upstream/jest.config.json exec scripts/e2e.sh "$@" "${unnamed[@]}"
