#!/bin/sh
# file_names.sh ROOT: no two sources, and no two headers, of src and cli have the same name; and each folder with tests is in
# a list of sources, so that no test is left out of the build. Exit status 1, with the names.
set -u
cd "${1:?usage: file_names.sh ROOT}" || exit 2
status=0
for name in $(find src cli -type f \( -name '*.cpp' -o -name '*.hpp' \) | sed 's|.*/||' | sort | uniq -d); do
  find src cli -name "$name"
  status=1
done
for folder in $(find tests -name '*_test.cpp' | sed 's|/[^/]*$||' | sort -u); do
  below=${folder#tests/}
  case $below in advice/* | cli/*) below=${below%%/*}/'*' ;; esac  # which the build looks through
  grep -qF -e "$below/" tests/CMakeLists.txt && continue
  grep -q '\.cpp' "$folder/CMakeLists.txt" 2>/dev/null && continue
  echo "tests/CMakeLists.txt has no line for the tests in $folder"
  status=1
done
[ "$status" != 0 ] || echo "every source has its own name, and every test is built"
exit "$status"
