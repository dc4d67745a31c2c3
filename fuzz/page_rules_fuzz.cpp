// Any octets as X-Robots-Tag fields and as a page: fields add up as combine() says, and every rule is within its
// bounds.
//
// Input: a line for the robot's name, a line a field, an empty line, the page.
#include <algorithm>
#include <vector>

#include <robotrules/page.hpp>

#include "input.hpp"

namespace {

using namespace robotrules;
using namespace robotrules::fuzz;

PageRules of_one(std::string_view value, std::string_view agent) { return read_x_robots_tag({&value, 1}, agent); }

void check(const PageRules& rules) {
  require(!rules.max_snippet || *rules.max_snippet >= -1, "a limit is a limit");
  require(!rules.max_video_preview || *rules.max_video_preview >= -1, "of videos too");
  require(rules.unknown.size() <= 100, "unknown rules are bounded");
  for (const std::string& rule : rules.unknown) require(!rule.empty() && rule.size() <= 200, "and so is each");
  require(combine(rules, rules) == rules, "twice is once");
  require(combine(rules, {}) == rules && combine({}, rules) == rules, "nothing adds nothing");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const std::string_view agent = input.line();
  std::vector<std::string_view> values;
  PageRules sum;
  while (!input.empty()) {
    const std::string_view value = input.line();
    if (value.empty()) break;
    values.push_back(value);
    const PageRules one = of_one(value, agent);
    PageRules forwards = combine(sum, one);
    PageRules backwards = combine(one, sum);
    forwards.unknown.clear();
    backwards.unknown.clear();
    require(forwards == backwards, "the order is nothing");
    sum = combine(sum, one);
  }
  require(read_x_robots_tag(values, agent) == sum, "fields add up");
  check(sum);
  const PageRules of_page = read_robots_meta(input.rest(), agent);
  check(of_page);
  check(combine(sum, of_page));
  return 0;
}
