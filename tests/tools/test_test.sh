#!/bin/sh
# test_test.sh TOOLS SCRATCH: tools/test.sh lists the slowest tests, the skipped ones by their reasons, and what failed,
# before ctest's summary, which stays last, and gives ctest's status on.
set -eu
tools=$1 scratch=$2/test
rm -rf "$scratch"
mkdir -p "$scratch"
cat > "$scratch/CTestTestfile.cmake" <<'END'
add_test(passes "sh" "-c" "echo npm is not installed")
add_test(of_a_script "sh" "-c" "echo npm is not installed; exit 77")
set_tests_properties(of_a_script PROPERTIES SKIP_RETURN_CODE 77 DEPENDS Of.Another) # is run after it
add_test(Of.GoogleTest "sh" "-c" "printf '[ RUN      ] X.Y\n/x.cpp:1: Skipped\ntakes a minute: set ROBOTRULES_SOAK=1\n\n[  SKIPPED ] X.Y\n'")
add_test(Of.Another "sh" "-c" "printf '[ RUN      ] X.Z\n/x.cpp:9: Skipped\ntakes a minute: set ROBOTRULES_SOAK=1\n\n[  SKIPPED ] X.Z\n'")
set_tests_properties(Of.GoogleTest Of.Another PROPERTIES SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
END
cat > "$scratch/expected" <<'END'
Skipped, and why:
  npm is not installed
    of_a_script
  takes a minute: set ROBOTRULES_SOAK=1
    Of.GoogleTest
    Of.Another

100% tests passed, 0 tests failed out of 4

END
"$tools/test.sh" "$scratch" --test-dir "$scratch" > "$scratch/out"
sed -n '/^Skipped, and why/,/^$/p; /tests passed/,/^$/p' "$scratch/out" | diff "$scratch/expected" -
tail -n 1 "$scratch/out" | grep -q 'Of.Another (Skipped)' || { echo "ctest's summary is not the last" >&2; exit 1; }

# Twelve tests: the slowest stands first, ten are listed, each with its time.
for i in 1 2 3 4 5 6 7; do echo "add_test(quick$i \"true\")"; done >> "$scratch/CTestTestfile.cmake"
echo 'add_test(slow "sh" "-c" "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done")' >> "$scratch/CTestTestfile.cmake"
"$tools/test.sh" "$scratch" --test-dir "$scratch" > "$scratch/out"
sed -n '/^The slowest tests, in seconds:$/,/^$/p' "$scratch/out" > "$scratch/slowest"
if [ "$(grep -c '^  [0-9.]* [A-Za-z_.0-9]*$' "$scratch/slowest")" != 10 ] || ! sed -n 2p "$scratch/slowest" | grep -q ' slow$'; then
  echo "not the ten slowest tests, the slowest first:" >&2
  cat "$scratch/slowest" >&2
  exit 1
fi

# A test of ctest that has many of GoogleTest names those that failed; any other, what it said last.
cat >> "$scratch/CTestTestfile.cmake" <<'END'
add_test(fails "sh" "-c" "echo the last words; exit 1")
add_test(many "sh" "-c" "printf '[ RUN      ] A.IsOne\n/x.cpp:3: Failure\nExpected equality of these values:\n  1\n  2\n[  FAILED  ] A.IsOne (7 ms)\n[       OK ] A.IsTwo (1 ms)\n'; exit 1")
END
if "$tools/test.sh" "$scratch" --test-dir "$scratch" > "$scratch/out" 2>&1; then echo "a failure is told as a success" >&2; exit 1; fi
cat > "$scratch/expected" <<'END'
What failed:
  fails
    the last words
  many
    /x.cpp:3: Failure
    Expected equality of these values:
      1
      2
    [  FAILED  ] A.IsOne (7 ms)

END
sed -n '/^What failed:$/,/^$/p' "$scratch/out" | diff "$scratch/expected" -
tail -n 1 "$scratch/out" | grep -q 're-run the failed cases' || { echo "ctest's last line is not the last" >&2; exit 1; }
echo "skipped tests are listed with their reasons, before ctest's summary"
