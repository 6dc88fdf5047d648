#!/usr/bin/env bash
# Builds the Python wheel, the Go module and the jar of the compiled package, and an app with each; then tests them, and the
# npm package, as their users get them. Of .NET there are the sources alone.
#
# jsii-pacmak generates the sources. It could build them too, but would install the Python build tools each time. The Go
# modules and the jars of cdk8s come from its npm packages: not every proxy has them. All else comes from the registries.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/cache.sh"
cd "$(dirname "${BASH_SOURCE[0]}")/.."

remedy='run the other tests alone with "npm test"'
require node npx python3 go javac mvn tar
[[ -f .jsii && -f lib/index.js ]] || die 'the package is not compiled: run "npx projen compile" first'

export JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION=20
built=$PWD/dist/languages
example=$PWD/examples/kamaji-haproxy

version() { node --print "require('$1/package.json').version"; }

pacmak() { npx jsii-pacmak --code-only --no-npmignore "$@"; }

# An interpreter with the build tools that jsii-pacmak asks for and the packages that ours depends on.
python_environment() {
  python3 -m venv "$1"
  "$1/bin/python" -m pip install --quiet --requirement node_modules/jsii-pacmak/lib/targets/python/requirements-dev.txt \
    "cdk8s==$(version cdk8s)" "cdk8s-plus-30==$(version cdk8s-plus-30)" "constructs==$(version constructs)"
}

go_dependencies() {
  pacmak --targets go --outdir "$1" node_modules/cdk8s node_modules/cdk8s-plus-30
}

# Generates the sources of a package, or takes those that are there, and puts the jar into a repository.
java_package() {
  local sources=$1 repository=$2 published=$1/published.xml
  cp "$sources/pom.xml" "$published"
  # For a range Maven would read every version of it.
  # Those of cdk8s are the ones that were built here.
  local name
  for name in cdk8s cdk8s-plus-30 constructs; do
    sed --in-place --null-data --regexp-extended "s#(<artifactId>$name</artifactId>\s*<version>)\[[^<]*#\1$(version "$name")#" "$sources/pom.xml"
  done
  sed --in-place --regexp-extended 's#<version>\[([^,]+),[^)]*\)</version>#<version>\1</version>#' "$sources/pom.xml"
  mvn --quiet --batch-mode --file "$sources/pom.xml" -Dmaven.repo.local="$repository" -Dmaven.javadoc.skip=true -Dmaven.source.skip=true install
  mv "$published" "$sources/pom.xml"
}

java_dependencies() {
  local name
  for name in cdk8s cdk8s-plus-30; do
    pacmak --targets java --outdir "$1/$name" "node_modules/$name"
    java_package "$1/$name/java" "$1/repository"
    rm -rf "${1:?}/$name"
  done
}

# The newer cdk8s-plus that users may have beside ours, for npm and for Python.
newer_plus='cdk8s-plus-31@2.6.43 cdk8s-plus-32@2.5.92 cdk8s-plus-33@2.5.57 cdk8s-plus-34@2.0.54'
newer_plus_packages() {
  local package
  # Their peers are those of the program that uses them.
  # shellcheck disable=SC2086 # one argument a package
  npm install --prefix "$1/npm" --legacy-peer-deps --no-audit --no-fund --loglevel error $newer_plus
  for package in $newer_plus; do
    "$PYTHON" -m pip install --quiet --no-deps --target "$1/python" "${package/@/==}"
  done
}

versions=$(version jsii-pacmak)-$(version cdk8s)-$(version cdk8s-plus-30)-$(version constructs)
provide "$cache/python-$versions" python_environment
provide "$cache/go-$versions" go_dependencies
export PYTHON=$cache/python-$versions/bin/python
NEWER_PLUS=$cache/newer-plus-$(sha256sum <<<"$newer_plus" | cut -c 1-12)
export NEWER_PLUS
provide "$NEWER_PLUS" newer_plus_packages
source scripts/lib/lowest-peers.sh
provide "$cache/java-$versions" java_dependencies

log 'languages: generating the sources'
rm -rf "$built"
pacmak --targets js python go java dotnet --outdir "$built" >&2

log 'languages: building the wheel'
"$PYTHON" -m build --wheel --no-isolation --outdir "$built/wheel" "$built/python" &>"$built/python.log" || die "$(<"$built/python.log")"
export PYTHONPATH=$built/site-packages
"$PYTHON" -m pip install --quiet --no-deps --target "$PYTHONPATH" "$built"/wheel/*.whl

log 'languages: building the Go module and the app'
cp -r "$example/go" "$built/go-app"
go=(go -C "$built/go-app")
"${go[@]}" mod edit \
  -replace "github.com/cdk8s-hosted-control-plane/cdk8s-hosted-control-plane-go/cdk8shostedcontrolplane=$built/go/cdk8shostedcontrolplane" \
  -replace "github.com/cdk8s-team/cdk8s-core-go/cdk8s/v2=$cache/go-$versions/go/cdk8s" \
  -replace "github.com/cdk8s-team/cdk8s-plus-go/cdk8splus30/v2=$cache/go-$versions/go/cdk8splus30"
"${go[@]}" mod tidy
"${go[@]}" build -trimpath -o app
export GO_APP=$built/go-app/app

log 'languages: building the jar'
export JAVA_REPOSITORY=$built/maven
cp -r "$cache/java-$versions/repository" "$JAVA_REPOSITORY"
java_package "$built/java" "$JAVA_REPOSITORY" &>"$built/java.log" || die "$(<"$built/java.log")"

export WHEEL GO_MODULE=$built/go/cdk8shostedcontrolplane GO_PEERS=$cache/go-$versions/go DOTNET_SOURCES=$built/dotnet/Cdk8sHostedControlPlane
WHEEL=$(echo "$built"/wheel/*.whl)
export NPM_PACKAGE
NPM_PACKAGE=$(echo "$built"/js/*.tgz)
exec npx jest --config test/languages/jest.config.json "$@"
