// Rules the slow and plain way, for the harnesses of matching: every rule is tried, by a matcher that goes back to the
// last star. Octets are compared as they are; what percent-encoding does is not looked at here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/dialect.hpp>

namespace robotrules::fuzz {

struct NaiveRule {
  bool allow = false;
  std::string pattern;
  std::uint32_t line = 0;
};

struct NaiveVerdict {
  const NaiveRule* rule = nullptr;
  const NaiveRule* runner_up = nullptr;
};

NaiveVerdict naive_check(const std::vector<NaiveRule>& rules, std::string_view path, const Dialect& dialect);

}  // namespace robotrules::fuzz
