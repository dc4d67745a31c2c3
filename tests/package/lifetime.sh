#!/bin/sh
# lifetime.sh INCLUDE COMPILER...: clang warns of what outlives the object that it looks into. Exit status 77 where clang is
# missing.
set -u
include=$1
shift
clang=
for compiler in "$@"; do
  case $("$compiler" --version 2>/dev/null) in *clang*) clang=$compiler ;; esac
done
[ -n "$clang" ] || { echo "clang++-19 is not installed: its warnings about lifetimes were not tried"; exit 77; }

compiles() {
  printf '#include <robotrules/message.hpp>\n#include <robotrules/base.hpp>\n#include <robotrules/robots_txt.hpp>\n%s\n' "$1" |
    "$clang" -std=c++20 -Wall -Werror -fsyntax-only -I"$include" -x c++ - >/dev/null 2>&1
}
status=0
compiles 'robotrules::Verdict f(const robotrules::Rules& rules) { return rules.check("/"); }' ||
  { echo "a verdict of rules that live on is warned of" >&2; status=1; }
while read -r wrong; do
  compiles "using namespace robotrules; $wrong" && { echo "no warning: $wrong" >&2; status=1; }
done <<'END'
Verdict f() { Rules rules; return rules.check("/"); }
Verdict f() { return Rules().check("/"); }
std::string_view f() { RobotsTxt file; return file.text(); }
int f() { int n = 0; for (const Group& group : RobotsTxt::parse("").groups()) n += static_cast<int>(group.line); return n; }
std::vector<Sitemap> f() { RobotsTxt file; return file.sitemaps(); }
const std::string& f(Result<std::string> (*made)()) { const std::string& s = made().value(); return s; }
std::optional<std::string_view> f() { Headers headers; return headers.get("a"); }
BodyView f() { Response response; return response.whole_body(); }
BodyView f() { return Response().recorded_body(); }
END
[ $status = 0 ] && echo "clang warns of what outlives its object"
exit $status
