#!/bin/sh
# growth_test.sh CHECKS SCRATCH: growth.sh must pass what is within its limits and fail on each thing that is not; so must
# file_names.sh on two sources of one name.
set -eu
growth=$1/growth.sh names=$1/file_names.sh tree=$2/growth
# A room of ten lines, a class with two members, one header, and a source of eight lines: functions of four and three.
rm -rf "$tree"
mkdir -p "$tree/include/robotrules" "$tree/src/base" "$tree/cli" "$tree/bindings/c" "$tree/bindings/python" \
         "$tree/tests/layers"
cat > "$tree/src/base/a.hpp" <<'END'
class Two final : public Base {
 public:
  Two(int a, int b = 0);
  bool f(std::function<void(int)> call) const;
  virtual void g() noexcept = 0;

 private:
  std::function<void(int)> first_;  // a member; not a function
  int second_{3};
};
END
for i in 1 2 3 4 5 6 7 8; do printf 'struct S%s {\n  int n = 0;\n};\n' $i > "$tree/cli/s$i.hpp"; done
cat > "$tree/cli/two.cpp" <<'END'
int one(const std::vector<int>& a = {}) {  // {
  return a.size() + '{' + R"(
{ ")";
}
template <class T>
void Two::operator==(const T& t) {
  call([&] { return t.find({}); });
}
END
echo > "$tree/include/robotrules/h.hpp"
mkdir "$tree/docs"
limit() {  # LINES of the room, HEADERS, MEMBERS of the class, and further limits
  printf '| room | what it does | may include | may also call | lines | library |\n|---|---|---|---|---|---|\n' > "$tree/docs/architecture.md"
  printf '| %s | x | – | – | %s | x |\n' base "$1" other 1 >> "$tree/docs/architecture.md"
  printf 'lines cli 99\nheaders %s\nmembers 1\nmembers Two %s\n' "$2" "$3" > "$tree/tests/layers/growth_limits.txt"
  printf '%s\n' "${4:-function 4}" "${5:-source 8}" "${6:-header 10}" >> "$tree/tests/layers/growth_limits.txt"
}
growth_must_fail() {
  if "$growth" "$tree" > /dev/null; then echo "passed by mistake: $1" >&2; exit 1; fi
}
limit 10 1 2
"$growth" "$tree"
limit 9 1 2
growth_must_fail 'a room of ten lines where nine are allowed'
limit 10 0 2
growth_must_fail 'a header too many'
limit 10 1 1
growth_must_fail 'a class with a member too many'
limit 10 1 2 'function 3'
growth_must_fail 'a function of four lines where three are allowed'
limit 10 1 2 'function 2
function one 4
function operator== 2'
growth_must_fail 'a function of three lines that has a limit of two'
limit 10 1 2 'function 2
function one 4
function operator== 3'
"$growth" "$tree"
limit 10 1 2 'function 4
function one 4'
growth_must_fail 'a line of a function that is not too long any more'
limit 10 1 2 '' 'source 7'
growth_must_fail 'a source of eight lines where seven are allowed'
limit 10 1 2 '' 'source 7
source cli/two.cpp 8'
"$growth" "$tree"
limit 10 1 2 '' 'source 8
source cli/one.cpp 9'
growth_must_fail 'a line of a source that does not exist'
limit 10 1 2 '' '' 'header 9'
growth_must_fail 'a header of ten lines where nine are allowed'
limit 10 1 2 '' '' 'header 9
header src/base/a.hpp 10'
"$growth" "$tree"
limit 10 1 2
echo 'void open() {' > "$tree/cli/open.cpp"
growth_must_fail 'a source whose braces do not match' 2> "$2/braces.txt"
rm "$tree/cli/open.cpp"
printf '%s\n' pass pass pass pass pass pass pass pass pass > "$tree/bindings/python/nine.py"
growth_must_fail 'a source in Python of nine lines where eight are allowed'
rm "$tree/bindings/python/nine.py"
mkdir "$tree/src/new" && echo > "$tree/src/new/a.cpp"
growth_must_fail 'a room without a limit'
rm -r "$tree/src/new"
printf 'struct Many {\n  int a;\n  int b;\n};\n' > "$tree/cli/many.hpp"
growth_must_fail 'a class above the limit of all'
rm "$tree/cli/many.hpp"

"$names" "$tree"
mkdir "$tree/cli/folder"
echo > "$tree/cli/folder/a.hpp"  # as src/base/a.hpp
if "$names" "$tree" > /dev/null; then echo "passed by mistake: two files with one name" >&2; exit 1; fi
echo "growth.sh and file_names.sh find what is too much"
