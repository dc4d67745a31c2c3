#!/bin/sh
# check.sh ROOT: which room may include which. Exit status 1, with FILE:LINE, for each include that points the wrong way.
#
#   include/robotrules   the standard library, <robotrules/...>; asio.hpp alone: <boost/...>
#   src/ROOM             <robotrules/...>, and the private headers of its own and of the rooms that docs/architecture.md
#                        names in the table of rooms;
#                        base, core and advice: nothing but the standard library beside; core and advice without I/O,
#                        threads, clocks, locales
#   include/robotrules.h <robotrules/...>, <stddef.h>, <stdint.h>
#   cli                  <robotrules/...>, third-party headers, its own, and base
#   bindings             <robotrules/...>, <robotrules.h>, the standard library (of C too: <string.h>), and its own;
#                        python alone: headers of Python and of the dynamic linker
#                        js alone: codec/decompressor.hpp, as its module has no libraries to decode with
#   tests/oracle         <robotrules/...> and its own: it judges the engine and may not borrow from it
#
# check_symbols.sh holds the same order for what the compiled rooms call.
set -u
root=${1:?usage: check.sh ROOT}
cd "$root" || exit 2
status=0
complain() { echo "$1:$2: $4 may not include $3" >&2; status=1; }

rooms=$("$(dirname "$0")/rooms.sh" .) || exit 2
# rooms_ROOM: the rooms whose private headers this room may include, beside its own.
eval "$(printf '%s\n' "$rooms" | sed -E "s/^([a-z]+) [^|]*[|] ([a-z ]*)[|].*/rooms_\1='\2'/")"

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
    include/robotrules.h)
      case $header in
        '<robotrules/'* | '<stddef.h>' | '<stdint.h>') ;;
        *) complain "$file" "$line" "$header" "the C header" ;;
      esac ;;
    include/*)
      case $header in
        '<robotrules/'*) ;;
        '<boost/'*) [ "$file" = include/robotrules/asio.hpp ] || complain "$file" "$line" "$header" "the public surface" ;;
        '<'*[./]* | '"'*) complain "$file" "$line" "$header" "the public surface" ;;
      esac ;;
    src/*)
      room=${file#src/} room=${room%%/*}
      eval "allowed=\${rooms_$room-none}"
      if [ "$allowed" = none ]; then
        echo "$file: docs/architecture.md has no row for the room $room" >&2; status=1; continue
      fi
      case $header in
        '<robotrules/'*) ;;
        '"'*) case " $room $allowed " in
                *" ${name%%/*} "*) [ -f "src/$name" ] || complain "$file" "$line" "$header" "$room" ;;
                *) complain "$file" "$line" "$header" "$room" ;;
              esac ;;
        '<cli/'* | '<src/'*) complain "$file" "$line" "$header" "$room" ;;
        '<'*[./]*)
          case $header in */*) [ ! -d "src/${name%%/*}" ] || complain "$file" "$line" "$header" "$room" ;; esac
          case $room:$header in
            core:'<'*mmintrin.h'>' | core:'<cpuid.h>' | core:'<arm_neon.h>') ;;
            core:* | advice:* | base:*) complain "$file" "$line" "$header" "$room" ;;
          esac ;;
        *) case $room in
             core | advice)
               case $core_banned in *" $name "*) complain "$file" "$line" "$header" "$room" ;; esac ;;
           esac ;;
      esac ;;
    cli/*)
      case $header in
        '"cli/'*) [ -f "$name" ] || complain "$file" "$line" "$header" "the command" ;;
        '"base/'*) [ -f "src/$name" ] || complain "$file" "$line" "$header" "the command" ;;
        '"'*) [ -f "$(dirname "$file")/$name" ] && case $name in *..*) false ;; esac ||
                complain "$file" "$line" "$header" "the command" ;;
        '<core/'* | '<src/'*) complain "$file" "$line" "$header" "the command" ;;
      esac ;;
    bindings/*)
      binding=${file#bindings/} binding=${binding%%/*}
      case $header in
        '<robotrules/'* | '<robotrules.h>' | '<string.h>' | '<time.h>') ;;
        '<structmember.h>' | '<dlfcn.h>') [ "$binding" = python ] || complain "$file" "$line" "$header" "the binding $binding" ;;
        '"codec/decompressor.hpp"') [ "$binding" = js ] || complain "$file" "$line" "$header" "the binding $binding" ;;
        "\"$binding/"*) [ -f "bindings/$name" ] || complain "$file" "$line" "$header" "the binding $binding" ;;
        '<'*[./]* | '"'*) complain "$file" "$line" "$header" "the binding $binding" ;;
      esac ;;
    tests/oracle/*)
      case $header in
        '"oracle/'*) ;;
        '"'*) [ -f "tests/oracle/$name" ] || complain "$file" "$line" "$header" "the naive matcher" ;;
        '<core/'*) complain "$file" "$line" "$header" "the naive matcher" ;;
      esac ;;
  esac
done <<END
$(for folder in include src cli bindings tests/oracle; do if [ -d "$folder" ]; then includes "$folder"; fi; done)
END

# The clock, files and the environment can be reached without their own header too.
for room in core advice; do
  [ -d "src/$room" ] || continue
  hits=$(grep -rnE '(_clock::now|std::(thread|mutex|cout|cerr|getenv|setlocale|fopen|printf)|[^_[:alnum:]](getenv|fopen|printf)\()' "src/$room")
  if [ -n "$hits" ]; then
    printf '%s\n' "$hits" | sed "s/\$/   <- no I\/O, clock, thread or environment in $room/" >&2
    status=1
  fi
done

[ $status = 0 ] && echo "$checked includes point the right way"
exit $status
