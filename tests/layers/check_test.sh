#!/bin/sh
# check_test.sh CHECKS SCRATCH: check.sh must pass a clean tree and fail on each wrong line put into it; check_symbols.sh
# must pass rooms that call downwards and fail on a call upwards; api_names.sh must pass a page with one row for each
# header and fail on each other page; check_exports.sh must pass headers whose marks fit and fail on each other header.
set -eu
check=$1/check.sh symbols=$1/check_symbols.sh api=$1/api_names.sh exports=$1/check_exports.sh tree=$2/layers
rm -rf "$tree"
mkdir -p "$tree/docs"
cat > "$tree/docs/architecture.md" <<'END'
| room | what it does | may include | may also call | lines | library |
|---|---|---|---|---|---|
| base | x | – | – | 10 | `robotrules::core` |
| core | x | base | – | 10 | `robotrules::core` |
| advice | x | core, base | – | 10 | `robotrules::advice` |
| codec | x | base | – | 10 | `robotrules::store` |
| store | x | base | core | 10 | `robotrules::store` |
| http | x | codec, base | core | 10 | `robotrules::agent` |
| robot | x | http, base | store, core | 10 | `robotrules::agent` |
END
mkdir -p "$tree/include/robotrules" "$tree/src/base" "$tree/src/core" "$tree/src/advice" "$tree/src/store" "$tree/src/codec" "$tree/src/http" "$tree/src/robot" \
         "$tree/cli" "$tree/bindings/c/core" "$tree/tests/oracle"
printf '#include <string>\n#include <robotrules/b.hpp>\n' > "$tree/include/robotrules/a.hpp"
printf '#include <cstdio>\n#include <robotrules/a.hpp>\n#include "base/w.hpp"\n' > "$tree/src/base/w.cpp"
: > "$tree/src/base/w.hpp"
printf '#include <string>\n#include "core/x.hpp"\n#include "base/w.hpp"\n#include <immintrin.h>\n' > "$tree/src/core/x.cpp"
: > "$tree/src/core/x.hpp"
printf '#include <string>\n#include <robotrules/a.hpp>\n#include "advice/v.hpp"\n#include "core/x.hpp"\n#include "base/w.hpp"\n' > "$tree/src/advice/v.cpp"
: > "$tree/src/advice/v.hpp"
printf '#include <sqlite3.h>\n' > "$tree/src/store/s.cpp"
: > "$tree/src/store/s.hpp"
printf '#include <curl/curl.h>\n#include <robotrules/a.hpp>\n#include "http/z.hpp"\n#include "codec/c.hpp"\n#include "base/w.hpp"\n' > "$tree/src/http/z.cpp"
: > "$tree/src/http/z.hpp"
printf '#include <zlib.h>\n' > "$tree/src/codec/c.hpp"
printf '#include "http/z.hpp"\n#include "robot/r.hpp"\n' > "$tree/src/robot/r.cpp"
: > "$tree/src/robot/r.hpp"
printf '#include <CLI/CLI.hpp>\n#include <robotrules/a.hpp>\n#include "cli/y.hpp"\n#include "base/w.hpp"\n' > "$tree/cli/y.cpp"
: > "$tree/cli/y.hpp"
printf '#include <stddef.h>\n#include <robotrules/a.hpp>\n' > "$tree/include/robotrules.h"
printf '#include <string>\n#include <robotrules.h>\n#include <robotrules/a.hpp>\n#include "c/core/b.hpp"\n' > "$tree/bindings/c/core/b.cpp"
: > "$tree/bindings/c/core/b.hpp"
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
must_fail src/core/bad.cpp '#include "advice/v.hpp"'
must_fail src/core/bad.cpp '#include <advice/v.hpp>'
must_fail src/base/bad.cpp '#include "advice/v.hpp"'
must_fail src/advice/bad.cpp '#include "store/s.hpp"'
must_fail src/advice/bad.cpp '#include <zlib.h>'
must_fail src/advice/bad.cpp '#include <immintrin.h>'
must_fail src/advice/bad.cpp '#include <fstream>'
must_fail src/advice/bad.cpp 'auto now = std::chrono::steady_clock::now();'
must_fail src/store/bad.cpp '#include "advice/v.hpp"'
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
must_fail cli/bad.cpp '#include "advice/v.hpp"'
must_fail cli/bad.cpp '#include "src/core/x.hpp"'
must_fail cli/bad.cpp '#include "../src/core/x.hpp"'
must_fail include/robotrules.h '#include <stdio.h>'
printf '#include <stddef.h>\n' > "$tree/include/robotrules.h"
must_fail bindings/c/bad.cpp '#include "core/x.hpp"'
must_fail bindings/c/bad.cpp '#include "base/w.hpp"'
must_fail bindings/c/bad.cpp '#include "c/core/missing.hpp"'
must_fail bindings/c/bad.cpp '#include <sqlite3.h>'
must_fail bindings/c/bad.cpp '#include <structmember.h>'
must_fail bindings/c/bad.cpp '#include "codec/decompressor.hpp"'
must_fail bindings/c/bad.cpp '#include "../src/core/x.hpp"'
must_fail tests/oracle/bad.cpp '#include "core/x.hpp"'
"$check" "$tree"

for room in base core advice http robot; do
  printf 'int in_%s() { return 0; }\n' $room > "$tree/src/$room/own.cpp"
  c++ -c "$tree/src/$room/own.cpp" -o "$tree/src/$room/own.o"
done
printf 'int in_base();\nint in_http();\nint down() { return in_base() + in_http(); }\n' > "$tree/src/robot/down.cpp"
printf 'int in_robot();\nint up() { return in_robot(); }\n' > "$tree/src/http/up.cpp"
c++ -c "$tree/src/robot/down.cpp" -o "$tree/src/robot/down.o"
c++ -c "$tree/src/http/up.cpp" -o "$tree/src/http/up.o"
ls "$tree"/src/*/own.o "$tree/src/robot/down.o" > "$tree/objects"
"$symbols" "$tree" "$tree/objects"
echo "$tree/src/http/up.o" >> "$tree/objects"
if "$symbols" "$tree" "$tree/objects" > /dev/null; then echo "passed by mistake: a call from http to robot" >&2; exit 1; fi
printf 'int in_advice();\nint up() { return in_advice(); }\n' > "$tree/src/core/up.cpp"
c++ -c "$tree/src/core/up.cpp" -o "$tree/src/core/up.o"
{ ls "$tree"/src/*/own.o; echo "$tree/src/core/up.o"; } > "$tree/objects"
if "$symbols" "$tree" "$tree/objects" > /dev/null; then echo "passed by mistake: a call from core to advice" >&2; exit 1; fi
# The same in a batch of sources.
cp "$tree/src/http/up.o" "$tree/unity_http-fields-0_cxx.o"
{ ls "$tree"/src/*/own.o; echo "$tree/unity_http-fields-0_cxx.o"; } > "$tree/objects"
if "$symbols" "$tree" "$tree/objects" > /dev/null; then echo "passed by mistake: a call from a batch of http to robot" >&2; exit 1; fi

mkdir "$tree/include/robotrules/seams"
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

# Two libraries: core with a public class and an internal function, and store, which calls that function.
rm -rf "$tree"
mkdir -p "$tree/include/robotrules" "$tree/src/base" "$tree/robotrules_core.dir" "$tree/robotrules_store.dir"
write_public() {
  cat > "$tree/include/robotrules/a.hpp" <<'END'
#define ROBOTRULES_API __attribute__((visibility("default")))
#define ROBOTRULES_INTERNAL_API ROBOTRULES_API
namespace robotrules {
namespace core {
class Inside;
}
class ROBOTRULES_API Public {
 public:
  int f() const;
  struct State;
};
struct Plain {
  int n = 0;
};
ROBOTRULES_API int open(
    int a);
}  // namespace robotrules
END
}
write_internal() { printf 'namespace robotrules::base {\n%sint internal();\nint of_core();\n}  // namespace robotrules::base\n' "$1" > "$tree/src/base/b.hpp"; }
cat > "$tree/core.cpp" <<'END'
#include <robotrules/a.hpp>
#include "base/b.hpp"
struct HIDES robotrules::Public::State { int g(); };
int robotrules::Public::State::g() { return 1; }
int robotrules::Public::f() const { return State().g(); }
int robotrules::open(int a) { return a + base::internal(); }
int robotrules::base::internal() { return 2 + of_core(); }
int robotrules::base::of_core() { return 3; }
END
printf '#include <robotrules/a.hpp>\n#include "base/b.hpp"\nint calls() { return robotrules::base::internal(); }\n' > "$tree/store.cpp"
build() {  # VISIBILITY [HIDES]
  for library in core store; do
    c++ -std=c++20 -fPIC -fvisibility="$1" -DHIDES="${2-__attribute__((visibility(\"hidden\")))}" -I"$tree/include" \
      -I"$tree/src" -c "$tree/$library.cpp" -o "$tree/robotrules_$library.dir/x.o"
  done
  ls "$tree"/robotrules_*.dir/x.o > "$tree/objects"
  c++ -shared "$tree/robotrules_core.dir/x.o" -o "$tree/core.so"
}
exports_must_fail() {  # objects or libraries, WHY
  if [ "$1" = objects ]; then set -- "$1" "$2" "$tree/objects"; else set -- "$1" "$2" "$tree/core.so"; fi
  if "$exports" "$tree" "$1" "$3" > /dev/null; then echo "passed by mistake: $1 with $2" >&2; exit 1; fi
}
write_public
write_internal 'ROBOTRULES_INTERNAL_API '
build hidden
"$exports" "$tree" objects "$tree/objects"
"$exports" "$tree" libraries "$tree/core.so"
build default
exports_must_fail libraries 'default visibility'
build hidden ''
exports_must_fail libraries 'a class in a public class that is not hidden'
write_internal ''
build hidden
exports_must_fail objects 'a call of an internal function without a mark'
write_internal 'ROBOTRULES_API '
build hidden
exports_must_fail libraries 'an internal function that is marked as a public one'
write_internal 'ROBOTRULES_INTERNAL_API '
sed -i 's/class ROBOTRULES_API/class/' "$tree/include/robotrules/a.hpp"
build hidden
exports_must_fail objects 'a public class without a mark'
write_public
sed -i 's/ROBOTRULES_API int/int/' "$tree/include/robotrules/a.hpp"
exports_must_fail objects 'a public function without a mark'
