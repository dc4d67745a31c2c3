#!/bin/sh
# uninstall.sh MANIFEST [DESTDIR]: removes the files that `cmake --install` listed, and the folders that are empty then.
set -eu
manifest=$1
root=${2:-}
if [ ! -f "$manifest" ]; then
  echo "uninstall: $manifest is missing: run make install with the same PREFIX first" >&2
  exit 1
fi
count=0
while IFS= read -r file || [ -n "$file" ]; do
  if [ -e "$root$file" ] || [ -L "$root$file" ]; then
    rm -f -- "$root$file"
    count=$((count + 1))
  fi
  folder=$(dirname -- "$root$file")
  case $folder in
    */robotrules | */robotrules/*) rmdir -p --ignore-fail-on-non-empty -- "$folder" 2>/dev/null || true ;;
  esac
done < "$manifest"
echo "uninstall: $count files removed"
