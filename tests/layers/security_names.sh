#!/bin/sh
# security_names.sh ROOT: each test that docs/security.md names exists.
set -eu
cd "$1"
status=0
for name in $(grep -o '`[A-Z][A-Za-z0-9]*\.[A-Z][A-Za-z0-9]*`' docs/security.md | tr -d '`' | sort -u); do
  grep -rqE "TEST(_F|_P)?\(${name%.*}, ${name#*.}\)" tests || { echo "docs/security.md: there is no test $name" >&2; status=1; }
done
for name in $(grep -o 'fuzz `[a-z_`, ]*`' docs/security.md | sed 's/fuzz//' | tr -d '`,' | sort -u); do
  [ -f "fuzz/${name}_fuzz.cpp" ] || { echo "docs/security.md: there is no harness $name" >&2; status=1; }
done
exit $status
