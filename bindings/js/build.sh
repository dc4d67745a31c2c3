#!/bin/sh
# build.sh OUT: makes the npm package in the folder OUT (make js: build/js). It needs clang-19 with its WebAssembly
# libraries (group wasm of packages.txt), cmake and node; without them it says what is missing and ends with status 77.
# Nothing is compiled if the modules in OUT are newer than their sources.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
[ $# -eq 1 ] || { echo "build.sh: name the folder to build the package in, such as build/js" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
objects=$out/.objects

# The message is one line: ctest's list of skipped tests shows the last line as the reason.
missing=
for tool in clang++-19 wasm-ld-19 wasm-opt cmake node; do
  command -v $tool > /dev/null || missing="$missing $tool"
done
for file in /usr/lib/llvm-19/lib/wasm32-wasi/libc++.a /usr/lib/wasm32-wasi/libc.a \
            /usr/lib/llvm-19/lib/clang/19/lib/wasi/libclang_rt.builtins-wasm32.a; do
  [ -f $file ] || missing="$missing $file"
done
if [ -n "$missing" ]; then
  echo "robotrules for JavaScript is not built: this machine lacks$missing. Install them: tools/packages.sh wasm;" \
    "node is Debian's nodejs, or any Node.js from version 18" >&2
  exit 77
fi

# Text of these sources is not needed: they use the clock, or nothing in the module uses them.
unused=' time_text.cpp result.cpp policy_text.cpp loose_date.cpp proxy_status.cpp status_line.cpp '

features='-mbulk-memory -mnontrapping-fptoint -msign-ext'
compile="clang++-19 --target=wasm32-wasi -std=c++20 -flto $features -DNDEBUG -DROBOTRULES_C_STATIC
  -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-c++-static-destructors -fvisibility=hidden
  -ffunction-sections -fdata-sections -I$root/include -I$root/src -I$root/bindings"
# Smaller than the defaults of -Oz: when a unit is compiled, and when the units are linked.
small='-mllvm -inline-threshold=-20'
small_link='-Wl,-mllvm,-inline-threshold=5,-mllvm,-enable-merge-functions'

# unit NAME SOURCE...: compiles sources of one folder as one, which takes a quarter of the time. The unit is small.
unit() {
  name=$1
  shift
  for source in "$@"; do
    case $unused in *" $(basename "$source") "*) ;; *) echo "#include \"$source\"" ;; esac
  done > "$objects/$name.cpp"
  $compile -Oz $small -c "$objects/$name.cpp" -o "$objects/small/$name.o"
}

# fast_unit NAME SOURCE...: the same, and a second time for speed.
fast_unit() {
  unit "$@"
  $compile -O2 -c "$objects/$1.cpp" -o "$objects/fast/$1.o"
}

# module NAME OBJECTS LINK_OPTIONS LISTS...: links a module that exports the functions in the lists.
module() {
  name=$1
  linked=$2
  options=$3
  shift 3
  exports=$(cat "$@" | sed 's/^/-Wl,--export=/')
  clang++-19 --target=wasm32-wasi -mexec-model=reactor -flto -Wl,--lto-O2,-O2,--gc-sections,--strip-all,--stack-first \
    -Wl,-z,stack-size=262144,--max-memory=1073741824,--export=__stack_pointer $options $exports $linked \
    -o "$objects/$name.wasm"
  wasm-opt -Oz --converge --strip-producers --strip-target-features --low-memory-unused --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals \
    "$objects/$name.wasm" -o "$out/$name.wasm"
}

newer() {
  find "$root/include" "$root/src/base" "$root/src/core" "$root/src/advice" "$root/src/codec" "$root/src/fields" \
    "$root/src/answer" "$root/bindings/c/core" "$root/bindings/c/store" "$here/wasm" "$here/build.sh" "$root/data/crawlers.json" \
    -type f -newer "$out/robotrules.wasm" | head -1
}

if [ ! -f "$out/robotrules.wasm" ] || [ -n "$(newer)" ]; then
  rm -rf "$objects"
  mkdir -p "$objects/small" "$objects/fast"
  cmake "-DFROM=$root/data/crawlers.json" "-DTO=$objects/crawler_table.inc" -P "$root/src/advice/compare/crawler_table.cmake"
  # The C ABI does not give the pages where the list comes from, nor their dates.
  sed -i 's/^     "[^"]*", "[0-9-]*"},$/     "", ""},/' "$objects/crawler_table.inc"
  fast_unit base "$root"/src/base/*.cpp
  fast_unit core "$root"/src/core/*.cpp
  fast_unit line "$root"/src/core/line/*.cpp
  fast_unit rules "$root"/src/core/rules/*.cpp
  unit lint "$root"/src/advice/lint/*.cpp
  unit compare "$root"/src/advice/compare/*.cpp "$objects/crawler_table.inc"
  fast_unit c "$root"/bindings/c/core/*.cpp
  fast_unit js "$here"/wasm/*.cpp
  unit codec "$root"/src/codec/content_decoder.cpp "$root"/src/codec/decompress_stream.cpp
  unit fields "$root"/src/fields/*.cpp
  unit answer "$root"/src/answer/*.cpp
  unit fetch "$root"/bindings/c/store/robots_fetch.cpp
  unit whole "$here"/wasm/small/*.cpp
  # The module for checking is compiled for speed. Its C functions name lint and compare, and the linker drops them.
  module robotrules-check "$objects/fast/*.o $objects/small/lint.o $objects/small/compare.o" '' "$here/wasm/check.exports"
  module robotrules "$objects/small/*.o" "$small_link" "$here/wasm/check.exports" "$here/wasm/whole.exports"
  rm -rf "$objects"
fi
node "$here/tools/package.mjs" "$out"
