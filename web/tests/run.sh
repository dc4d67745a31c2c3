#!/bin/sh
# run.sh PACKAGE OUT: builds the page OUT/robotrules.html from the npm package in the folder PACKAGE, and tries it in Debian's
# Chromium. Status 77: something is missing, and the last line that is printed says what. Screenshots are kept in OUT/screens.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
usage="usage: run.sh PACKAGE OUT"
package=${1:?$usage}
mkdir -p "${2:?$usage}"
out=$(cd "$2" && pwd)

skip() {
  echo "The page is not tested in a browser: $1" >&2
  exit 77
}

"$here/../../bindings/js/build.sh" "$package" > /dev/null || exit $?
node "$here/../tools/build.mjs" "$package" "$out/robotrules.html"

chromium=${CHROMIUM:-$(command -v chromium || true)}
[ -n "$chromium" ] || skip "this machine lacks chromium. Install it: tools/packages.sh page."
tools=$out/tools
if [ ! -d "$tools/node_modules/playwright-core" ] || [ ! -d "$tools/node_modules/axe-core" ]; then
  command -v npm > /dev/null || skip "this machine lacks npm, which installs the packages of web/package.json."
  mkdir -p "$tools"
  cp "$here/../package.json" "$tools/package.json"
  npm install --prefix "$tools" --no-audit --no-fund --no-package-lock --silent \
    || skip "npm could not install the packages of web/package.json."
fi
mkdir -p "$out/screens"
PAGE=$out/robotrules.html TOOLS=$tools CHROMIUM=$chromium SCREENS=$out/screens exec node --test "$here"/page/*.test.mjs
