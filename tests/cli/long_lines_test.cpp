// Long lines of text: on a terminal they are broken between words, elsewhere they stay whole.
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/command.hpp"
#include "cli/io/colours.hpp"
#include "cli/io/text.hpp"
#include "cli/terminal.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

struct WrapCase {
  const char* name;
  std::string text;
  std::string lines;
  std::size_t columns = 10;
  std::size_t indent = 2;
  std::size_t at = 0;
};

class WrappedLine : public ::testing::TestWithParam<WrapCase> {};

TEST_P(WrappedLine, EndsBeforeTheWordThatGoesTooFar) {
  const WrapCase& given = GetParam();
  EXPECT_EQ(cli::wrapped(given.text, given.columns, given.indent, given.at), given.lines);
}

INSTANTIATE_TEST_SUITE_P(Table, WrappedLine,
                         ::testing::Values(WrapCase{"empty", "", ""}, WrapCase{"short_one", "one two", "one two"},
                                           WrapCase{"just_fits", "four words", "four words"},
                                           WrapCase{"one_too_far", "three words", "three\n  words"},
                                           WrapCase{"indent_counts", "one two three 45", "one two\n  three 45"},
                                           WrapCase{"begins_later", "one two", "one\n  two", 10, 2, 4},
                                           WrapCase{"long_word", "a 0123456789ab b", "a\n  0123456789ab\n  b"},
                                           WrapCase{"only_a_long_word", "0123456789ab", "0123456789ab"},
                                           WrapCase{"narrower_than_the_indent", "aa bb", "aa\n    bb", 3, 4},
                                           WrapCase{"spaces_stay", "  a  b", "  a  b"},
                                           WrapCase{"colours", cli::Paint(true)(cli::Style::bad, "three") + " word",
                                                    cli::Paint(true)(cli::Style::bad, "three") + " word"}),
                         [](const auto& info) { return std::string(info.param.name); });

struct LongCase {
  const char* name;
  std::vector<std::string> words;  // "F" is a file
  std::string goes_on;             // how a line begins that goes on
};

class LongLines : public ::testing::TestWithParam<LongCase> {};

// Returns the words with one space between them.
std::string words_of(std::string_view text) {
  std::string words;
  for (const char c : text) {
    const bool is_space = std::string_view(" \t\r\n").find(c) != std::string_view::npos;
    if (!is_space || !words.ends_with(' ')) words += is_space ? ' ' : c;
  }
  return words;
}

TEST_P(LongLines, AreBrokenBetweenWordsOnATerminalOnly) {
  constexpr std::size_t columns = 70;
  const TemporaryFolder folder;
  std::vector<std::string> words = GetParam().words;
  std::ranges::replace(words, "F", folder.file("f.txt", "User-agent: *\nDisallow: y\nDisallow: /x\n"));
  const std::string plain = run(words).out;
  const auto is_long = [](const std::string& line) { return line.size() > columns; };
  EXPECT_TRUE(std::ranges::any_of(lines_of(plain), is_long)) << plain;

  const OnTerminal ran = run_on_terminal(words, columns, 24, [](const Screen&) { return ""; }, true, nullptr, "dumb");
  EXPECT_TRUE(words_of(ran.written).starts_with(words_of(plain))) << ran.written;
  EXPECT_NE(ran.written.find("\n" + GetParam().goes_on), std::string::npos) << ran.written;
  for (const std::string& line : lines_of(ran.written)) EXPECT_LE(line.size(), columns + 1) << line;  // with its CR
}

INSTANTIATE_TEST_SUITE_P(
    Table, LongLines,
    ::testing::Values(LongCase{"lint", {"lint", "F"}, "  "},
                      LongCase{"explanation", {"check", "--explain", "-r", "F", "/x"}, "               "},
                      LongCase{"dialects", {"check", "--explain", "--dialect", "all", "-r", "F", "/x"}, "       "},
                      LongCase{"kinds_of_crawlers", {"agents", "F"}, "  are used for it"},
                      LongCase{"last_column", {"agents", "--url", "/x", "F"}, std::string(53, ' ') + "robots.txt"}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace robotrules::test::THIS_FILE
