#include "base/whole_lines.hpp"

#include <gtest/gtest.h>

#include <string>

namespace robotrules::base {
namespace {

using namespace std::string_view_literals;

TEST(WholeLines, EndWithinTheLimit) {
  const struct {
    std::string_view text;
    std::size_t limit, kept;
  } cases[] = {
      {"", 0, 0},       {"", 5, 0},         {"abc", 5, 0},      {"a\n", 5, 2},     {"a\nb", 5, 2},
      {"a\nb\n", 3, 3}, {"a\nb\n", 2, 2},   {"a\nbc\n", 3, 2},  {"a\rbc\r", 3, 2}, {"a\r\nbc\r\n", 5, 5},
      {"a\r\nb", 2, 2}, {"a\r\nb", 1, 1},   {"\n\n", 1, 1},     {"abc\n", 0, 0},   {"\nabc", 0, 0},
      {"\xFF\n", 2, 2}, {"\xFE\x0A", 2, 2}, {"a\0\nb"sv, 4, 3},
  };
  for (const auto& c : cases) EXPECT_EQ(whole_lines(c.text, c.limit), c.kept) << c.text << " " << c.limit;
}

// U+0A05 and U+0D0A have the bytes of line ends and are none.
TEST(WholeLines, OfUtf16EndWithALineEndOfTwoBytes) {
  const struct {
    std::string_view little, big;
    std::size_t limit, kept;
  } cases[] = {
      {"\xFF\xFE"sv, "\xFE\xFF"sv, 9, 0},
      {"\xFF\xFE\x05\x0A"sv, "\xFE\xFF\x0A\x05"sv, 9, 0},
      {"\xFF\xFE\n\0a\0"sv, "\xFE\xFF\0\n\0a"sv, 6, 4},
      {"\xFF\xFE\n\0\x05\x0A"sv, "\xFE\xFF\0\n\x0A\x05"sv, 6, 4},
      {"\xFF\xFE\n\0\x0A\x0D\x0D\x0A"sv, "\xFE\xFF\0\n\x0D\x0A\x0A\x0D"sv, 8, 4},
      {"\xFF\xFE\n\0a\0\r\0"sv, "\xFE\xFF\0\n\0a\0\r"sv, 6, 6},
      {"\xFF\xFE\n\0a\0\r\0"sv, "\xFE\xFF\0\n\0a\0\r"sv, 7, 6},
      {"\xFF\xFE\n\0a\0\n"sv, "\xFE\xFF\0\n\0a\0"sv, 6, 4},
      {"\xFF\xFE\n\0a"sv, "\xFE\xFF\0\n\0"sv, 9, 4},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(whole_lines(c.little, c.limit), c.kept) << &c - cases;
    EXPECT_EQ(whole_lines(c.big, c.limit), c.kept) << &c - cases;
  }
}

TEST(WholeLines, OfUtf16WithoutAMarkAreThoseOfTheGivenByteOrder) {
  EXPECT_EQ(whole_lines("\n\0\x05\x0A"sv, 4, ByteOrder::little), 2u);
  EXPECT_EQ(whole_lines("\0\n\x0A\x05"sv, 4, ByteOrder::big), 2u);
  EXPECT_EQ(whole_lines("\xFF\xFE\n"sv, 3, ByteOrder::none), 3u);
}

}  // namespace
}  // namespace robotrules::base
