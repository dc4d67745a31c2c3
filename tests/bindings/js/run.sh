#!/bin/sh
# run.sh SOURCE PACKAGE: builds the npm package in the folder PACKAGE and runs its tests. Status 77: something is missing.
set -eu

"$1/bindings/js/build.sh" "$2" || exit $?
case $(node --version) in
  v[0-9].* | v1[0-7].*) echo "bindings.js: node $(node --version) is older than 18; the tests are skipped" >&2; exit 77 ;;
esac
ROBOTRULES_JS=$2 exec node --expose-gc --test "$1/bindings/js/test"
