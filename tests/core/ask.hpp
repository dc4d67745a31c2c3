// Short questions for tests: "under this dialect, with this file, may FooBot fetch that?"
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include <robotrules/rules.hpp>

#include "core/check.hpp"
#include "core/engine_answer.hpp"

namespace robotrules::test {

struct Question {
  const Dialect& dialect;
  std::string robots;
  std::string agent = "FooBot";

  Question(const Dialect& d, std::string_view body, std::string_view name = "FooBot")
      : dialect(d), robots(body), agent(name) {}

  Access operator()(std::string_view url) const { return check(Rules::compile(robots, agent, dialect), url).access(); }
  std::uint32_t line(std::string_view url) const { return check(Rules::compile(robots, agent, dialect), url).line(); }
};

// "Allow"/"Disallow" lines for every robot.
inline Question for_everyone(const Dialect& dialect, std::string_view rules) {
  return {dialect, "User-agent: *\n" + std::string(rules)};
}

}  // namespace robotrules::test

#define EXPECT_ALLOWED(question, url)                     \
  EXPECT_EQ((question)(url), robotrules::Access::allowed) \
      << robotrules::test::shown((question).robots) << " on " << (url)
#define EXPECT_DISALLOWED(question, url)                     \
  EXPECT_EQ((question)(url), robotrules::Access::disallowed) \
      << robotrules::test::shown((question).robots) << " on " << (url)
