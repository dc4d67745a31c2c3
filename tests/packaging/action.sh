#!/bin/sh
# action.sh SOURCE COMMAND SCRATCH: the steps of action.yml, in a repository with a change: only changed files are looked at,
# and an error in one of them ends with status 1. A pull request neither reads a file of the runner through a link nor gives
# the runner commands by the names of its files. action.yml names the scripts that are tried here.
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

# Symbolic links, of the commit and of the disk, and a submodule: none is read.
printf 'secret-of-the-runner: 1\n' > "$scratch/../secret.txt"
mkdir -p "$scratch/../outside"
printf 'secret-of-the-runner: 1\n' > "$scratch/../outside/robots.txt"
before=$(git rev-parse HEAD)
mkdir linked turned folder
ln -s ../../secret.txt linked/robots.txt
printf 'Disallow: /\n' > folder/robots.txt
printf 'Disallow: /\n' > turned/robots.txt
git update-index --add --cacheinfo "160000,$before,module/robots.txt"
mkdir -p module/robots.txt
git add linked folder turned
git commit -q -m 'links'
rm -r folder turned/robots.txt
ln -s ../outside folder
ln -s ../../secret.txt turned/robots.txt
for base in BASE="$before" BASE=; do
  lint "$base"
  if grep -q secret-of-the-runner printed; then echo "a file of the runner was printed" >&2; cat printed >&2; exit 1; fi
  for name in linked folder turned module; do grep -q "^$name/robots.txt is left out" printed; done
done
git rm -q -r --cached . && rm -rf linked turned folder module && git reset -q --hard "$before"

# Names that are commands of the runner, at the beginning of a line or, in the old form, anywhere. Only annotations are such
# lines, and there is one for every file.
names() {
  printf '%s\0' '::stop-commands::x' "a
::stop-commands::x" 'b##[stop-commands]x' "c
##[add-mask]x" 'd%0A::stop-commands::x' "e$(printf '\r')::stop-commands::x" 'f,line=9::x' '##[group]g' "h$(printf '\302\205\342\200\250')::x"
}
names | xargs -0 -n1 sh -c 'mkdir -p -- "$0" && printf "User-agent: *\nDisallow: private/\n" > "$0/robots.txt"'
git add -A && git commit -q -m 'names'
# $1: how many annotations there are.
without_foreign_commands() {
  if grep -av '^::error file=' printed | grep -aq '##\[\|^[[:space:]]*::'; then
    echo "a file name is a command of the runner" >&2; cat -v printed >&2; exit 1
  fi
  [ "$(grep -ac '^::error file=[^:]*::' printed)" -eq "$1" ] || { echo "not $1 annotations" >&2; cat -v printed >&2; exit 1; }
}
expected=1
lint BASE="$before"
without_foreign_commands 9
# Nor are they in what the command says on standard error.
printf '#!/bin/sh\necho "x/##[stop-commands]y/robots.txt: is gone" >&2; echo ":""::x" >&2; exit 2\n' > ../says
chmod +x ../says
expected=2
lint BASE="$before" COMMAND="$scratch/../says"
without_foreign_commands 0
grep -q 'robots.txt: is gone' printed

# More files than a list of arguments holds, the wrong one first.
git rm -q -r . && mkdir many
long=$(printf '%0240d' 0)
i=100
while [ $i -lt 700 ]; do
  mkdir "many/$i$long"
  printf 'User-agent: *\nDisallow: /\n' > "many/$i$long/robots.txt"
  i=$((i + 1))
done
printf 'Disallow: private/\n' > "many/100$long/robots.txt"
git add -A && git commit -q -m 'many'
expected=1
(ulimit -s 512 && lint BASE="$before")  # a limit of 128 KiB
grep -q '^robotrules: 600 file(s): many/100' printed
grep -q "^::error file=many/100$long/robots.txt,line=1" printed

key=$("$source/packaging/action/command.sh" key)
[ ${#key} -eq 32 ]
echo "the steps of the action end as they must"
