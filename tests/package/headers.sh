#!/bin/sh
# headers.sh COMPILER PREFIX SOURCE_INCLUDE: every public header is installed and compiles alone, without a warning and
# twice in one file. asio.hpp needs Boost.
set -eu
compiler=$1 prefix=$2 source=$3
count=0
for header in "$source"/robotrules/*.hpp; do
  name=robotrules/$(basename "$header")
  [ -f "$prefix/include/$name" ] || { echo "$name is not installed" >&2; exit 1; }
  for standard in c++20 c++23; do
    printf '#include <%s>\n#include <%s>\n' "$name" "$name" |
      "$compiler" -std=$standard -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fsyntax-only \
        -I"$prefix/include" -x c++ - || { echo "$name does not compile alone as $standard" >&2; exit 1; }
  done
  count=$((count + 1))
done
[ "$count" -gt 0 ]
echo "$count headers compile alone"
