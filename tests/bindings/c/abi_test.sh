#!/bin/sh
# abi_test.sh ABI CC LIBRARY HEADERS MAP RECORD: abi.sh must pass the ABI as it is, also with a new function, and fail on each
# change that breaks programs.
set -eu
abi=$1 cc=$2 library=$3 headers=$4 map=$5 record=$6
"$abi" "$cc" "$library" "$headers" "$map" "$record" || exit $?
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/robotrules"
cp "$headers/robotrules/version.hpp" "$scratch/robotrules"

# changed SED_HEADER SED_MAP LIBRARY: the status for a header and a version script that were changed
changed() {
  sed -E "$1" "$headers/robotrules.h" > "$scratch/robotrules.h"
  sed -E "$2" "$map" > "$scratch/robotrules.map"
  "$abi" "$cc" "$3" "$scratch" "$scratch/robotrules.map" "$record" > "$scratch/said" 2>&1
}
must_fail() {
  cmp -s "$headers/robotrules.h" "$scratch/robotrules.h" && { echo "the header was not changed: $1" >&2; exit 1; }
  echo "passed by mistake: $1" >&2
  exit 1
}

changed 's/^ROBOTRULES_EXPORT void robotrules_text_free/ROBOTRULES_EXPORT void robotrules_new(int a); &/' \
  's/^ +robotrules_why_name;/&robotrules_new;/' "$library" || { cat "$scratch/said"; echo "a new function is refused" >&2; exit 1; }

! changed 's/^ROBOTRULES_EXPORT void robotrules_text_free.*//' 's/^ +robotrules_text_free;//' "$library" || must_fail 'a function less'
! changed 's/robotrules_access_name\(int32_t access/robotrules_access_name(int64_t access/' '' "$library" || must_fail 'a parameter of another type'
! changed 's/^  size_t edit_count;.*//' '' "$library" || must_fail 'a struct with a member less'
! changed 's/^  uint32_t column; .*/&\n  uint32_t column_end;/' '' "$library" || must_fail 'a struct with a member more'
! changed 's/ROBOTRULES_ACCESS_DISALLOWED = 2/ROBOTRULES_ACCESS_DISALLOWED = 3/' '' "$library" || must_fail 'a constant with another value'
! changed '' 's/^ROBOTRULES_0.1 /ROBOTRULES_0.2 /' "$library" || { echo 'passed by mistake: another symbol version' >&2; exit 1; }

# A library that lacks a function of the header.
echo 'void robotrules_text_free(void* text) { (void)text; }' > "$scratch/poor.c"
echo 'ROBOTRULES_0.1 { global: robotrules_*; local: *; };' > "$scratch/poor.map"
"$cc" -shared -fPIC -nostdlib -Wl,--version-script="$scratch/poor.map" "$scratch/poor.c" -o "$scratch/poor.so"
! changed '' '' "$scratch/poor.so" || { echo 'passed by mistake: a library without the functions' >&2; exit 1; }
grep -q 'has lost: robotrules_access_name@@ROBOTRULES_0.1' "$scratch/said" || { cat "$scratch/said"; exit 1; }
