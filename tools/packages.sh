#!/bin/sh
# packages.sh GROUP...: installs what is missing of these groups of packages.txt.
# Says what it will install before it does, never removes a package, and is quick when nothing is missing.
set -eu

list=$(dirname "$0")/../packages.txt
wanted=
for group in "$@"; do
  wanted="$wanted $(awk -v group="$group" '$1 !~ /^#/ && $2 == group { print $1 }' "$list")"
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "This is not Debian: please install what these packages hold:" $wanted >&2
  exit 0
fi

# Unquoted on purpose: one word a package.
installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' $wanted 2>/dev/null | sed -n 's/^installed //p') || true
missing=
for package in $wanted; do
  printf '%s\n' "$installed" | grep -qxF -e "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

root=
if [ "$(id -u)" != 0 ]; then
  root=sudo
  if ! command -v sudo >/dev/null; then
    echo "These Debian packages are missing and there is no sudo; as root, run: apt-get install$missing" >&2
    exit 1
  fi
fi

echo "Debian packages to install:$missing"
install() {
  $root env DEBIAN_FRONTEND=noninteractive \
    apt-get install --no-remove --no-install-recommends -y -q $missing </dev/null
}
update() { $root apt-get update -q </dev/null; }

# A fresh container has no package lists; old lists name files that are gone.
if ! ls /var/lib/apt/lists/*_Packages* >/dev/null 2>&1; then update; fi
install || { update && install; }
