#!/bin/sh
# demo.sh COMMAND SITE: what robotrules says of the robots.txt files in demo/sites, and how it fetches the sites that the
# program SITE (demo/site/) serves on loopback. Nothing here goes on the network.
set -eu
command=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
site=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
cd "$(dirname "$0")/.."

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
[ -t 1 ] || say() { printf '\n%s\n' "$*"; }

# Prints the command as one would type it, then runs it. 1 is an answer ("not all allowed", "errors found"), and 3 of get
# too ("some URLs failed"); the rest are not.
show() {
  typed=
  for word; do
    case $word in *[!A-Za-z0-9_./:=-]*) word="'$word'" ;; esac
    typed="$typed $word"
  done
  echo "\$ robotrules$typed"
  status=0
  "$command" "$@" 2>&1 || status=$?
  if [ "$status" -gt 1 ] && [ "$1 $status" != "get 3" ]; then echo "demo: that ended with status $status" >&2; exit "$status"; fi
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

say "7. A crawl: some seventy sites on loopback, with robots.txt files of all kinds, redirects, refusals and traps."
folder=$(mktemp -d)
server=
end() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; fi
  rm -rf "$folder"
}
trap end EXIT
trap 'exit 130' INT TERM
mkfifo "$folder/said"
"$site" serve "$folder" > "$folder/said" &
server=$!
if ! read -r ready < "$folder/said" || [ "$ready" != ready ]; then echo "demo: the sites did not start" >&2; exit 2; fi
delay=0.2
echo "Each site is asked for one page at a time, $delay s apart or as far as it asks for; what is wrong with some is meant so."
show get --input "$folder/urls.txt" --sitemap "$(cat "$folder/sitemap.txt")" --output "$folder/pages.warc.gz" \
  --db "$folder/crawl.db" --log "$folder/pages.ndjson" --agent DemoBot/1.0 --from demo@example.org --delay "$delay" \
  --tries 2 --timeout 2 --max-wait 5 --allow-address 127.0.0.0/8
echo "What became of them (from --log), and one of each sort:"
sed -E 's/^\{"url":"([^"]*)".*"status":([0-9]+),"why":"([^"]*)".*/\3 \2 \1/' "$folder/pages.ndjson" |
  awk '{ sort = sprintf("%-18s %s", $1, $2); if (!count[sort]++) one[sort] = $3 }
       END { for (sort in count) printf "    %4d  %s  %s\n", count[sort], sort, one[sort] }' | sort -k2
kill "$server"
wait "$server"
server=
say "Did it obey? The sites' own log says:"
"$site" check "$folder" "$delay"

say "Next: robotrules --help, README.md, docs/."
