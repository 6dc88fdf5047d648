#!/usr/bin/env bash
# Prints the path of Mermaid's script for a browser: from its npm package, in the user's cache folder. Pictures are drawn with it; neither the library
# nor the website has it.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/cache.sh"

remedy='leave the pictures in docs/images as they are'
version=11.12.1
require npm

build() { npm install --prefix "$1" --no-audit --no-fund --no-save --loglevel error "mermaid@$version"; }

provide "$cache/mermaid-$version" build
echo "$cache/mermaid-$version/node_modules/mermaid/dist/mermaid.min.js"
