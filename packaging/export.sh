#!/bin/bash
# export.sh FOLDER: copies the sources into FOLDER/robotrules-VERSION and prints that path. In a git checkout, these are the
# files that git knows or would add; otherwise all files but build/. Each file gets the date of debian/changelog, so that
# packages do not depend on when the sources were written.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
version=$(sed -n 's/^#define ROBOTRULES_VERSION "\(.*\)"$/\1/p' "$root/include/robotrules/version.hpp")
epoch=$(date -u -d "$(sed -n '/^ -- /{s/.*>  //p;q}' "$root/debian/changelog")" +%s)
mkdir -p "$1"
tree=$(cd "$1" && pwd)/robotrules-$version
rm -rf "$tree"
mkdir -p "$tree"
cd "$root"
if [ -e .git ] && git ls-files >/dev/null 2>&1; then
  git ls-files -z --cached --others --exclude-standard --deduplicate |
    while IFS= read -r -d '' file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done
else
  find . -path ./build -prune -o -type f -print0
fi | tar -c --null --no-recursion --mtime="@$epoch" -T - | tar -x -C "$tree"
echo "$tree"
