#!/bin/sh
# format.sh [--check]: lays out every C and C++ file of the project, or says which are not.
set -eu
cd "$(dirname "$0")/.."
case ${1:-} in
  --check) mode='--dry-run --Werror' ;;
  '') mode=-i ;;
  *) echo "usage: $0 [--check]" >&2; exit 2 ;;
esac
find include src bindings cli tests bench fuzz examples -type f \( -name '*.hpp' -o -name '*.cpp' -o -name '*.h' -o -name '*.c' \) \
  -print0 |
  xargs -0 "${CLANG_FORMAT:-clang-format-19}" $mode
