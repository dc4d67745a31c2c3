#!/bin/sh
# batches.sh: the sources of each folder compile as one, so batches of any size do (ROBOTRULES_BATCH, cmake/Targets.cmake).
# Two sources of a folder may not define the same name in their unnamed namespaces. Only the syntax is checked. Takes a
# minute on two cores. COMPILER: c++. It needs the packages of the group build.
set -eu
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat > "$scratch/one.sh" <<'END'
folder=$1 scratch=$2 source=$2/$(echo "$1" | tr / -).cpp
for one in "$folder"/*.cpp; do
  case $one in cli/main.cpp | cli/metrics/no_metrics.cpp) ;; *) echo "#include \"$PWD/$one\"" ;; esac
done > "$source"
${COMPILER:-c++} -std=c++20 -fsyntax-only -Wall -Wextra -Wshadow -Werror -Wno-restrict -Iinclude -Isrc -I. \
  -isystem /usr/include/postgresql -DROBOTRULES_WITH_REDIS -DROBOTRULES_WITH_POSTGRES "$source" ||
  { echo "the sources of $folder do not compile as one" >&2; exit 255; }
END
find src cli -name '*.cpp' | sed 's|/[^/]*$||' | sort -u | xargs -P "$(nproc)" -I '{}' sh "$scratch/one.sh" '{}' "$scratch"
echo 'the sources of each folder compile as one'
