#!/bin/sh
# check_test.sh CHECK SCRATCH COMPILER [endbr]: a program that is built without any of it is found out, point by point.
set -eu
check=$1 scratch=$2 compiler=$3 marks=${4:-}
points="PIE RELRO BIND_NOW stack.protector executable.stack FORTIFY GLIBCXX" off=
if [ "$marks" = endbr ]; then points="$points cf-protection" off=-fcf-protection=none; fi
printf '#include <vector>\nint main(int count, char**) { std::vector<int> v(9); return v[count]; }\n' > "$scratch/bare.cpp"
"$compiler" -O1 -fno-stack-protector -U_FORTIFY_SOURCE $off -no-pie -fno-pie -z execstack -z lazy -z norelro \
  -o "$scratch/bare" "$scratch/bare.cpp"
if said=$("$check" "$scratch/bare" $marks 2>&1); then
  echo "a bare program passes" >&2
  exit 1
fi
for point in $points; do
  echo "$said" | grep -q -- "$point" || { echo "a bare program is not told of: $point" >&2; exit 1; }
done
