#!/bin/sh
# check_symbols.sh LIST: which room may call which, by what the object files that LIST names (.../src/ROOM/...) define and need.
# Exit status 1, with the object and the symbol, for each call that points the wrong way. check.sh holds the same order for
# includes; a room may call more than it includes, as public headers declare functions of the rooms below.
set -eu
list=${1:?usage: check_symbols.sh LIST}
[ -s "$list" ] || { echo "$list names no object file" >&2; exit 2; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# "OBJECT KIND SYMBOL" of every global symbol. Weak symbols are templates and inline functions, which any room may have.
while read -r object; do
  nm -g "$object" | awk -v object="$object" '{ print object, $(NF - 1), $NF }'
done < "$list" > "$scratch/symbols"

awk '
  BEGIN {
    may["base"] = " "
    may["core"] = " base "
    may["advice"] = " core base "
    may["suffix"] = " base "
    may["codec"] = " base "
    may["fields"] = " base "
    may["answer"] = " codec fields core base "
    may["store"] = " answer suffix core base "
    may["http"] = " codec fields suffix core base "
    may["page"] = " http fields core base "
    may["sitemap"] = " http fields codec core base "
    may["robot"] = " sitemap page http store answer fields suffix core base "
    may["archive"] = " http codec store answer fields core base "
    may["crawl"] = " archive robot page sitemap http fields codec store answer core base "
    may["compat"] = " robot page http store answer fields core base "
  }
  # Of .../src/ROOM/name.o, and of a batch of sources of one folder: .../unity_ROOM-FOLDER-0_cxx.o.
  function room_of(object) {
    if (!sub(/^.*\/unity_/, "", object)) sub(/^.*\/src\//, "", object)
    sub(/[\/-].*/, "", object)
    return object
  }
  FNR == NR { if ($2 ~ /^[TDBR]$/) home[$3] = room_of($1); next }
  $2 == "U" && $3 in home {
    room = room_of($1)
    if (!(room in may)) { print $1 ": there is no rule for src/" room; bad = 1; next }
    ++calls
    if (home[$3] != room && index(may[room], " " home[$3] " ") == 0) {
      print $1 ": " room " may not call " home[$3] ": " $3
      bad = 1
    }
  }
  END { if (!bad) print calls " calls between object files point the right way"; exit bad }
' "$scratch/symbols" "$scratch/symbols" > "$scratch/result" && status=0 || status=1
if command -v c++filt > /dev/null; then c++filt < "$scratch/result"; else cat "$scratch/result"; fi
exit $status
