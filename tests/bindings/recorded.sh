#!/bin/sh
# recorded.sh SOURCE LIBRARY COMMAND...: the recorded answers of other implementations, asked through COMMAND, which
# answers as `robotrules batch` does. They are in ROBOTRULES_CONFORMANCE and ROBOTRULES_CORPUS, or in the folder shared
# beside the checkout. Status 77: this machine has no such answers, or the command lacks something.
set -eu

answers=${ROBOTRULES_CONFORMANCE:-$1/../shared/conformance}
corpus=${ROBOTRULES_CORPUS:-$1/../shared/corpus}
if [ ! -f "$answers/score.py" ] || [ ! -d "$corpus" ]; then
  echo "no $answers/score.py or no $corpus: set ROBOTRULES_CONFORMANCE and ROBOTRULES_CORPUS to ask the recorded questions" >&2
  exit 77
fi
export ROBOTRULES_LIBRARY="$2"
shift 2
case $1 in
  perl) perl -MFFI::Platypus -MURI -e 1 ;;
  ruby) ruby -rfiddle -e 1 ;;
esac 2>/dev/null && command -v python3 >/dev/null || {
  echo "$1, its modules or python3 are missing, so the recorded questions are not asked" >&2
  exit 77
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf '#!/bin/sh\nexec %s "$@"\n' "$*" > "$scratch/batch"
chmod +x "$scratch/batch"
python3 "$answers/score.py" --robots-dir "$corpus" "$scratch/batch"
