#!/usr/bin/env bash
# Runs the tests with real controllers, in the surroundings of the end-to-end tests. What they need is built on first use,
# which takes minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mapfile -t flux < <(scripts/flux.sh)
PROMETHEUS=$(scripts/prometheus.sh)
export PROMETHEUS
export KUSTOMIZE_CONTROLLER=${flux[0]} FLUX_DEFINITIONS=${flux[1]}
JEST_CONFIG=test/upstream/jest.config.json exec scripts/e2e.sh "$@"
