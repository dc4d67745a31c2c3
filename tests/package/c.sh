#!/bin/sh
# c.sh CC CXX PREFIX SCRATCH SOURCE VERSION: builds SOURCE as C and as C++ with what pkg-config says of robotrules, and runs
# it. The header compiles alone as C11, C17 and C++11 to C++20, without a warning.
set -eu
cc=$1 cxx=$2 prefix=$3 scratch=$4 source=$5 version=$6
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name robotrules.pc)")
export PKG_CONFIG_PATH
pkg-config --exact-version="$version" robotrules
mkdir -p "$scratch"
strict='-pedantic -Wall -Wextra -Werror'
for standard in c11 c17; do
  echo '#include <robotrules.h>' |
    "$cc" -std=$standard $strict -Wstrict-prototypes -Wundef $(pkg-config --cflags robotrules) -fsyntax-only -x c -
done
for standard in c++11 c++20; do
  printf '#include <robotrules.h>\n#include <robotrules.h>\n' |
    "$cxx" -std=$standard $strict -Wshadow -Wundef $(pkg-config --cflags robotrules) -fsyntax-only -x c++ -
done
"$cc" -std=c11 $strict $(pkg-config --cflags robotrules) "$source" -o "$scratch/consumer" $(pkg-config --libs robotrules)
LD_LIBRARY_PATH=$(pkg-config --variable=libdir robotrules) "$scratch/consumer" > "$scratch/printed"
diff "${source%.c}.out" "$scratch/printed"
