#!/bin/sh
# test.sh BUILD CTEST_OPTION...: runs ctest on the tests of BUILD. Before ctest's summary it lists the ten slowest tests;
# the tests that were skipped, each under the reason that it gave, in the order of their numbers; and what failed inside
# of each test that failed, which otherwise stands far above. Exit status: ctest's.
set -u
build=${1:?usage: test.sh BUILD CTEST_OPTION...}
shift
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
: > "$scratch/skipped"
: > "$scratch/times"
: > "$scratch/summary"

# Reads ctest's lines as they come, such as " 3/90 Test #7: name ....   Passed    0.02 sec". The summary is kept until ctest
# has written its log.
show() {
  ending=
  while IFS= read -r line; do
    case $line in
      *'% tests passed, '*) ending=1 ;;
      *'***Skipped'*) printf '%s\n' "$line" | sed 's/^.* Test *#\([0-9]*\): /\1 /; s/ \.*\*\*\*Skipped.*//' >> "$scratch/skipped" ;;
    esac
    case $line in *' Test '*'#'*': '*' sec'*) printf '%s\n' "$line" >> "$scratch/times" ;; esac
    if [ -n "$ending" ]; then printf '%s\n' "$line" >> "$scratch/summary"; else printf '%s\n' "$line"; fi
  done
}

# The reason is what GoogleTest says behind "Skipped"; of another program, the last line that it printed.
reasons() {
  sort -n "$scratch/skipped" | cut -d ' ' -f 2- | awk '
    NR == FNR { names[++skips] = $0; skipped[$0] = 1; next }
    /^[0-9]+\/[0-9]+ Test: / { name = $0; sub(/^[0-9]+\/[0-9]+ Test: /, "", name); inside = 0; next }
    /^Output:$/ { inside = name in skipped; reason = last = ""; reading = 0; getline; next }
    inside && /^<end of output>$/ {
      inside = 0
      if (reason == "") reason = last == "" ? "no reason given" : last
      reason_of[name] = reason
      next
    }
    inside && /: Skipped$/ && reason == "" { reading = 1; next }
    inside && reading && (/^$/ || /^\[  SKIPPED \]/) { reading = 0; if (reason == "") reason = "no reason given" }
    inside && reading { reason = reason (reason == "" ? "" : " ") $0 }
    inside && /[^ ]/ { last = $0 }
    END {
      for (i = 1; i <= skips; ++i) {
        reason = reason_of[names[i]]
        if (!(reason in tests)) order[++count] = reason
        tests[reason] = tests[reason] "\n    " names[i]
      }
      for (i = 1; i <= count; ++i) print "  " order[i] tests[order[i]]
    }
  ' - "$build/Testing/Temporary/LastTest.log"
}

# One test of ctest may be many of GoogleTest: the failed ones are named, each with the place of its failure and the lines
# that follow. Of another program, the last lines that it printed.
failures() {
  awk '
    function end_test() {
      if (failed && name != "") {
        print "  " name
        if (count == 0) for (i = lines > 10 ? lines - 10 : 0; i < lines; ++i) print "    " last[i % 10]
        for (i = 0; i < count; ++i) print "    " said[i]
      }
      name = ""; failed = 0; count = 0; lines = 0; follow = 0
    }
    /^[0-9]+\/[0-9]+ Test: / { end_test(); name = $0; sub(/^[0-9]+\/[0-9]+ Test: /, "", name); inside = 0; next }
    /^Output:$/ { inside = 1; getline; next }
    /^<end of output>$/ { inside = 0 }
    /^Test Failed\.$/ { failed = 1 }
    !inside { next }
    /: Failure$/ { follow = 9 }
    /^\[  FAILED  \] .* \([0-9]+ ms\)$/ { said[count++] = $0; follow = 0 }
    follow > 0 { --follow; said[count++] = $0 }
    { last[lines++ % 10] = $0 }
    END { end_test() }
  ' "$build/Testing/Temporary/LastTest.log"
}

{ ctest "$@" 2>&1; echo $? > "$scratch/status"; } | show
echo "The slowest tests, in seconds:"
sed -n 's/^.* Test *#[0-9]*: \([^ ]*\) .* \([0-9.]*\) sec.*$/\2 \1/p' "$scratch/times" | sort -k 1,1nr -k 2 | head -n 10 | sed 's/^/  /'
echo
if [ -s "$scratch/skipped" ]; then
  echo "Skipped, and why:"
  reasons
  echo
fi
if [ "$(cat "$scratch/status")" != 0 ]; then
  echo "What failed:"
  failures
  echo
fi
cat "$scratch/summary"
exit "$(cat "$scratch/status")"
