#!/bin/sh
# versions.sh SOURCE VERSION: debian/changelog and the Perl package have the project's version, and debian/librobotrules0.symbols lists the symbols
# of the version script, each with the Debian version that added it.
set -eu
source=$1 version=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

in_changelog=$(sed -n '1s/^robotrules (\([^)]*\)) .*/\1/p' "$source/debian/changelog")
[ "$in_changelog" = "$version" ] ||
  { echo "debian/changelog begins with version '$in_changelog', the project has '$version': add an entry" >&2; exit 1; }
grep -qF "our \$VERSION = '$version';" "$source/bindings/perl/lib/Robotrules.pm" ||
  { echo "bindings/perl/lib/Robotrules.pm has another \$VERSION than $version" >&2; exit 1; }

awk '/^ROBOTRULES_[0-9.]+ \{/ { node = $1; print node "@" node }
     /^ +robotrules_[a-z_]+;/ { sub(/^ +/, ""); sub(/;.*/, ""); print $0 "@" node }' "$source/bindings/c/robotrules.map" |
  sort > "$scratch/mapped"
[ "$(wc -l < "$scratch/mapped")" -gt 100 ]
sed -n 's/^ \([^ ]*\) [0-9.]*$/\1/p' "$source/debian/librobotrules0.symbols" | sort > "$scratch/listed"
diff "$scratch/mapped" "$scratch/listed" ||
  { echo "debian/librobotrules0.symbols lists other symbols (>) than bindings/c/robotrules.map (<)" >&2; exit 1; }
