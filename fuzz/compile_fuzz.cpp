// Files of many rules: what the index finds is what trying them all finds. Input: see rules_input.hpp; a rule may stand
// for as many as 300.
#include "rules_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace robotrules;
  using namespace robotrules::fuzz;
  const RulesInput input = rules_input(Input(data, size), {1, 9, 40, 300});
  const Rules rules = Rules::compile(input.robots, "FooBot", input.dialect);
  compare(input, rules, input.path);
  // The last rule and one from the middle, longer and shorter by an octet.
  for (const std::size_t index : {input.rules.size() / 2, input.rules.size() - 1}) {
    if (index >= input.rules.size() || input.rules[index].pattern.front() != '/') continue;
    std::string path = input.rules[index].pattern + 'c';
    compare(input, rules, path);
    path.resize(path.size() - 1);
    compare(input, rules, path);
    if (path.size() > 1) compare(input, rules, std::string_view(path).substr(0, path.size() - 1));
  }
  return 0;
}
