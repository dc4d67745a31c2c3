#!/bin/sh
# demo.sh COMMAND: what robotrules says of the robots.txt files in demo/sites. Nothing here goes on the network.
set -eu
command=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")/.."

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
[ -t 1 ] || say() { printf '\n%s\n' "$*"; }

# Prints the command as one would type it, then runs it. 1 is an answer ("not all allowed", "errors found"); the rest
# are not.
show() {
  typed=
  for word; do
    case $word in *[!A-Za-z0-9_./:=-]*) word="'$word'" ;; esac
    typed="$typed $word"
  done
  echo "\$ robotrules$typed"
  status=0
  "$command" "$@" 2>&1 || status=$?
  if [ "$status" -gt 1 ]; then echo "demo: that ended with status $status" >&2; exit "$status"; fi
  echo "(exit status $status)"
}

echo "robotrules reads a site's robots.txt and answers: may this robot fetch this page, and why?"

say "1. A shop. This is its robots.txt:"
sed 's/^/    | /' demo/sites/shop.example
say "One rule decides each page; --explain says which, and what it beat."
show check --robots demo/sites/shop.example --agent FooBot --explain \
  https://shop.example/shoes https://shop.example/basket https://shop.example/search/help \
  'https://shop.example/shoes?color=red&sort=price'

say "2. A news site: the same page for a search robot and for a robot that gathers text for language models."
show check --robots demo/sites/news.example --agent Googlebot-News --explain https://news.example/2026/11/a-story
show check --robots demo/sites/news.example --agent GPTBot --explain https://news.example/2026/11/a-story \
  https://news.example/press/kit

say "3. What the file holds, group by group."
show show demo/sites/news.example

say "4. A file with mistakes: what is wrong, where, and what to write instead."
show lint demo/sites/broken.example

say "5. One file, two readings: the RFC decodes %7E before it compares, Google's parser does not."
show check --robots demo/sites/nearly-closed.example --agent FooBot --dialect rfc9309 https://nearly-closed.example/wiki/~drafts/
show check --robots demo/sites/nearly-closed.example --agent FooBot --dialect google https://nearly-closed.example/wiki/~drafts/

say "6. Many questions: JSON objects in, the same objects with the answer out. A host without a file is 'unknown'."
echo "\$ robotrules batch --robots-dir demo/sites < demo/questions.ndjson"
"$command" batch --robots-dir demo/sites < demo/questions.ndjson

say "Next: robotrules --help, README.md, docs/."
