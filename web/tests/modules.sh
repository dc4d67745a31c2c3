#!/bin/sh
# modules.sh: the tests of the page's modules, with node alone. Status 77: node is missing, as the message says.
set -eu
case $(node --version 2> /dev/null || true) in
  '' | v[0-9].* | v1[0-7].*)
    echo "The modules of the page are not tested: this machine lacks Node.js 18 or newer (Debian: nodejs)." >&2
    exit 77 ;;
esac
exec node --test "$(dirname "$0")"/unit/*.test.mjs
