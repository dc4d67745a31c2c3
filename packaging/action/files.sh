#!/bin/bash
# files.sh: prints the files that the action looks at, each ended by a NUL: FILES (patterns of git, one a line) where a push
# or a pull request changed them; all that match if there is no commit to compare with, or with ALL=true.
#   BASE   the commit before the change (empty or zeros: none)
set -euo pipefail
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
    { echo "The commit $base cannot be fetched, so all files are looked at" >&2; base=; }
fi
if [ -n "$base" ]; then
  git diff --name-only --diff-filter=d -z "$base" HEAD -- "${pathspecs[@]}"
else
  git ls-files -z -- "${pathspecs[@]}"
fi
