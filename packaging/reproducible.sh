#!/bin/bash
# reproducible.sh [FIRST]: builds the Debian packages twice and compares them byte for byte: in two folders whose names differ
# in length, with another umask, time zone and language. Both builds compile everything, without ccache.
# FIRST is a folder of packages that are built already, such as build/packages, which then are the first build. If ccache
# helped to build them, their objects are those of an earlier compiler run.
#   OUT   keeps results and logs (default: build/reproducible)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${OUT:-$here/../build/reproducible}
mkdir -p "$out"
out=$(cd "$out" && pwd)
export CCACHE_DISABLE=1 NO_LINTIAN=1

once() {  # NAME WORK
  local status=0
  SECONDS=0
  rm -rf "${out:?}/$1" "$2"
  DEB_WORK=$2 "$here/deb.sh" "$out/$1" > "$out/$1.log" 2>&1 || status=$?
  if [ $status -ne 0 ]; then
    tail -n 20 "$out/$1.log"
    echo "The build in $2 ended with status $status; its log is $out/$1.log"
    exit $status
  fi
  echo "build in $2 without ccache: $SECONDS s"
  rm -rf "$2"
}
if [ $# -gt 0 ]; then
  first=$(cd "$1" && pwd)
  echo "first build: the packages in $first"
else
  first=$out/first
  (umask 022; export TZ=UTC LC_ALL=C.UTF-8; once first "$out/a")
fi
(umask 077; export TZ=Pacific/Auckland LC_ALL=C; once second "$out/another/folder/with/a/longer/name")

(cd "$first" && sha256sum ./*.deb) > "$out/first.sha256"
(cd "$out/second" && sha256sum ./*.deb) > "$out/second.sha256"
cat "$out/first.sha256"
if ! diff "$out/first.sha256" "$out/second.sha256"; then
  echo "FAILED: the packages differ. diffoscope shows where, in $first and $out/second"
  exit 1
fi
echo "$(wc -l < "$out/first.sha256") packages are the same in both builds."
