#!/bin/sh
# api_names.sh ROOT: docs/api.md has exactly one table row for each public header, and each header that it names exists;
# all.hpp includes each header but asio.hpp and those in folders.
set -eu
cd "$1"
status=0
headers=$(cd include/robotrules && find . -name '*.hpp' | sed 's|^\./||' | sort)
[ -n "$headers" ] || { echo "include/robotrules has no header" >&2; exit 2; }
for header in $headers; do
  rows=$(awk -v row="| \`$header\` |" 'index($0, row) == 1 { ++rows } END { print rows + 0 }' docs/api.md)
  [ "$rows" = 1 ] || { echo "docs/api.md: $rows table rows begin with \`$header\`: write one" >&2; status=1; }
done
for name in $(grep -oE '[A-Za-z0-9_./-]+\.hpp' docs/api.md | sed 's|^robotrules/||' | sort -u); do
  [ -f "include/robotrules/$name" ] || { echo "docs/api.md: there is no header $name" >&2; status=1; }
done
all=include/robotrules/all.hpp
for header in $headers; do
  case $header in */* | all.hpp | asio.hpp) continue ;; esac
  [ ! -f "$all" ] || grep -q "^#include <robotrules/$header>" "$all" || { echo "$all does not include $header" >&2; status=1; }
done
exit $status
