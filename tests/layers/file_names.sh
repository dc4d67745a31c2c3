#!/bin/sh
# file_names.sh ROOT: no two sources, and no two headers, of src and cli have the same name. Exit status 1, with the names.
set -u
cd "${1:?usage: file_names.sh ROOT}" || exit 2
shared=$(find src cli -type f \( -name '*.cpp' -o -name '*.hpp' \) | sed 's|.*/||' | sort | uniq -d)
[ -n "$shared" ] || { echo "every source has its own name"; exit 0; }
for name in $shared; do find src cli -name "$name"; done
exit 1
