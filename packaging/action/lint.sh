#!/bin/bash
# lint.sh: lints what files.sh prints, as annotations of GitHub, with COMMAND and the words of ARGS.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
files=$(mktemp)
trap 'rm -f "$files"' EXIT
"$here/files.sh" > "$files"
mapfile -d '' -t names < "$files"
if [ ${#names[@]} -eq 0 ]; then
  echo "robotrules: no robots.txt to look at"
  exit 0
fi
echo "robotrules: ${#names[@]} file(s): ${names[*]}"
read -r -a words <<< "${ARGS:-}"
"${COMMAND:-robotrules}" lint --format github "${words[@]}" -- "${names[@]}"
