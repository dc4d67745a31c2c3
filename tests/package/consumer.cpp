// What someone who has just installed the library writes first. Every consumer project here builds this one file.
// It links the library core alone, so it also shows that the headers of the other libraries only declare.
#include <iostream>

#include <robotrules/all.hpp>

static int unused() { return 0; }  // a warning under -Wall: the library must not make it an error

int main() {
  auto rules = robotrules::Rules::compile("User-agent: *\nDisallow: /private\n", "FooBot");
  auto verdict = rules.check("https://example.org/private/page");
  std::cout << to_string(verdict.access()) << " by line " << verdict.line() << '\n';
  return verdict.allowed() ? 1 : 0;
}
