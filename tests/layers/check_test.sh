#!/bin/sh
# check_test.sh CHECKS SCRATCH: check.sh must pass a clean tree and fail on each wrong line put into it; check_symbols.sh
# must pass rooms that call downwards and fail on a call upwards; api_names.sh must pass a page with one row for each
# header and fail on each other page.
set -eu
check=$1/check.sh symbols=$1/check_symbols.sh api=$1/api_names.sh tree=$2/layers
rm -rf "$tree"
mkdir -p "$tree/include/robotrules" "$tree/src/base" "$tree/src/core" "$tree/src/store" "$tree/src/codec" "$tree/src/http" "$tree/src/robot" \
         "$tree/cli" "$tree/tests/oracle"
printf '#include <string>\n#include <robotrules/b.hpp>\n' > "$tree/include/robotrules/a.hpp"
printf '#include <cstdio>\n#include <robotrules/a.hpp>\n#include "base/w.hpp"\n' > "$tree/src/base/w.cpp"
: > "$tree/src/base/w.hpp"
printf '#include <string>\n#include "core/x.hpp"\n#include "base/w.hpp"\n#include <immintrin.h>\n' > "$tree/src/core/x.cpp"
: > "$tree/src/core/x.hpp"
printf '#include <sqlite3.h>\n' > "$tree/src/store/s.cpp"
: > "$tree/src/store/s.hpp"
printf '#include <curl/curl.h>\n#include <robotrules/a.hpp>\n#include "http/z.hpp"\n#include "codec/c.hpp"\n#include "base/w.hpp"\n' > "$tree/src/http/z.cpp"
: > "$tree/src/http/z.hpp"
printf '#include <zlib.h>\n' > "$tree/src/codec/c.hpp"
printf '#include "http/z.hpp"\n#include "robot/r.hpp"\n' > "$tree/src/robot/r.cpp"
: > "$tree/src/robot/r.hpp"
printf '#include <CLI/CLI.hpp>\n#include <robotrules/a.hpp>\n#include "cli/y.hpp"\n#include "base/w.hpp"\n' > "$tree/cli/y.cpp"
: > "$tree/cli/y.hpp"
printf '#include "oracle/o.hpp"\n' > "$tree/tests/oracle/o.cpp"
"$check" "$tree"

must_fail() {  # FILE, LINE
  echo "$2" > "$tree/$1"
  if "$check" "$tree" >/dev/null 2>&1; then echo "passed by mistake: $1: $2" >&2; exit 1; fi
  rm "$tree/$1"
}
must_fail include/robotrules/bad.hpp '#include <fmt/format.h>'
must_fail include/robotrules/bad.hpp '#include "core/x.hpp"'
must_fail include/robotrules/bad.hpp '#  include <simdjson.h>'
must_fail src/base/bad.cpp '#include "core/x.hpp"'
must_fail src/base/bad.cpp '#include <zlib.h>'
must_fail src/base/bad.cpp '#include "base/missing.hpp"'
must_fail src/core/bad.cpp '#include <CLI/CLI.hpp>'
must_fail src/core/bad.cpp '#include <iostream>'
must_fail src/core/bad.cpp '#include "cli/y.hpp"'
must_fail src/core/bad.cpp '#include "core/missing.hpp"'
must_fail src/core/bad.cpp 'auto now = std::chrono::steady_clock::now();'
must_fail src/store/bad.cpp '#include "core/x.hpp"'
must_fail src/store/bad.cpp '#include "http/z.hpp"'
must_fail src/codec/bad.cpp '#include "http/z.hpp"'
must_fail src/http/bad.cpp '#include "core/x.hpp"'
must_fail src/http/bad.cpp '#include "robot/r.hpp"'
must_fail src/http/bad.cpp '#include <robot/r.hpp>'
must_fail src/http/bad.cpp '#include "http/missing.hpp"'
must_fail src/robot/bad.cpp '#include "store/s.hpp"'
mkdir "$tree/src/attic"
must_fail src/attic/bad.cpp '#include <string>'
rmdir "$tree/src/attic"
must_fail cli/bad.cpp '#include "http/z.hpp"'
must_fail cli/bad.cpp '#include "core/x.hpp"'
must_fail cli/bad.cpp '#include "src/core/x.hpp"'
must_fail cli/bad.cpp '#include "../src/core/x.hpp"'
must_fail tests/oracle/bad.cpp '#include "core/x.hpp"'
"$check" "$tree"

for room in base http robot; do
  printf 'int in_%s() { return 0; }\n' $room > "$tree/src/$room/own.cpp"
  c++ -c "$tree/src/$room/own.cpp" -o "$tree/src/$room/own.o"
done
printf 'int in_base();\nint in_http();\nint down() { return in_base() + in_http(); }\n' > "$tree/src/robot/down.cpp"
printf 'int in_robot();\nint up() { return in_robot(); }\n' > "$tree/src/http/up.cpp"
c++ -c "$tree/src/robot/down.cpp" -o "$tree/src/robot/down.o"
c++ -c "$tree/src/http/up.cpp" -o "$tree/src/http/up.o"
ls "$tree"/src/*/own.o "$tree/src/robot/down.o" > "$tree/objects"
"$symbols" "$tree/objects"
echo "$tree/src/http/up.o" >> "$tree/objects"
if "$symbols" "$tree/objects" > /dev/null; then echo "passed by mistake: a call from http to robot" >&2; exit 1; fi
# The same in a batch of sources.
cp "$tree/src/http/up.o" "$tree/unity_http-fields-0_cxx.o"
{ ls "$tree"/src/*/own.o; echo "$tree/unity_http-fields-0_cxx.o"; } > "$tree/objects"
if "$symbols" "$tree/objects" > /dev/null; then echo "passed by mistake: a call from a batch of http to robot" >&2; exit 1; fi

mkdir "$tree/docs" "$tree/include/robotrules/seams"
: > "$tree/include/robotrules/seams/s.hpp"
write_page() { printf '| header | gives |\n|---|---|\n' > "$tree/docs/api.md"; printf '| `%s` | x |\n' "$@" >> "$tree/docs/api.md"; }
write_page a.hpp seams/s.hpp
echo 'Write `#include <robotrules/a.hpp>`, or see a.hpp.' >> "$tree/docs/api.md"
"$api" "$tree"

page_must_fail() {  # WHY
  if "$api" "$tree" 2> /dev/null; then echo "passed by mistake: a page $1" >&2; exit 1; fi
}
write_page a.hpp
page_must_fail 'without seams/s.hpp'
write_page a.hpp seams/s.hpp a.hpp
page_must_fail 'with two rows for a.hpp'
write_page a.hpp seams/s.hpp old.hpp
page_must_fail 'with a row for a header that does not exist'
write_page a.hpp seams/s.hpp
echo 'See `old.hpp`.' >> "$tree/docs/api.md"
page_must_fail 'that mentions a header that does not exist'
write_page a.hpp
echo '| x | `seams/s.hpp` |' >> "$tree/docs/api.md"
page_must_fail 'that names seams/s.hpp in another column only'
rm "$tree/docs/api.md"
page_must_fail 'that does not exist'
