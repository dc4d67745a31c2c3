// Rules and a URL under any preset: the verdict, its line, pattern, reason and runner-up are the oracle's, which shares
// no code with the engine.
//
// Input: a byte for the dialect, the URL up to LF, then lines: a byte (even: Disallow, odd: Allow) and the pattern.
#include <string>

#include <robotrules/core.hpp>

#include "input.hpp"
#include "oracle/oracle.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace robotrules;
  using namespace robotrules::fuzz;
  Input input(data, size);
  const Dialect dialect = dialect_of(input.byte());
  const std::string_view url = input.line();
  std::string robots = "User-agent: *\n";
  while (!input.empty()) {
    const std::string_view line = input.line();
    if (line.empty()) continue;
    robots += (line.front() & 1) != 0 ? "Allow: " : "Disallow: ";
    robots += line.substr(1);
    robots += '\n';
  }
  constexpr std::string_view robots_url = "http://foo.example/robots.txt";
  const Rules rules = Rules::compile(robots, "FooBot", dialect, robots_url);
  const oracle::File file = oracle::read(robots, dialect);
  const auto compare = [&](std::string_view asked) {
    const oracle::Answer wanted = oracle::ask(file, "FooBot", asked, dialect, robots_url);
    const Verdict verdict = rules.check(asked);
    const auto rule = verdict.rule();
    const auto runner_up = verdict.runner_up();
    const oracle::Answer answer{verdict.access(), verdict.why(), verdict.line(),
                                rule ? std::string(rule->pattern) : std::string(), runner_up ? runner_up->line : 0};
    if (answer == wanted) return;
    std::fprintf(stderr, "oracle: %s\nengine: %s\n", to_string(wanted).c_str(), to_string(answer).c_str());
    require(false, "engine and oracle agree");
  };
  compare(url);
  // The first rule as a path of its own.
  if (!file.groups.empty() && !file.groups.front().rules.empty()) {
    compare("http://foo.example" + file.groups.front().rules.front().written);
  }
  return 0;
}
