#!/usr/bin/env bash
# Tests the npm package of the compiled package with the lowest versions that package.json allows of cdk8s, cdk8s-plus-30 and constructs.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/cache.sh"
cd "$(dirname "${BASH_SOURCE[0]}")/.."

remedy='run the other tests alone with "npm test"'
require node npm npx
[[ -f .jsii && -f lib/index.js ]] || die 'the package is not compiled: run "npx projen compile" first'

export JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION=20
source scripts/lib/lowest-peers.sh

built=$PWD/dist/lowest-peers
rm -rf "$built"
npx jsii-pacmak --code-only --no-npmignore --targets js --outdir "$built" >&2
export NPM_PACKAGE
NPM_PACKAGE=$(echo "$built"/js/*.tgz)
exec npx jest --config test/languages/jest.config.json test/languages/lowest-peers "$@"
