#!/bin/sh
# headers.sh COMPILER PREFIX SOURCE_INCLUDE: every public header is installed and compiles alone, without a warning and
# twice in one file; as C++23 all of them together. asio.hpp needs Boost. all.hpp includes the others, but not asio.hpp.
set -eu
compiler=$1 prefix=$2 source=$3
check() {  # check STANDARD < source text
  "$compiler" -std="$1" -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fsyntax-only -I"$prefix/include" -x c++ -
}
count=0
for header in "$source"/robotrules/*.hpp; do
  name=robotrules/$(basename "$header")
  [ -f "$prefix/include/$name" ] || { echo "$name is not installed" >&2; exit 1; }
  printf '#include <%s>\n#include <%s>\n' "$name" "$name" | check c++20 || { echo "$name does not compile alone" >&2; exit 1; }
  count=$((count + 1))
done
[ "$count" -gt 0 ]
included=$(printf '#include <robotrules/all.hpp>\n' | "$compiler" -std=c++20 -M -I"$prefix/include" -x c++ -)
for header in "$source"/robotrules/*.hpp "$source"/robotrules/compat/*.hpp; do
  name=${header#"$source"/}
  case $included in
    *"/$name"*) [ "$name" != robotrules/asio.hpp ] || { echo "all.hpp includes $name" >&2; exit 1; } ;;
    *) [ "$name" = robotrules/asio.hpp ] || { echo "all.hpp does not include $name" >&2; exit 1; } ;;
  esac
done
(cd "$source" && printf '#include <%s>\n' robotrules/*.hpp) | check c++23 || { echo "the headers do not compile as C++23" >&2; exit 1; }
echo "$count headers compile alone"
