#!/bin/sh
# run.sh OUT: the tests of the page OUT/robotrules.html. The modules are tested with node alone. The page is tested in
# Debian's Chromium; without Chromium or the npm packages of web/package.json those tests are skipped with a message.
# Screenshots are kept in OUT/screens.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$(cd "${1:?usage: run.sh OUT}" && pwd)

node --test "$here"/unit/*.test.mjs

chromium=${CHROMIUM:-$(command -v chromium || true)}
if [ -z "$chromium" ]; then
  echo "The page is not tested in a browser: there is no chromium. Install it: tools/packages.sh page" >&2
  exit 0
fi
tools=$out/tools
if [ ! -d "$tools/node_modules/playwright-core" ] || [ ! -d "$tools/node_modules/axe-core" ]; then
  mkdir -p "$tools"
  cp "$here/../package.json" "$tools/package.json"
  if ! npm install --prefix "$tools" --no-audit --no-fund --no-package-lock --silent; then
    echo "The page is not tested in a browser: npm cannot install the packages of web/package.json." >&2
    exit 0
  fi
fi
mkdir -p "$out/screens"
PAGE=$out/robotrules.html TOOLS=$tools CHROMIUM=$chromium SCREENS=$out/screens exec node --test "$here"/page/*.test.mjs
