#include <gtest/gtest.h>

#include "base/ascii.hpp"

namespace robotrules::agent {
namespace {

TEST(Ascii, DigitsAreCappedAndNeverOverflow) {
  EXPECT_EQ(base::read_digits("0", 100), 0);
  EXPECT_EQ(base::read_digits("0099", 100), 99);
  EXPECT_EQ(base::read_digits("101", 100), 100);
  EXPECT_EQ(base::read_digits(std::string(10'000, '9'), INT64_MAX), INT64_MAX);
  EXPECT_EQ(base::read_digits("9223372036854775807", INT64_MAX), INT64_MAX);
  for (const char* none : {"", "-1", "+1", " 1", "1 ", "1.0", "0x1", "1e3"})
    EXPECT_FALSE(base::read_digits(none, 100)) << none;
}

TEST(Ascii, NothingBeyondAsciiHasACase) {
  EXPECT_TRUE(base::equals_ignore_case("No-Cache", "nO-cACHE"));
  EXPECT_FALSE(base::equals_ignore_case("\xC4", "\xE4"));
  EXPECT_FALSE(base::equals_ignore_case("[", "{"));
  EXPECT_FALSE(base::equals_ignore_case("a", "ab"));
}

}  // namespace
}  // namespace robotrules::agent
