#!/bin/sh
# check_symbols.sh ROOT LIST: which room may call which, by what the object files that LIST names (.../src/ROOM/...) define
# and need. Exit status 1, with the object and the symbol, for each call that points the wrong way. check.sh holds the same
# order for includes; a room may call more than it includes, as public headers declare functions of the rooms below.
set -eu
root=${1:?usage: check_symbols.sh ROOT LIST} list=${2:?usage: check_symbols.sh ROOT LIST}
[ -s "$list" ] || { echo "$list names no object file" >&2; exit 2; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# "OBJECT KIND SYMBOL" of every global symbol. Weak symbols are templates and inline functions, which any room may have.
while read -r object; do
  nm -g "$object" | awk -v object="$object" '{ print object, $(NF - 1), $NF }'
done < "$list" > "$scratch/symbols"
"$(dirname "$0")/rooms.sh" "$root" > "$scratch/rooms"

awk '
  step == "rooms" { split($1, first, " "); may[first[1]] = " " $2 " " $3 " "; next }
  # Of .../src/ROOM/name.o, and of a batch of sources of one folder: .../unity_ROOM-FOLDER-0_cxx.o.
  function room_of(object) {
    if (!sub(/^.*\/unity_/, "", object)) sub(/^.*\/src\//, "", object)
    sub(/[\/-].*/, "", object)
    return object
  }
  step == "homes" { if ($2 ~ /^[TDBR]$/) home[$3] = room_of($1); next }
  $2 == "U" && $3 in home {
    room = room_of($1)
    if (!(room in may)) { print $1 ": docs/architecture.md has no row for the room " room; bad = 1; next }
    ++calls
    if (home[$3] != room && index(may[room], " " home[$3] " ") == 0) {
      print $1 ": " room " may not call " home[$3] ": " $3
      bad = 1
    }
  }
  END { if (!bad) print calls " calls between object files point the right way"; exit bad }
' step=rooms FS=' [|] ' "$scratch/rooms" FS=' ' step=homes "$scratch/symbols" step=calls "$scratch/symbols" > "$scratch/result" && status=0 || status=1
if command -v c++filt > /dev/null; then c++filt < "$scratch/result"; else cat "$scratch/result"; fi
exit $status
