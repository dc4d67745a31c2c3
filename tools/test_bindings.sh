#!/bin/sh
# test_bindings.sh: builds the bindings and the page, and runs their tests (make test-bindings). A part that ends with
# status 77 lacks something on this machine: the last line that it printed says what, and stands at the end. Exit status: 1
# if a part failed.
set -u
cd "$(dirname "$0")/.." || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
failed=
: > "$scratch/skipped"

# part NAME COMMAND...: runs a part and shows what it prints.
part() {
  name=$1
  shift
  echo "== $name"
  { "$@" 2>&1; echo $? > "$scratch/status"; } | tee "$scratch/output"
  case $(cat "$scratch/status") in
    0) ;;
    77) echo "  $name: $(tail -1 "$scratch/output")" >> "$scratch/skipped" ;;
    *) failed="$failed $name" ;;
  esac
}

part JavaScript tests/bindings/js/run.sh . build/js
part Python tests/bindings/python/wheel.sh . build/python-wheel
part "modules of the page" web/tests/modules.sh
part page web/tests/run.sh build/js build/web

if [ -s "$scratch/skipped" ]; then
  echo "Skipped, and why:"
  cat "$scratch/skipped"
fi
if [ -n "$failed" ]; then
  echo "Failed:$failed"
  exit 1
fi
