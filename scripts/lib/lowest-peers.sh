# Sourced: the lowest versions that package.json allows of the packages that ours goes with, in the folder LOWEST_PEERS.

floors=$(node --print "Object.entries(require('./package.json').peerDependencies).map(([name, range]) => name + '@' + range.replace('^', '')).join(' ')")

lowest_peers() {
  # shellcheck disable=SC2086 # one argument a package
  npm install --prefix "$1" --legacy-peer-deps --no-audit --no-fund --loglevel error $floors
}

LOWEST_PEERS=${cache:?}/lowest-peers-$(sha256sum <<<"$floors" | cut -c 1-12)
export LOWEST_PEERS
provide "$LOWEST_PEERS" lowest_peers
