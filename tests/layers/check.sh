#!/bin/sh
# check.sh ROOT: who may include whom. Exit status 1 and FILE:LINE for every include that points the wrong way.
#
#   include/robotrules   the standard library, <robotrules/...>; asio.hpp alone: <boost/...>
#   src/base             the standard library; <robotrules/...>; "base/..."
#   src/core             the standard library without I/O, threads, clocks and locales; <robotrules/...>; "core/...", "base/..."
#   src/store            <robotrules/...>; "store/...", "base/..."; third-party headers; nothing of the core's inside
#   src/agent            <robotrules/...>; "agent/...", "base/..."; third-party headers; nothing of the core's or the store's inside
#   cli                  <robotrules/...>, third-party headers, its own; nothing of src/
#   tests/oracle         <robotrules/...> and its own: it judges the engine and may not borrow from it
set -u
root=${1:?usage: check.sh ROOT}
cd "$root" || exit 2
status=0
complain() { echo "$1:$2: $4 may not include $3" >&2; status=1; }

# "FILE LINE <header>" or "FILE LINE "header"" for every include under the folders given.
includes() {
  find "$@" -type f \( -name '*.hpp' -o -name '*.cpp' -o -name '*.h' -o -name '*.inc' \) -exec \
    grep -nE '^[[:space:]]*#[[:space:]]*include' /dev/null {} + |
    sed -E 's/^([^:]*):([0-9]+):[^<"]*([<"][^>"]*[>"]).*/\1 \2 \3/'
}

# Compiler intrinsics have no standard header; they belong behind run-time dispatch in src/core.
core_banned=' iostream istream ostream fstream sstream cstdio filesystem thread mutex shared_mutex condition_variable future ctime locale clocale regex random '

checked=0
while read -r file line header; do
  [ -n "$file" ] || continue
  checked=$((checked + 1))
  name=${header#[<\"]} name=${name%[>\"]}
  case $file in
    include/*)
      case $header in
        '<robotrules/'*) ;;
        '<boost/'*) [ "$file" = include/robotrules/asio.hpp ] || complain "$file" "$line" "$header" "the public surface" ;;
        '<'*[./]* | '"'*) complain "$file" "$line" "$header" "the public surface" ;;
      esac ;;
    src/base/*)
      case $header in
        '<robotrules/'*) ;;
        '"base/'*) [ -f "src/$name" ] || complain "$file" "$line" "$header" "the base" ;;
        '<'*[./]* | '"'*) complain "$file" "$line" "$header" "the base" ;;
      esac ;;
    src/core/*)
      case $header in
        '<robotrules/'* | '<'*mmintrin.h'>' | '<cpuid.h>' | '<arm_neon.h>') ;;
        '"core/'* | '"base/'*) [ -f "src/$name" ] || complain "$file" "$line" "$header" "the core" ;;
        '<'*[./]* | '"'*) complain "$file" "$line" "$header" "the core" ;;
        *) case $core_banned in *" $name "*) complain "$file" "$line" "$header" "the core" ;; esac ;;
      esac ;;
    src/store/*)
      case $header in
        '"store/'* | '"base/'*) [ -f "src/$name" ] || complain "$file" "$line" "$header" "the store" ;;
        '"'* | '<core/'* | '<cli/'* | '<src/'*) complain "$file" "$line" "$header" "the store" ;;
      esac ;;
    src/agent/*)
      case $header in
        '"agent/'* | '"base/'*) [ -f "src/$name" ] || complain "$file" "$line" "$header" "the agent" ;;
        '"'* | '<core/'* | '<store/'* | '<cli/'* | '<src/'*) complain "$file" "$line" "$header" "the agent" ;;
      esac ;;
    cli/*)
      case $header in
        '"cli/'*) [ -f "$name" ] || complain "$file" "$line" "$header" "the command" ;;
        '"'*) [ -f "$(dirname "$file")/$name" ] && case $name in *..*) false ;; esac ||
                complain "$file" "$line" "$header" "the command" ;;
        '<core/'* | '<src/'*) complain "$file" "$line" "$header" "the command" ;;
      esac ;;
    tests/oracle/*)
      case $header in
        '"oracle/'*) ;;
        '"'*) [ -f "tests/oracle/$name" ] || complain "$file" "$line" "$header" "the naive matcher" ;;
        '<core/'*) complain "$file" "$line" "$header" "the naive matcher" ;;
      esac ;;
  esac
done <<END
$(for folder in include src/base src/core src/store src/agent cli tests/oracle; do if [ -d "$folder" ]; then includes "$folder"; fi; done)
END

# The clock, files and the environment can be reached without their own header too.
if [ -d src/core ]; then
  hits=$(grep -rnE '(_clock::now|std::(thread|mutex|cout|cerr|getenv|setlocale|fopen|printf)|[^_[:alnum:]](getenv|fopen|printf)\()' src/core)
  if [ -n "$hits" ]; then
    printf '%s\n' "$hits" | sed 's/$/   <- no I\/O, clock, thread or environment in the core/' >&2
    status=1
  fi
fi

[ $status = 0 ] && echo "$checked includes point the right way"
exit $status
