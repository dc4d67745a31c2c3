#!/bin/bash
# reproducible.sh [FOLDER]: builds the Debian packages twice and compares them: in two folders whose names differ in length,
# with another umask, time zone, language and number of jobs. Everything is compiled both times, without ccache.
# FOLDER (default: build/reproducible) keeps both results.
#   CCACHE=1   let ccache help: quicker, but then the comparison says nothing about the compiler
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$here/../build/reproducible}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
[ -n "${CCACHE:-}" ] || export CCACHE_DISABLE=1

once() {  # NAME WORK
  SECONDS=0
  rm -rf "${folder:?}/$1"
  DEB_WORK=$2 "$here/deb.sh" "$folder/$1" > "$folder/$1.log" 2>&1 ||
    { tail -n 20 "$folder/$1.log"; echo "FAILED: build $1; its log is $folder/$1.log"; exit 1; }
  echo "build $1 in $2: $SECONDS s"
  rm -rf "$2"
}
(umask 022; TZ=UTC LC_ALL=C.UTF-8 once first "$folder/a")
(umask 077; TZ=Pacific/Auckland LC_ALL=C CMAKE_BUILD_PARALLEL_LEVEL=1 once second "$folder/another/folder/with/a/longer/name")

(cd "$folder/first" && sha256sum ./*.deb) > "$folder/first.sha256"
(cd "$folder/second" && sha256sum ./*.deb) > "$folder/second.sha256"
cat "$folder/first.sha256"
if ! diff "$folder/first.sha256" "$folder/second.sha256"; then
  echo "FAILED: the packages differ; diffoscope shows where, in $folder/first and $folder/second"
  exit 1
fi
echo "$(wc -l < "$folder/first.sha256") packages are the same in both builds$([ -z "${CCACHE:-}" ] && echo ', all compiled twice' || echo ', with ccache')."
