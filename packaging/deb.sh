#!/bin/sh
# deb.sh OUT: builds the Debian packages of this tree and puts them into the folder OUT (make deb: build/packages).
#   DEB_WORK             where to build (default: OUT/.deb)
#   DEB_BUILD_OPTIONS, DEB_BUILD_PROFILES   as Debian's tools know them: parallel=N, nocheck; pkg.robotrules.nopage
#   NO_LINTIAN=1         do not check the packages with lintian
#   CCACHE_DISABLE=1     compile everything (ccache is used if it is installed)
# Without what debian/control asks for, it says what is missing and ends with status 77.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -eq 1 ] || { echo "deb.sh: name the folder for the packages, such as build/packages" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
work=${DEB_WORK:-$out/.deb}

missing=
for tool in dpkg-buildpackage dh; do command -v $tool >/dev/null || missing="$missing $tool"; done
if [ -n "$missing" ]; then
  echo "The Debian packages are not built. Missing:$missing. Install the group packages: tools/packages.sh packages" >&2
  exit 77
fi

# debhelper gives the build an empty home folder, where ccache would find nothing.
if command -v ccache >/dev/null; then
  CCACHE_DIR=${CCACHE_DIR:-$(ccache --get-config cache_dir)}
  export CCACHE_DIR
fi
tree=$("$here/export.sh" "$work")
cd "$tree"
if ! dpkg-checkbuilddeps 2> "$work/missing"; then
  sed 's/^dpkg-checkbuilddeps: error: /The Debian packages are not built. /' "$work/missing" >&2
  exit 77
fi
rm -f "$work"/*.deb "$work"/*.ddeb "$work"/*.buildinfo "$work"/*.changes
dpkg-buildpackage --build=binary --no-sign --jobs="${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}"
rm -f "$out"/*.deb "$out"/*.buildinfo "$out"/*.changes
mv "$work"/*.deb "$work"/*.buildinfo "$work"/*.changes "$out/"
cd "$out"
if [ -z "${NO_LINTIAN:-}" ] && command -v lintian >/dev/null; then lintian --fail-on error,warning ./*.changes; fi
ls -1 ./*.deb
