#!/bin/sh
# check_readme.sh PAGE BIN_DIR: runs every command of the ```console blocks of PAGE at the project's root, BIN_DIR first in
# the PATH, and compares what it prints (both streams) with what the page shows. "$ " begins a command; a line that ends
# with "\" goes on. "..." alone on a line stands for any lines to the end of the output.
set -u
page=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
PATH=$(cd "$2" && pwd):$PATH
export PATH
cd "$(dirname "$0")/.." || exit 2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

# One pair of files a command: NNN.sh and NNN.out.
awk -v dir="$scratch" '
  /^```console$/ { inside = 1; next }
  /^```/ { inside = 0; command = 0 }
  !inside { next }
  command && going_on { print > script; going_on = /\\$/; next }
  /^\$ / { close(script); close(out)
           script = sprintf("%s/%03d.sh", dir, ++n); out = sprintf("%s/%03d.out", dir, n)
           print substr($0, 3) > script; printf "" > out; command = 1; going_on = /\\$/; next }
  command { print > out }' "$page"

status=0 count=0
for script in "$scratch"/*.sh; do
  [ -f "$script" ] || break
  count=$((count + 1))
  expected=${script%.sh}.out
  sh "$script" > "$scratch/printed" 2>&1 </dev/null
  if [ "$(tail -n 1 "$expected")" = ... ]; then  # the beginning is enough
    lines=$(($(wc -l < "$expected") - 1))
    head -n "$lines" "$expected" > "$scratch/wanted"
    head -n "$lines" "$scratch/printed" > "$scratch/got"
  else
    cp "$expected" "$scratch/wanted"
    cp "$scratch/printed" "$scratch/got"
  fi
  if ! diff -u "$scratch/wanted" "$scratch/got" > "$scratch/diff"; then
    echo "$page shows something else than this prints:"
    cat "$script" "$scratch/diff"
    status=1
  fi
done
[ "$count" -gt 0 ] || { echo "$page has no command to run"; exit 1; }
[ $status = 0 ] && echo "$count commands print what $(basename "$page") shows"
exit $status
