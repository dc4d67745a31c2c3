#!/bin/sh
# page_lengths_test.sh CHECKS SCRATCH: page_lengths.sh must pass pages of the greatest length, and fail on a page that is one
# line longer and on a page that is missing.
set -eu
check=$1/page_lengths.sh tree=$2/pages
rm -rf "$tree"
mkdir -p "$tree/docs"
write() { seq "$2" > "$tree/$1"; }  # PAGE, LINES
write README.md 250
write docs/architecture.md 300
write CHANGELOG.md 100
"$check" "$tree"

must_fail() {  # WHY
  if "$check" "$tree" 2> /dev/null; then echo "passed by mistake: $1" >&2; exit 1; fi
}
write README.md 251
must_fail 'a README of 251 lines'
write README.md 250
write docs/architecture.md 301
must_fail 'an overview of 301 lines'
write docs/architecture.md 300
write CHANGELOG.md 101
must_fail 'a changelog of 101 lines'
rm "$tree/CHANGELOG.md"
must_fail 'no changelog'
write CHANGELOG.md 100
"$check" "$tree"
rm -rf "$tree"
