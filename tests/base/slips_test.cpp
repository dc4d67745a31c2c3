#include "base/slips.hpp"

#include <gtest/gtest.h>

#include <string>

namespace robotrules::base {
namespace {

TEST(Slips, AreLettersAddedMissingWrongOrSwapped) {
  const struct {
    std::string_view a, b;
    std::size_t max, slips;
  } cases[] = {
      {"", "", 3, 0},         {"", "ab", 3, 2},         {"ab", "", 1, 2},           {"kitten", "sitting", 9, 3},
      {"ab", "ba", 9, 1},     {"allow", "alow", 2, 1},  {"allow", "aloow", 2, 1},   {"allow", "dallows", 2, 2},
      {"LINT", "lint", 2, 0}, {"chekc", "CHECK", 2, 1}, {"abcdef", "uvwxyz", 2, 3}, {"abcdef", "abc", 2, 3},
      {"abcd", "abcd", 0, 0}, {"abcd", "abce", 0, 1},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(slips_between(c.a, c.b, c.max), c.slips) << c.a << " " << c.b;
    EXPECT_EQ(slips_between(c.b, c.a, c.max), c.slips) << c.b << " " << c.a;
  }
}

TEST(Slips, LongWordsAreNeverSimilar) {
  const std::string longest(max_word_bytes, 'a');
  EXPECT_EQ(slips_between(longest, longest, 2), 0u);
  EXPECT_EQ(slips_between(longest + 'a', longest + 'a', 2), 3u);
  EXPECT_EQ(slips_between(longest, std::string(max_word_bytes, 'b'), 99), max_word_bytes);
}

}  // namespace
}  // namespace robotrules::base
