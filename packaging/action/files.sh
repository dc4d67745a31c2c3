#!/bin/bash
# files.sh: prints the files that the action looks at, each ended by a NUL: FILES (patterns of git, one a line) where a push
# or a pull request changed them; all that match if there is no commit to compare with, or with ALL=true. Only regular files
# of the commit: a symbolic link could lead to a file of the runner, whose lines the findings would quote.
#   BASE   the commit before the change (empty or zeros: none)
set -euo pipefail
. "$(dirname "$0")/shown.sh"
mapfile -t patterns <<< "${FILES:-robots.txt}"
pathspecs=()
for pattern in "${patterns[@]}"; do
  [ -z "$pattern" ] || pathspecs+=(":(glob)**/$pattern")
done
base=${BASE:-}
if [[ $base =~ ^0*$ ]] || [ "${ALL:-}" = true ]; then
  base=
elif ! git cat-file -e "$base^{commit}" 2>/dev/null; then
  # A checkout has one commit; the other one comes from the server.
  git fetch --quiet --no-tags --depth=1 origin "$base" 2>/dev/null ||
    { echo "The commit $(shown "$base") cannot be fetched, so all files are looked at" >&2; base=; }
fi

# Returns true if the path or a folder on the way to it is a symbolic link.
is_behind_link() {
  local path=$1
  while [ -n "$path" ]; do
    [ ! -L "$path" ] || return 0
    [[ $path == */* ]] || return 1
    path=${path%/*}
  done
}

# $1: the mode in the commit. The file on the disk may be another one, as where a file system ignores case.
print_file() {
  if [[ $1 == 100* ]] && [ -f "$2" ] && ! is_behind_link "$2"; then
    printf '%s\0' "$2"
  else
    echo "$(shown "$2") is left out, because it is not a regular file" >&2
  fi
}

if [ -n "$base" ]; then
  # ":MODE MODE ID ID STATUS", NUL, path, NUL
  git diff --raw --no-renames --diff-filter=d -z "$base" HEAD -- "${pathspecs[@]}" |
    while IFS= read -r -d '' facts && IFS= read -r -d '' path; do
      read -r _ mode _ <<< "$facts"
      print_file "$mode" "$path"
    done
else
  # "MODE ID STAGE", tab, path, NUL
  git ls-files --stage -z -- "${pathspecs[@]}" |
    while IFS= read -r -d '' line; do print_file "${line%% *}" "${line#*$'\t'}"; done
fi
