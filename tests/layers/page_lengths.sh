#!/bin/sh
# page_lengths.sh ROOT: the pages that everybody reads stay short. Details go to the other pages of docs. Raise a limit only
# in a commit that says why.
set -u
cd "${1:?usage: page_lengths.sh ROOT}" || exit 2
status=0
while read -r page limit; do
  lines=$(wc -l < "$page") || { status=1; continue; }
  [ "$lines" -le "$limit" ] || { echo "$page has $lines lines, and may have $limit: move details to docs" >&2; status=1; }
done <<END
README.md 250
docs/architecture.md 300
CHANGELOG.md 100
END
exit $status
