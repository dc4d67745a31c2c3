#!/bin/bash
# command.sh key:   prints the digest of the sources that the command is built from
# command.sh build: builds the command in the action's checkout if there is none, and prints its path last
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
case ${1:-} in
  key)
    find CMakeLists.txt CMakePresets.json cmake include src cli bindings/c data docs/lint packages.txt -type f -print0 |
      LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c1-32 ;;
  build)
    [ -x build/release/bin/robotrules ] || make build >&2
    echo "$root/build/release/bin/robotrules" ;;
  *) echo "command.sh: key or build" >&2; exit 2 ;;
esac
