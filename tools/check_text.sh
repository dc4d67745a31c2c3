#!/bin/sh
# check_text.sh [ROOT]: the small things no compiler minds. Exit status 1 and FILE:LINE where one is found.
#   no tab (but in a Makefile or a page), no space at the end of a line, no CR, a newline at the end of each file,
#   no source of more than 600 lines
# Data keeps its bytes: corpora, demo files, conformance cases and expected outputs are left alone.
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2

find . \( -name build -o -name .git -o -path ./fuzz/corpus -o -path ./fuzz/found -o -path ./demo/sites \
          -o -path ./tests/conformance -o -path ./tests/data \) -prune -o -type f \
     \( -name '*.hpp' -o -name '*.cpp' -o -name '*.h' -o -name '*.c' -o -name '*.txt' -o -name '*.cmake' -o -name '*.md' -o -name '*.sh' \
        -o -name '*.py' -o -name '*.json' -o -name '*.in' -o -name Makefile \) -print0 | sort -z | {
  status=0
  # A file without its last newline shows as two records joined; awk cannot see that, tail can.
  LC_ALL=C xargs -0 awk '
    function complain(what) { print FILENAME ":" FNR ": " what; bad = 1 }
    /[ \t]$/ { complain("space at the end of the line") }
    /\r/ { complain("carriage return") }
    /\t/ && FILENAME !~ /(Makefile|\.md)$/ { complain("tab") }
    FNR == 601 && FILENAME ~ /\.[ch]pp$|\.c$/ { complain("more than 600 lines: split the file") }
    END { exit bad }' || status=1
  exit $status
} || exit 1

find include src bindings cli tests bench fuzz examples docs tools cmake -type f \( -name '*.hpp' -o -name '*.cpp' -o -name '*.md' \
     -o -name '*.h' -o -name '*.c' -o -name '*.cmake' -o -name '*.sh' -o -name CMakeLists.txt \) -size +0 -exec sh -c '
  for file; do [ -z "$(tail -c 1 "$file")" ] || { echo "$file: no newline at the end of the file"; exit 1; }; done' sh {} +
