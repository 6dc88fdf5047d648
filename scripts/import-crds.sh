#!/usr/bin/env bash
# Regenerates src/imports/ from imports/: one TypeScript file per API group.
# `cdk8s import` writes one file per group and overwrites it on the next call,
# so all kinds of a group go through it as one multi-document file.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for group in $(find imports -name '*.yaml' -printf '%f\n' | cut -d_ -f1 | sort -u); do
  for schema in imports/"$group"_*.yaml; do
    printf -- '---\n'
    cat "$schema"
  done > "$work/$group.yaml"
  npx cdk8s import "$work/$group.yaml" --language typescript --output src/imports --no-save
done
