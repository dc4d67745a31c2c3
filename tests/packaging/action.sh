#!/bin/sh
# action.sh SOURCE COMMAND SCRATCH: the steps of action.yml, in a repository with a change: only changed files are looked at,
# and an error in one of them ends with status 1. action.yml names the scripts that are tried here.
set -eu
source=$1 command=$2 scratch=$3/action
if ! command -v git >/dev/null; then echo "git is not installed"; exit 77; fi
for script in command files lint; do [ -x "$source/packaging/action/$script.sh" ]; done
grep -q 'packaging/action/lint.sh' "$source/action.yml"
grep -q 'packaging/action/command.sh' "$source/action.yml"

rm -rf "$scratch"
mkdir -p "$scratch/a b"
cd "$scratch"
HOME=$scratch
export HOME GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b.example GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b.example
git init -q .
commit() { git add -A && git commit -q -m "$1" && git rev-parse HEAD; }
lint() {
  status=0
  env COMMAND="$command" "$@" "$source/packaging/action/lint.sh" > printed 2>&1 || status=$?
  [ "$status" = "$expected" ] || { echo "$*: status $status instead of $expected" >&2; cat printed >&2; exit 1; }
}

printf 'User-agent: *\nDisallow: private/\n' > robots.txt
empty=$(git commit -q --allow-empty -m empty && git rev-parse HEAD)
printf 'printed\n' > .git/info/exclude
first=$(commit 'a wrong file')
printf 'User-agent: *\nDisallow: /\n' > 'a b/robots.txt'
printf 'Disallow: private/\n' > other.txt
commit 'a good file, and one of another name' > /dev/null

# A push of the last commit: the wrong file was not changed.
expected=0
lint BASE="$first"
grep -q '^robotrules: 1 file(s): a b/robots.txt$' printed
# A pull request of both, a new branch, and all files.
expected=1
for base in BASE="$empty" BASE= BASE=0000000000000000000000000000000000000000 "BASE=$first ALL=true"; do
  lint $base
  grep -q '^robotrules: 2 file(s): ' printed
  grep -q '^::error file=robots.txt,line=2,col=11,title=path-without-slash::' printed
done
# Options, and other names.
expected=0
lint BASE= ARGS='--ignore path-without-slash'
lint BASE= FILES='nothing*.txt'
grep -q 'no robots.txt to look at' printed
expected=1
lint BASE= FILES='other.txt'
grep -q '^::error file=other.txt,line=1' printed
# A commit that is not to be had: all files.
lint BASE=1111111111111111111111111111111111111111
grep -q '^robotrules: 2 file(s): ' printed
# A file that was removed is not looked at.
git rm -q robots.txt
commit 'the wrong file is gone' > /dev/null
expected=0
lint BASE="$first"
grep -q '^robotrules: 1 file(s): a b/robots.txt$' printed

key=$("$source/packaging/action/command.sh" key)
[ ${#key} -eq 32 ]
echo "the steps of the action end as they must"
