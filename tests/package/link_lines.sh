#!/bin/sh
# link_lines.sh PREFIX PAGE COMPONENTS: docs/api.md gives each library the options that its .pc file gives. COMPONENTS:
# the libraries that there may be, "core;advice;...".
set -eu
prefix=$1 page=$2 components=$(printf %s "$3" | tr ';' ' ')
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name robotrules-core.pc)")
export PKG_CONFIG_PATH

# options_of PART: the options in the table's row of this library, with those of the libraries that the row names.
options_of() {
  [ -f "$PKG_CONFIG_PATH/robotrules-$1.pc" ] || return 0  # one that is not built
  set -- "$(awk -v name="| \`robotrules::$1\` |" 'index($0, name) == 1 { found = 1; sub(/^[^|]*\|[^|]*\|/, ""); print }
                                                    END { exit !found }' "$page")" "$1"
  [ -n "$1" ] || { echo "$page has no row of robotrules::$2" >&2; exit 1; }
  printf '%s\n' "$1" | grep -oE -- ' `?-[a-z]+[a-z0-9]*' | tr -d ' `' || true
  for other in $(printf '%s\n' "$1" | grep -oE '`[a-z]+`' | tr -d '`'); do options_of "$other"; done
}

status=0
compared=0
for part in $components; do
  [ -f "$PKG_CONFIG_PATH/robotrules-$part.pc" ] || continue
  case $part in core | advice) given='' ;; *) given=$(options_of "$part" | sort -u) ;; esac  # those two need none
  wanted=$(pkg-config --libs "robotrules-$part" | tr ' ' '\n' | grep -E '^-(l|pthread)' | grep -v '^-lrobotrules' | sort -u || true)
  compared=$((compared + 1))
  [ "$given" = "$wanted" ] && continue
  echo "robotrules::$part: $page gives" $given ", and pkg-config" $wanted >&2
  status=1
done
[ "$compared" -gt 1 ] || { echo "no .pc file is there" >&2; exit 1; }
exit $status
