#!/bin/sh
# fuzz.sh BIN_DIR SECONDS RUNS [NAME]: runs each libFuzzer harness of BIN_DIR (or the one called NAME) until SECONDS or
# RUNS are used up (0: no limit). What it learns is kept in build/fuzz/corpus, what it finds in fuzz/found/NAME, where
# ctest replays it for ever.
set -eu
bin=$1 seconds=$2 runs=$3 only=${4:-}
if [ "$seconds" = 0 ] && [ "$runs" = 0 ]; then
  echo "Both limits are 0: this would never end. Give FUZZ_SECONDS or FUZZ_RUNS." >&2
  exit 2
fi
[ "$runs" != 0 ] || runs=-1

ran=0
for harness in "$bin"/*_fuzz; do
  [ -x "$harness" ] || continue
  name=$(basename "$harness" _fuzz)
  [ -z "$only" ] || [ "$only" = "$name" ] || continue
  learnt=build/fuzz/corpus/$name
  mkdir -p "$learnt" "fuzz/found/$name"
  set -- "$learnt"
  for seeds in "fuzz/corpus/$name" "fuzz/found/$name"; do
    [ ! -d "$seeds" ] || set -- "$@" "$seeds"
  done
  for dictionary in "fuzz/$name.dict" fuzz/robots.dict; do
    if [ -f "$dictionary" ]; then set -- "-dict=$dictionary" "$@"; break; fi
  done
  # Comparing with the naive reading costs the product of pattern and path; sixteen changes are enough for a file.
  case $name in match | compile) longest=512 ;; database | repair) longest=129 ;; *) longest=4096 ;; esac
  echo "== $name: ${seconds} s, ${runs} runs at most"
  "$harness" -max_total_time="$seconds" -runs="$runs" -max_len=$longest -timeout=10 -print_final_stats=1 \
             -artifact_prefix="fuzz/found/$name/" "$@"
  rmdir "fuzz/found/$name" 2>/dev/null || true
  ran=$((ran + 1))
done
if [ "$ran" = 0 ]; then echo "No harness${only:+ called $only} in $bin." >&2; exit 1; fi
echo "$ran harnesses, nothing found."
