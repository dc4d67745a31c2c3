#!/bin/sh
# read_python.sh FOLDER FILE [INDEX]: prints what read.py says. FOLDER gets Python's warcio and pywb (requirements.txt)
# if it does not have them. Exit status 77 and a sentence if Python or the network is missing.
set -u
folder=${1:?usage: read_python.sh FOLDER FILE [INDEX]}
shift
here=$(cd "$(dirname "$0")" && pwd)
command -v python3 >/dev/null || {
  echo "python3 is not installed: warcio and pywb of Python did not read the WARC files"
  exit 77
}
mkdir -p "$folder" || exit 1
exec 9>"$folder/lock"  # tests run in parallel
command -v flock >/dev/null && flock 9
if ! cmp -s "$here/requirements.txt" "$folder/installed.txt"; then
  { python3 -m venv "$folder/venv" &&
      "$folder/venv/bin/pip" --disable-pip-version-check -q --retries 1 --timeout 30 \
        install -r "$here/requirements.txt"; } >"$folder/pip.log" 2>&1 ||
    { echo "pip cannot get warcio and pywb: $(tail -n 1 "$folder/pip.log")"; exit 77; }
  cp "$here/requirements.txt" "$folder/installed.txt"
fi
exec 9>&-
exec "$folder/venv/bin/python" -W ignore "$here/read.py" "$@"
