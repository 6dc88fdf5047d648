#!/usr/bin/env bash
# Makes ready what the website is built with: its own packages, and the compiled package of this project, which the other languages are made of.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/cache.sh"
cd "$(dirname "${BASH_SOURCE[0]}")/.."

remedy='read docs/ on GitHub'
require npm
[[ website/node_modules/.package-lock.json -nt website/package-lock.json ]] || npm ci --prefix website --no-audit --no-fund --loglevel error >&2
[[ -f .jsii && -f lib/index.js ]] || npx projen compile >&2
echo website
