#!/bin/sh
# check_exports.sh ROOT objects LIST: the marks in the headers of ROOT fit the object files that LIST names.
# check_exports.sh ROOT libraries FILE...: the shared libraries export nothing that has no mark.
# Exit status 1, with FILE:LINE or the symbol, if
#   - a function or a class of include/ has its code in a library, but no ROBOTRULES_API;
#   - a library or the command needs an internal symbol of another library that has no ROBOTRULES_INTERNAL_API;
#   - a library exports a symbol of the namespace robotrules that neither mark covers.
# Symbols are compared by name: the overloads of a function count as one.
set -eu
usage="usage: check_exports.sh ROOT objects LIST | ROOT libraries FILE..."
root=${1:?$usage} kind=${2:?$usage} list=${3:?$usage}
shift 2  # the files of `libraries` are left
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# What the headers say, one fact a line:
#   marked NAME     a class or a function with the mark of its folder
#   plain NAME      a class of include/ without it
#   hidden NAME     a class in a class of include/ that the header only declares
#   wrong MESSAGE
# clang-format has laid the headers out: namespaces, their functions and classes begin in the first column.
cat > "$scratch/facts.awk" <<'END'
FNR == 1 {
  public = FILENAME ~ /^include\//
  mark = public ? "ROBOTRULES_API" : "ROBOTRULES_INTERNAL_API"
  space = class = text = open = ""
}
/^#/ { next }
/^}  \/\/ namespace/ || (/^}$/ && open == "namespace") { space = around[space]; open = ""; next }
{ sub(/ *\/\/.*/, ""); sub(/^\[\[[a-z]+\]\] /, "") }
!public && /ROBOTRULES_API/ { print "wrong " FILENAME ":" FNR ": only include/ may use ROBOTRULES_API" }
/^namespace / {
  inner = space (space == "" ? "" : "::") $2
  around[inner] = space
  space = inner
  open = "namespace"
  next
}
/^[^ ].*[{]$/ { open = "body" }
/^(class|struct) .*\{$/ {
  has_mark = $2 == mark
  class = space "::" $(has_mark ? 3 : 2)
  if (has_mark) print "marked " class
  else if (public) print "plain " class
  next
}
/^};/ { class = "" }
public && class != "" && /^  (class|struct) [A-Za-z]+;/ { print "hidden " class "::" substr($2, 1, length($2) - 1) }
text == "" && /^[A-Za-z].*\(/ && !/^(inline|constexpr|using|friend) / && !after_template { text = " "; line = FNR }
text != "" {
  text = text " " $0
  if (/;$/) {
    name = text
    sub(/\(.*/, "", name)
    sub(/.*[ &*]/, "", name)
    if (index(text, "  " mark " ") == 1) print "marked " space "::" name
    else if (public) print "wrong " FILENAME ":" line ": " name "() has no " mark
  }
  if (/[;{]$/) text = ""
}
{ after_template = /^template/ }
END
(cd "$root" &&
  find include src -name '*.hpp' ! -path src/base/visibility.hpp \
    -exec awk -f "$scratch/facts.awk" {} +) > "$scratch/facts"
grep -q '^marked ' "$scratch/facts" || { echo "the headers of $root have no marks" >&2; exit 2; }

# "LIBRARY KIND SYMBOL" of each symbol. An object file tells its library by its folder, .../robotrules_core.dir/...
case $kind in
  objects)
    [ -s "$list" ] || { echo "$list names no object file" >&2; exit 2; }
    tr '\n' '\0' < "$list" | xargs -0 nm -gA |
      # The parts of the C ABI, c_core and so on, are one library.
      awk '{ sub(/\.dir\/.*/, "", $1); sub(/.*\/robotrules_/, "", $1); sub(/^c_.*/, "c", $1)
             print $1, $(NF - 1), $NF }' ;;
  libraries)
    for library; do
      nm -D --defined-only "$library" | awk -v library="${library##*/}" '{ print library, $(NF - 1), $NF }'
    done ;;
  *) echo "$usage" >&2; exit 2 ;;
esac > "$scratch/symbols"

cat > "$scratch/check.awk" <<'END'
# The names of namespaces, classes and the function in a symbol, joined: "robotrules::Rules::check". Empty if the symbol
# does not belong to the namespace robotrules. Sets `first`, the number of the first of them that is in `set`, or 0.
function find(symbol, set,    rest, length_of, name, count) {
  rest = symbol
  first = 0
  name = ""
  if (!sub(/^_ZZ?(T[VITS]|GV)?N[KVRO]*/, "", rest) || rest !~ /^10robotrules[0-9]/) return ""
  while (match(rest, /^[0-9]+/)) {
    length_of = substr(rest, 1, RLENGTH) + 0
    name = name (name == "" ? "" : "::") substr(rest, RLENGTH + 1, length_of)
    rest = substr(rest, RLENGTH + 1 + length_of)
    ++count
    if (first == 0 && name in set) first = count
  }
  return name
}
function has_mark(symbol) {
  find(symbol, hidden)
  if (first > 0) return 0
  find(symbol, marked)
  return first > 0
}
function complain(message) { print message; bad = 1 }

NR == FNR {
  if ($1 == "marked") marked[$2]
  else if ($1 == "hidden") hidden[$2]
  else if ($1 == "plain") plain[$2]
  else { sub(/^wrong /, ""); complain($0) }
  next
}
kind == "libraries" && find($3, marked) != "" {
  ++count
  if (!has_mark($3)) complain($1 " exports what has no mark: " $3)
}
kind == "objects" && $2 ~ /^[TDBR]$/ { home[$3] = $1 }
kind == "objects" && ($2 ~ /^[TDBR]$/ || $3 ~ /^_ZTV/) && !($3 in seen) {
  seen[$3]
  if (find($3, plain) != "" && first > 0) complain("a class of include/ has code in " $1 " and no ROBOTRULES_API: " $3)
}
kind == "objects" && $2 == "U" { needed[$1 " " $3] }
END {
  for (pair in needed) {
    split(pair, part, " ")
    if (!(part[2] in home) || home[part[2]] == part[1]) continue
    ++count
    if (!has_mark(part[2])) complain(part[1] " needs what has no mark in " home[part[2]] ": " part[2])
  }
  if (count == 0) complain("there is nothing to compare: no symbol of robotrules")
  if (!bad) print count (kind == "objects" ? " symbols that cross libraries" : " exported symbols") " have a mark"
  exit bad
}
END
awk -v kind="$kind" -f "$scratch/check.awk" "$scratch/facts" "$scratch/symbols" > "$scratch/result" && status=0 || status=1
if command -v c++filt > /dev/null; then c++filt < "$scratch/result"; else cat "$scratch/result"; fi
exit $status
