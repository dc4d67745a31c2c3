#!/bin/sh
# run.sh SOURCE PACKAGE: builds the npm package in the folder PACKAGE and runs its tests. Status 77: something is missing,
# and the last line that is printed says what.
set -eu

"$1/bindings/js/build.sh" "$2" || exit $?
case $(node --version) in
  v[0-9].* | v1[0-7].*) echo "The tests of JavaScript need Node.js 18 or newer; this is $(node --version)." >&2; exit 77 ;;
esac
ROBOTRULES_JS=$2 exec node --expose-gc --test "$1/bindings/js/test"
