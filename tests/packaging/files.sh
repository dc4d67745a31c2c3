#!/bin/sh
# files.sh SOURCE SCRATCH: packaging/export.sh copies all sources and nothing that was built, with the date of
# debian/changelog; the hooks name commands that there are.
set -eu
source=$1 scratch=$2/export
rm -rf "$scratch"
tree=$("$source/packaging/export.sh" "$scratch")
for file in CMakeLists.txt debian/rules include/robotrules.h src/core/document.cpp bindings/js/build.sh LICENSE; do
  [ -e "$tree/$file" ] || { echo "export.sh leaves out $file" >&2; exit 1; }
done
[ ! -e "$tree/build" ] || { echo "export.sh copies build" >&2; exit 1; }
[ -x "$tree/debian/rules" ]
date=$(sed -n '/^ -- /{s/.*>  //p;q}' "$source/debian/changelog")
[ "$(stat -c %Y "$tree/LICENSE")" = "$(date -u -d "$date" +%s)" ]

grep -q '^robotrules-lint = "robotrules.lint_command:main"$' "$source/pyproject.toml"
grep -q '^  entry: robotrules-lint$' "$source/.pre-commit-hooks.yaml"
[ -e "$source/bindings/python/robotrules/lint_command.py" ]
rm -rf "$scratch"
