// One file for each code of lint, with a near miss: what the tests of lint share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/diagnose.hpp>
#include <robotrules/robots_txt.hpp>

namespace robotrules::test {

struct LintCase {
  std::string_view code;
  Severity severity;
  std::uint32_t line, column;
  std::string body;
  std::string near_miss;  // `code` must not be found in it
  std::string_view dialect = "rfc9309";
};

std::vector<LintCase> lint_cases();

// Some robots by name, as the command knows many.
LintOptions known_robots();

}  // namespace robotrules::test
