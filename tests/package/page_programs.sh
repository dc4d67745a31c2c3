#!/bin/sh
# page_programs.sh COMPILER INCLUDE SCRATCH PAGE...: each ```cpp block of the pages is a whole program that compiles.
set -eu
compiler=$1 include=$2 scratch=$3
shift 3
rm -rf "$scratch"
mkdir -p "$scratch"
for page in "$@"; do
  awk -v out="$scratch/$(basename "$page" .md)" '
    /^```cpp$/ { inside = 1; file = sprintf("%s-%d.cpp", out, FNR); next }
    /^```/ { inside = 0 }
    inside { print > file }' "$page"
done
count=0
for program in "$scratch"/*.cpp; do
  [ -f "$program" ] || break
  "$compiler" -std=c++20 -Wall -Wextra -Werror -fsyntax-only -I"$include" "$program" ||
    { echo "the program of ${program##*/} (page-line) does not compile" >&2; exit 1; }
  count=$((count + 1))
done
[ "$count" -gt 0 ] || { echo "the pages have no program" >&2; exit 1; }
echo "$count programs compile"
