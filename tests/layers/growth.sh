#!/bin/sh
# growth.sh ROOT: no room, file, function, class or list of headers is larger than its limit in growth_limits.txt. A commit
# that raises a limit says why. Exit status 1, with what is too large, and with the lines of functions and files that are
# not needed any more.
#
#   lines cli N        lines of the sources and headers in cli; those of a room are in the table of docs/architecture.md
#   headers N          headers in include/robotrules and its folders, but those in seams/ and those that only include others
#   members N          data members of a class or struct that has no line of its own
#   members CLASS N    data members of each class or struct of that name
#   function N         lines of a function that has no line of its own
#   function NAME N    lines of each function of that name
#   source N           lines of a source that has no line of its own
#   source FILE N      lines of that source
#   header N, header FILE N    the same of a header
set -u
root=${1:?usage: growth.sh ROOT}
tools=$(cd "$(dirname "$0")" && pwd)
cd "$root" || exit 2
limits=tests/layers/growth_limits.txt
[ -s "$limits" ] || { echo "$limits is missing" >&2; exit 2; }
rooms=$("$tools/rooms.sh" .) || exit 2

{
  for room in src/*/ cli/; do
    room=${room%/}
    find "$room" -type f \( -name '*.cpp' -o -name '*.hpp' -o -name '*.lua' -o -name '*.sql' \) -exec cat {} + |
      awk -v room="${room#src/}" 'END { print "lines", room, NR }'
  done
  find include/robotrules -name '*.hpp' ! -path '*/seams/*' ! -name all.hpp ! -name core.hpp | awk 'END { print "headers", NR }'
  find src cli include bindings/c -type f \( -name '*.hpp' -o -name '*.h' \) -exec awk '
    { ++lines[FILENAME] } END { for (file in lines) print "header", file, lines[file] }' {} +
  find src cli bindings/c bindings/python -type f \( -name '*.cpp' -o -name '*.lua' -o -name '*.sql' -o -name '*.py' \) \
    ! -path '*/test/*' -exec awk '
    { ++lines[FILENAME] } END { for (file in lines) print "source", file, lines[file] }' {} +
  find src cli include bindings/c -type f \( -name '*.cpp' -o -name '*.hpp' -o -name '*.h' \) \
    -exec awk -f "$tools/functions.awk" {} + || echo unreadable
  # clang-format has laid the sources out: a class begins in a line of its own, and a declaration ends with a semicolon at
  # the end of a line.
  find src cli include bindings/c -type f \( -name '*.cpp' -o -name '*.hpp' \) -exec awk '
    FNR == 1 { depth = top = 0 }
    {
      line = $0
      sub(/[ \t]*\/\/.*/, "", line)
      gsub(/"([^"\\]|\\.)*"/, "", line)
      open_parens = gsub(/\(/, "(", line); close_parens = gsub(/\)/, ")", line)
    }
    top > 0 && depth == at[top] && open_parens == close_parens && line ~ /[A-Za-z0-9_]+( = .*|\{.*\}|\[.*\])?;$/ &&
    line !~ /^ *(using|friend|static|typedef|template|enum|struct|class|return|public|private|protected|\})/ &&
    line !~ /\)( const| noexcept| override| final| &| &&)*( = (0|default|delete))?;$/ { ++members[top] }
    {
      opened = gsub(/\{/, "{", line); closed = gsub(/\}/, "}", line)
      depth += opened - closed
      if (line ~ /^ *(class|struct) .*\{$/) {
        sub(/^ *(class|struct) +(\[\[[a-z_]*\]\] +)?(alignas\([^)]*\) +)?(ROBOTRULES_[A-Z_]*API +)?/, "", line)
        sub(/[^A-Za-z0-9_:].*/, "", line)
        at[++top] = depth; members[top] = 0; name[top] = line
      }
      while (top > 0 && depth < at[top]) { if (members[top] > 0) print "members", name[top], members[top], FILENAME; --top }
    }' {} +
} | awk -v rooms="$rooms" '
  BEGIN { split("lines headers members function source header", kinds, " ")
          for (i in kinds) known[kinds[i]]
          count = split(rooms, row, "\n"); for (i = 1; i <= count; ++i) { split(row[i], part, " "); limit["lines " part[1]] = part[2] } }
  FNR == NR { if (/^#/ || NF == 0) next
              if (NF == 2) limit[$1] = $2; else limit[$1 " " $2] = $3
              next }
  $1 == "unreadable" { bad = 1; next }
  {
    key = $1 == "headers" ? $1 : $1 " " $2
    size = $1 == "headers" ? $2 : $3
    most = key in limit ? limit[key] : limit[$1]
    if ($1 in limit && size > limit[$1]) needed[key]
    ++checked
    ++found[$1]
    if (most == "") { print "there is no limit for " key; bad = 1 }
    else if (size > most) {
      print key ($4 == "" ? "" : " (" $4 ")") ": " size ", and its limit is " most
      bad = 1
    }
  }
  END {
    for (key in limit) {
      if (key ~ /^(function|source|header) / && !(key in needed)) { print key " needs no line of its own"; bad = 1 }
    }
    for (kind in known) if (!found[kind]) { print "there is nothing to measure: " kind; bad = 1 }
    if (!bad) print checked " sizes are within their limits"
    exit bad
  }' "$limits" -
