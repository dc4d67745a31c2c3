// check: the verdict of temporary rules, for a single expression.
#pragma once

#include <string_view>

#include <robotrules/rules.hpp>

namespace robotrules::test {

// The verdict must not outlive `rules`.
inline Verdict check(const Rules& rules, std::string_view url) { return rules.check(url); }

}  // namespace robotrules::test
