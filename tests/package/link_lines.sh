#!/bin/sh
# link_lines.sh PREFIX PAGE SERVERS: docs/api.md gives each library the options that its .pc file gives. SERVERS: the
# stores on servers that are built, "redis;postgres".
set -eu
prefix=$1 page=$2 servers=$3
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name robotrules-core.pc)")
export PKG_CONFIG_PATH

# row NAME: the options in the table's row that begins with NAME.
row() {
  awk -v name="| $1 |" 'index($0, name) == 1 { found = 1; print } END { exit !found }' "$page" | grep -oE -- '-[a-z]+[a-z0-9]*' ||
    { echo "$page has no row \"$1\" with options" >&2; exit 1; }
}

status=0
documented=
for part in core advice store agent crawl; do
  [ -f "$PKG_CONFIG_PATH/robotrules-$part.pc" ] || continue
  case $part in core | advice) ;; *) documented="$documented $(row "\`robotrules::$part\`")" ;; esac  # those two need none
  if [ $part = store ]; then
    case $servers in *redis*) documented="$documented $(row 'the same with stores on Redis')" ;; esac
    case $servers in *postgres*) documented="$documented $(row 'the same with stores in PostgreSQL')" ;; esac
  fi
  wanted=$(pkg-config --libs "robotrules-$part" | tr ' ' '\n' | grep -E '^-(l|pthread)' | grep -v '^-lrobotrules' | sort -u || true)
  given=$(printf '%s\n' $documented | sort -u)
  [ "$given" = "$wanted" ] && continue
  echo "robotrules::$part: $page gives" $given ", and pkg-config" $wanted >&2
  status=1
done
exit $status
