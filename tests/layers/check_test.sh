#!/bin/sh
# check_test.sh CHECK SCRATCH: check.sh must pass a clean tree and fail on each wrong line put into it.
set -eu
check=$1 tree=$2/layers
rm -rf "$tree"
mkdir -p "$tree/include/robotrules" "$tree/src/base" "$tree/src/core" "$tree/src/agent" "$tree/cli" "$tree/tests/oracle"
printf '#include <string>\n#include <robotrules/b.hpp>\n' > "$tree/include/robotrules/a.hpp"
printf '#include <cstdio>\n#include <robotrules/a.hpp>\n#include "base/w.hpp"\n' > "$tree/src/base/w.cpp"
: > "$tree/src/base/w.hpp"
printf '#include <string>\n#include "core/x.hpp"\n#include "base/w.hpp"\n#include <immintrin.h>\n' > "$tree/src/core/x.cpp"
: > "$tree/src/core/x.hpp"
printf '#include <expat.h>\n#include <robotrules/a.hpp>\n#include "agent/z.hpp"\n' > "$tree/src/agent/z.cpp"
: > "$tree/src/agent/z.hpp"
printf '#include <CLI/CLI.hpp>\n#include <robotrules/a.hpp>\n#include "cli/y.hpp"\n' > "$tree/cli/y.cpp"
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
must_fail src/agent/bad.cpp '#include "core/x.hpp"'
must_fail src/agent/bad.cpp '#include "store/site.hpp"'
must_fail src/agent/bad.cpp '#include "agent/missing.hpp"'
must_fail cli/bad.cpp '#include "core/x.hpp"'
must_fail cli/bad.cpp '#include "src/core/x.hpp"'
must_fail cli/bad.cpp '#include "../src/core/x.hpp"'
must_fail tests/oracle/bad.cpp '#include "core/x.hpp"'
"$check" "$tree"
