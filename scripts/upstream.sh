#!/usr/bin/env bash
# Runs the tests with real controllers, in the surroundings of the end-to-end tests. What the chosen test files need is built
# on first use, which takes minutes for each: the scripts that they name in calls of provided('<script>'), here, as they
# have no network later.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export JEST_CONFIG=test/upstream/jest.config.json
mapfile -t files < <(npx jest --config "$JEST_CONFIG" --listTests "$@")
mapfile -t needed < <(sed -n "s/.*provided('\([a-z0-9-]*\)').*/\1/p" "${files[@]}" | sort -u)
for script in "${needed[@]}"; do
  "scripts/$script.sh" >/dev/null
done
exec scripts/e2e.sh "$@"
