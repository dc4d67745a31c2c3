#!/bin/bash
# lint.sh: lints what files.sh prints, as annotations of GitHub, with COMMAND and the words of ARGS.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/shown.sh"
files=$(mktemp)
messages=$(mktemp)
trap 'rm -f "$files" "$messages"' EXIT
"$here/files.sh" > "$files"
mapfile -d '' -t names < "$files"
if [ ${#names[@]} -eq 0 ]; then
  echo "robotrules: no robots.txt to look at"
  exit 0
fi
listed=
for name in "${names[@]:0:100}"; do listed+=" $(shown "$name")"; done
echo "robotrules: ${#names[@]} file(s):$listed$([ ${#names[@]} -le 100 ] || echo " ...")"
read -r -a words <<< "${ARGS:-}"
status=0
# A list of arguments has a limit.
for ((from = 0; from < ${#names[@]}; from += 200)); do
  part=("${names[@]:from:200}")
  # "-" would be standard input.
  for i in "${!part[@]}"; do [ "${part[i]}" != - ] || part[i]=./-; done
  ended=0
  "${COMMAND:-robotrules}" lint --format github "${words[@]}" -- "${part[@]}" 2> "$messages" || ended=$?
  without_commands < "$messages" >&2
  [ "$ended" -le "$status" ] || status=$ended
done
exit "$status"
