#!/bin/sh
# symbols.sh HEADER MAP LIBRARY: the functions that the header declares, the symbols that the version script lists and
# those that the library exports are the same; each has a version, the SONAME is librobotrules.so.0, and the library stays in memory after dlclose().
set -eu
header=$1 map=$2 library=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0
sed 's|//.*||' "$header" | tr '\n' ' ' | grep -oE 'ROBOTRULES_EXPORT [^(]*\(' | grep -oE 'robotrules_[a-z_]+\($' | tr -d '(' |
  sort > "$scratch/declared"
grep -oE '^ +robotrules_[a-z_]+;' "$map" | tr -d ' ;' | sort > "$scratch/listed"
nm -D --defined-only --with-symbol-versions "$library" | awk '$2 != "A" { print $3 }' | sort > "$scratch/exported"
[ "$(wc -l < "$scratch/declared")" -ge 100 ]
diff "$scratch/declared" "$scratch/listed" || { echo "$map lists other functions (>) than $header declares (<)" >&2; status=1; }
sed 's/@@ROBOTRULES_[0-9.]*$//' "$scratch/exported" | diff "$scratch/listed" - ||
  { echo "$library exports other symbols (>) than $map lists (<)" >&2; status=1; }
if unversioned=$(grep -v '@@ROBOTRULES_' "$scratch/exported"); then echo "without a version: $unversioned" >&2; status=1; fi
readelf -d "$library" | grep -q 'SONAME.*\[librobotrules\.so\.0\]' || { echo "$library: wrong SONAME" >&2; status=1; }
readelf -d "$library" | grep -q 'FLAGS_1.*NODELETE' || { echo "$library may be unloaded while its threads run" >&2; status=1; }
exit $status
