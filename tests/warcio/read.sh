#!/bin/sh
# read.sh FOLDER FILE: prints what read.mjs says of FILE. FOLDER gets warcio (package-lock.json) where it has none yet.
# Exit status 77 and a sentence where npm or the network is missing.
set -u
folder=${1:?usage: read.sh FOLDER FILE}
file=${2:?usage: read.sh FOLDER FILE}
here=$(cd "$(dirname "$0")" && pwd)
for tool in node npm; do
  command -v "$tool" >/dev/null || {
    echo "$tool is not installed: no other program than our own has read the WARC files (install npm for warcio, which does)"
    exit 77
  }
done
mkdir -p "$folder" || exit 1
exec 9>"$folder/lock"  # tests run in parallel
command -v flock >/dev/null && flock 9
cp "$here/package.json" "$here/package-lock.json" "$here/read.mjs" "$folder/" || exit 1
cd "$folder" || exit 1
if ! cmp -s package-lock.json installed.json; then
  npm ci --ignore-scripts --no-audit --no-fund --fetch-retries=1 --fetch-timeout=30000 >npm.log 2>&1 ||
    { echo "npm can't get warcio: $(grep -m1 'npm error' npm.log)"; exit 77; }
  cp package-lock.json installed.json
fi
exec 9>&-
exec node read.mjs "$file"
