#!/bin/sh
# batch_test.sh BATCH QUESTIONS SITES COMMAND: the C ABI gives the answers of `robotrules batch` in every dialect. The
# recorded answers of other programs are compared in the same way, where a machine has them.
set -eu
batch=$1 questions=$2 sites=$3 command=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
answers() { sed -E 's/.*("access":"[a-z]*","line":[0-9]*).*/\1/'; }
for dialect in rfc9309 google www-robotrules robotstxt-rb original-1994 draft-1996; do
  "$command" batch --dialect "$dialect" --robots-dir "$sites" < "$questions" | answers > "$scratch/wanted"
  "$batch" --dialect "$dialect" --robots-dir "$sites" < "$questions" | answers > "$scratch/given"
  [ -s "$scratch/wanted" ]
  diff "$scratch/wanted" "$scratch/given"
done
