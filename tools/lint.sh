#!/bin/sh
# lint.sh [all]: clang-tidy on the sources that differ from the merge base with main, and on those that include a header
# that differs; `all`: on every source. On main itself the base is origin/main. LINT_BASE names another commit.
set -eu
cd "$(dirname "$0")/.."
case ${1:-} in
  '' | all) which=${1:-changed} ;;
  *) echo "usage: $0 [all]" >&2; exit 2 ;;
esac
cmake --preset tidy > /dev/null
if [ "$which" = all ]; then exec cmake --build --preset tidy; fi

base=${LINT_BASE:-}
if [ -z "$base" ]; then
  branch=main
  if [ "$(git rev-parse --abbrev-ref HEAD)" = main ]; then branch=origin/main; fi
  base=$(git merge-base HEAD "$branch") ||
    { echo "No merge base with $branch: name a commit in LINT_BASE, or lint all." >&2; exit 2; }
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
{ git diff --name-only --diff-filter=d "$base"; git ls-files --others --exclude-standard; } > "$scratch/changed"
# Lines "FILE:#include <NAME>"; NAME is a path below some folder of the tree.
git grep --untracked -HE '^#include ["<].*\.(hpp|h|inc)[">]' -- '*.cpp' '*.hpp' '*.h' > "$scratch/includes"
sed -n 's/^ *"file": "\(.*\)",*$/\1/p' build/tidy/compile_commands.json | sed "s|^$PWD/||" | sort -u > "$scratch/compiled"

awk -v scratch="$scratch" '
  FILENAME == scratch "/changed" { affected[$0] = 1; next }
  FILENAME == scratch "/includes" {
    file = $0; sub(/:#include.*/, "", file)
    name = $0; sub(/.*:#include ["<]/, "", name); sub(/[">].*/, "", name)
    includer[++count] = file; included[count] = name
    next
  }
  FNR == 1 {  # the closure: whoever includes an affected header is affected
    do {
      grown = 0
      for (file in affected) {
        rest = file
        tails[rest] = 1
        while (sub(/^[^\/]*\//, "", rest)) tails[rest] = 1
      }
      for (i = 1; i <= count; ++i)
        if (included[i] in tails && !(includer[i] in affected)) affected[includer[i]] = grown = 1
    } while (grown)
  }
  $0 in affected
' "$scratch/changed" "$scratch/includes" "$scratch/compiled" > "$scratch/sources"

differing=$(wc -l < "$scratch/sources") sources=$(wc -l < "$scratch/compiled")
echo "clang-tidy: $differing of $sources sources differ from $(git rev-parse --short "$base"), or include what does"
# Not by ninja, which would first build the libraries that a source's target needs.
[ ! -s "$scratch/sources" ] ||
  xargs -n 1 -P "$(nproc)" clang-tidy-19 -p build/tidy --quiet --warnings-as-errors='*' < "$scratch/sources"
