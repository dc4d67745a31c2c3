#!/bin/sh
# compare.sh HEADER ANSWERS SOURCE SCRATCH "COMPILER..." INPUT...: compiles SOURCE with robotrules.hpp by each compiler
# that is installed, and compares what it prints of the tables and folders with what ANSWERS, which has the library, prints.
# CXXFLAGS: other options than -O0. A corpus: CXXFLAGS=-O2 compare.sh build/dev/robotrules.hpp build/dev/bin/single_header_answers \
#   tests/single_header/answers.cpp /tmp/single 'g++ clang++-19' FOLDER
set -eu
header=$1 answers=$2 source=$3 scratch=$4 compilers=$5
shift 5
mkdir -p "$scratch"
"$answers" "$@" > "$scratch/wanted"
[ -s "$scratch/wanted" ] || { echo "no answers of the library" >&2; exit 1; }
# A second source, without the implementation: the header gives declarations alone there.
printf '#include "robotrules.hpp"\n#include "robotrules.hpp"\nbool is_allowed(const robotrules::Rules&);\n%s\n' \
  'bool is_allowed(const robotrules::Rules& rules) { return rules.check("/").allowed(); }' > "$scratch/second.cpp"
compared=0
for compiler in $compilers; do
  command -v "$compiler" > /dev/null || { echo "$compiler is not installed: not tried"; continue; }
  "$compiler" -std=c++20 ${CXXFLAGS:--O0} -Wall -Wextra -Wpedantic -Wno-deprecated-declarations -Werror -DROBOTRULES_SINGLE \
    -I"$(dirname "$header")" "$source" "$scratch/second.cpp" -o "$scratch/answers"
  "$scratch/answers" "$@" > "$scratch/given"
  diff "$scratch/wanted" "$scratch/given" > "$scratch/difference" ||
    { echo "$compiler: robotrules.hpp gives other answers (>) than the library (<)"; head -20 "$scratch/difference"; exit 1; }
  compared=$((compared + 1))
  echo "$compiler: $(wc -l < "$scratch/given") answers are equal"
done
[ $compared -gt 0 ]
