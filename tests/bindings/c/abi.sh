#!/bin/sh
# abi.sh [--write] CC LIBRARY HEADERS MAP RECORD: compares the C ABI with its recorded description, or writes the record.
#   CC       a C compiler; HEADERS  the folder of robotrules.h; MAP  the version script
# The description is of a library that CC makes of the header: all functions without their work, with the types that C
# sees, and each constant as an array that is one longer than its value. So it does not depend on how LIBRARY was built.
# LIBRARY must export each symbol of the record, with its version.
# Exit status 77: the comparison is not possible here.
set -eu
write=
if [ "$1" = --write ]; then write=1; shift; fi
cc=$1 library=$2 headers=$3 map=$4 record=$5
for tool in abidw abidiff; do
  command -v $tool > /dev/null || { echo "$tool is not installed (Debian: abigail-tools)"; exit 77; }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

{
  echo '#include <robotrules.h>'
  sed 's|//.*||' "$headers/robotrules.h" | tr '\n' ' ' | grep -oE 'ROBOTRULES_EXPORT [^;{}]*;' | sed 's/;$/ { __builtin_trap(); }/'
  sed 's|//.*||' "$headers/robotrules.h" | grep -oE 'ROBOTRULES_[A-Z_0-9]+ = |define ROBOTRULES_FEATURE_[A-Z]+' |
    sed -E 's/^define (.*)/\1 = /; s/(.*) = /const char constant_\1[\1 + 1] = "";/'
} > "$scratch/stub.c"
sed 's/^  global:/  global: constant_*;/' "$map" > "$scratch/map"
"$cc" -std=c11 -g -O0 -fPIC -shared -w -I"$headers" "$scratch/stub.c" -nostdlib -Wl,-soname,librobotrules.so.0 \
  -Wl,--version-script="$scratch/map" -o "$scratch/stub.so"
abidw --no-architecture --no-corpus-path --no-comp-dir-path --short-locs --no-show-locs --out-file "$scratch/now.abi" \
  "$scratch/stub.so"
# An empty description would be compatible with everything.
[ "$(grep -c "<function-decl name='robotrules_" "$scratch/now.abi")" -ge 100 ]
[ "$(grep -c "<elf-symbol name='constant_" "$scratch/now.abi")" -ge 50 ]
if [ -n "$write" ]; then
  cp "$scratch/now.abi" "$record"
  echo "$record is written"
fi

status=0
abidiff --no-added-syms --no-architecture "$record" "$scratch/now.abi" || status=1
sed -nE "s/.*<elf-symbol name='(robotrules_[a-z_]+)' version='([^']*)'.*/\1@@\2/p" "$record" | sort > "$scratch/wanted"
nm -D --defined-only --with-symbol-versions "$library" | awk '{ print $3 }' | sort > "$scratch/exported"
[ "$(wc -l < "$scratch/wanted")" -ge 100 ]
if lost=$(comm -23 "$scratch/wanted" "$scratch/exported" | grep .); then
  echo "$library has lost:" $lost
  status=1
fi
[ $status = 0 ] || echo "The C ABI is not compatible with $record: take the change back, or raise the SONAME and write it again" >&2
exit $status
