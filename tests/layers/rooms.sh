#!/bin/sh
# rooms.sh ROOT: the table of rooms in docs/architecture.md, one room a line:
#   ROOM LINES | the rooms whose private headers it may include | the other rooms that it may call
# LINES: the most lines that its sources may have. Exit status 2 if the table cannot be read.
set -eu
awk -F ' *[|] *' '
  /^\| room \|/ { inside = 1; next }
  !inside { next }
  !/^\|/ { exit }
  $2 !~ /^[a-z]+$/ { next }  # the line below the head, and the rooms in a room
  {
    for (i = 4; i <= 5; ++i) { gsub(/,/, "", $i); sub(/^–$/, "", $i) }
    print $2, $6 " | " $4 " | " $5
    ++rooms
  }
  END { if (rooms < 2) { print "docs/architecture.md has no table of rooms" > "/dev/stderr"; exit 2 } }
' "$1/docs/architecture.md"
