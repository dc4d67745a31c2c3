// Answers of servers that mean harm, one of each kind.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/server/reply.hpp"

namespace robotrules::test {

// Good answers are among them, with `robots` as their body.
std::vector<Handler> hostile_answers(const std::string& robots);

}  // namespace robotrules::test
