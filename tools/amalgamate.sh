#!/bin/sh
# amalgamate.sh CRAWLER_TABLE [ROOT]: writes robotrules.hpp, the core and its advice in one header, to standard output.
# CRAWLER_TABLE is the generated source src/advice/compare/crawler_table.cpp of a build.
#
# Each public header of both comes once, then, for the one file that defines ROBOTRULES_IMPLEMENTATION, each private
# header and source. Names without linkage (anonymous namespaces) must differ between the sources of both, because
# they meet in one file here.
set -eu
table=${1:?usage: amalgamate.sh CRAWLER_TABLE [ROOT]}
[ -s "$table" ] || { echo "amalgamate.sh: $table is missing: build robotrules_advice first" >&2; exit 2; }
cd "${2:-$(dirname "$0")/..}"
LC_ALL=C
export LC_ALL

version=$(sed -n 's/^#define ROBOTRULES_VERSION "\(.*\)"$/\1/p' include/robotrules/version.hpp)
cat <<END
// robotrules $version: the core and its advice in one header, made by tools/amalgamate.sh. Do not edit it.
//
//     #define ROBOTRULES_IMPLEMENTATION  // in exactly one source
//     #include "robotrules.hpp"
//
//     auto rules = robotrules::Rules::compile(body, "FooBot");
//     if (rules.check("https://example.org/page").allowed()) fetch();
//
// It needs C++20 and nothing but the standard library. The licence is Apache-2.0 (LICENSE).
#ifndef ROBOTRULES_SINGLE_HEADER
#define ROBOTRULES_SINGLE_HEADER

END

# The sources come in an order that does not depend on the machine; of src/base only those that they use.
awk -v table="$table" '
  # Prints a file, with the headers of the project that it includes in place of its #include lines, each once.
  function emit(path,    line, name) {
    while ((getline line < path) > 0) {
      if (line ~ /^#pragma once/) continue
      if (line ~ /^#include <robotrules\//) {
        name = line; sub(/^#include </, "", name); sub(/>.*/, "", name)
        emit_once("include/" name)
      } else if (line ~ /^#include "/) {
        name = line; sub(/^#include "/, "", name); sub(/".*/, "", name)
        emit_once("src/" name)
      } else if (line ~ /^#include </) {
        if (!(line in seen)) print line
        seen[line]
      } else {
        print line
      }
    }
    close(path)
  }
  function emit_once(path,    source) {
    if (path in seen) return
    seen[path]
    print "\n// " path
    emit(path)
    if (path ~ /^src\/base\/.*\.hpp$/) {
      source = path
      sub(/\.hpp$/, ".cpp", source)
      sources[++count] = source
    }
  }
  BEGIN {
    emit_once("include/robotrules/core.hpp")
    emit_once("include/robotrules/compare.hpp")
    emit_once("include/robotrules/crawlers.hpp")
    emit_once("include/robotrules/diagnose.hpp")
    print "\n#ifdef ROBOTRULES_IMPLEMENTATION"
    while (("find src/core src/advice -name \"*.cpp\" | sort" | getline path) > 0) sources[++count] = path
    for (i = 1; i <= count; ++i) {
      if ((getline line < sources[i]) < 0) continue  # a header without a source
      close(sources[i])
      emit_once(sources[i])
    }
    print "\n// the list of known crawlers"
    emit(table)
    print "\n#endif  // ROBOTRULES_IMPLEMENTATION"
    print "#endif  // ROBOTRULES_SINGLE_HEADER"
  }'
