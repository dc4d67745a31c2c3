// Lines: how they end, how they are counted, and that nothing inside a line makes another.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include <robotrules/robots_txt.hpp>

#include "core/check.hpp"
#include "core/engine_answer.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::string_literals;

TEST(Lines, AreCountedAsEditorsDo) {
  struct Case {
    std::string text;
    std::uint32_t lines;
  };
  for (const Case& c : std::vector<Case>{{"", 0},
                                         {"a", 1},
                                         {"a\n", 1},
                                         {"a\nb", 2},
                                         {"\n", 1},
                                         {"\r", 1},
                                         {"\r\n", 1},
                                         {"\n\r", 2},
                                         {"\r\r\n", 2},
                                         {"a\r\rb", 3},
                                         {"a\r\nb\rc\nd", 4},
                                         {"\n\n\n", 3},
                                         {"\r\n\r\n", 2},
                                         {"a\n\r\nb\n", 3},
                                         {"a\x0B\x0C"
                                          "b",
                                          1},
                                         {"a\xE2\x80\xA8"
                                          "b\xC2\x85"
                                          "c",
                                          1}}) {
    EXPECT_EQ(RobotsTxt::parse(c.text).line_count(), c.lines) << shown(c.text);
  }
}

TEST(Lines, MixedEndsKeepTheirNumbers) {
  const std::string body =
      "User-agent: *\r\nDisallow: /2\rDisallow: /3\n\nDisallow: /5\r\r\nDisallow: /7\n\rDisallow: /9";
  const RobotsTxt file = RobotsTxt::parse(body);
  const Rules rules = Rules::compile(body, "x");
  for (const std::uint32_t line : {2U, 3U, 5U, 7U, 9U}) {
    EXPECT_EQ(rules.check("/" + std::to_string(line)).line(), line);
    EXPECT_EQ(check(file.rules_for("x"), "/" + std::to_string(line)).line(), line);
  }
  EXPECT_EQ(file.line_count(), 9U);
}

// Line ends at every offset of the blocks that a scanner may read at once, and at the end of the file.
TEST(Lines, EndsAreFoundAtEveryOffset) {
  for (std::size_t before = 0; before < 300; ++before) {
    for (const char* end : {"\n", "\r", "\r\n", "\n\r\n"}) {
      const std::string body = std::string(before, '#') + end + "User-agent: *" + end + "Disallow: /x" + end;
      const ExactBlock block(body);
      const std::uint32_t line = std::string_view(end) == "\n\r\n" ? 5 : 3;
      ASSERT_EQ(check(Rules::compile(block.view(), "x"), "/x").line(), line) << before << shown(end);
      ASSERT_EQ(RobotsTxt::parse(block.view()).directive(1).line, line) << before << shown(end);
    }
  }
}

TEST(Lines, ACarriageReturnAtTheVeryEndIsALineEnd) {
  const ExactBlock block("User-agent: *\rDisallow: /x\r");
  EXPECT_EQ(RobotsTxt::parse(block.view()).line_count(), 2U);
  EXPECT_EQ(check(Rules::compile(block.view(), "x"), "/x").line(), 2U);
}

TEST(Lines, NulIsNoLineEnd) {
  const std::string body = "User-agent: *\0\nDisallow: /a\0b\n\0Disallow: /c\n\0\0\nDisallow: /d\0"s;
  const RobotsTxt file = RobotsTxt::parse(body);
  EXPECT_EQ(file.line_count(), 5U);
  const Rules rules = file.rules_for("x");
  EXPECT_EQ(rules.check("/a%00b").line(), 2U);
  EXPECT_EQ(rules.check("/c").line(), 3U);
  EXPECT_EQ(rules.check("/d").line(), 5U);
  EXPECT_TRUE(rules.check("/a").allowed());
}

TEST(Lines, GoogleEndsALineAtNulAndGoesOnBehindIt) {
  const Rules rules = Rules::compile("User-agent: *\0 x\nDisallow: /a\0b\nDisallow: /c"s, "x", Dialect::google());
  EXPECT_EQ(rules.check("/a").line(), 2U);
  EXPECT_EQ(rules.check("/c").line(), 3U);
}

TEST(Lines, AByteOrderMarkIsNoLineAndMovesNoNumber) {
  for (const std::string& mark : {""s, "\xEF\xBB\xBF"s, "\xEF\xBB"s}) {
    const RobotsTxt file = RobotsTxt::parse(mark + "User-agent: *\nDisallow: /x");
    ASSERT_EQ(file.size(), 2U);
    EXPECT_EQ(file.directive(0).kind, DirectiveKind::user_agent);
    EXPECT_EQ(file.directive(0).name, "User-agent");
    EXPECT_EQ(file.directive(1).line, 2U);
    EXPECT_EQ(file.directive(1).column, 1U);
  }
}

TEST(Lines, BlankLinesOfEveryKindSayNothing) {
  for (const std::string& blank : {" "s, "\t"s, "\v\f"s, "\0"s, " \0 "s, "#"s, " # x"s, ""s}) {
    const RobotsTxt file = RobotsTxt::parse(blank + "\n" + blank + "\n" + blank);
    EXPECT_EQ(file.size(), 0U) << shown(blank);
  }
}

// Bytes put into a line, however many, never make or take away a line: a clipped tail is not read as a rule.
class InsertedBytes : public testing::TestWithParam<const char*> {};

TEST_P(InsertedBytes, NeverChangeTheNumberOfDirectives) {
  const Dialect& dialect = *Dialect::find(GetParam());
  const std::vector<std::string> lines{"User-agent: *", "Disallow: /a", "Allow: /b", "Sitemap: http://s/",
                                       "Crawl-delay: 4"};
  std::mt19937 random(1316);
  for (const std::size_t inserted : {1U, 7U, 63U, 64U, 65U, 4096U, 16'600U, 16'663U, 16'664U, 40'000U}) {
    for (std::size_t line = 0; line < lines.size(); ++line) {
      // Behind the colon, so that the name stays a name. The tail looks like a rule on purpose.
      const std::string tail = "\tDisallow: /\tUser-agent: evil";
      std::string body;
      for (std::size_t i = 0; i < lines.size(); ++i) {
        body += lines[i];
        if (i == line) body += std::string(inserted, "xyz/ *"[random() % 6]) + tail;
        body += '\n';
      }
      const RobotsTxt file = RobotsTxt::parse(body, dialect);
      EXPECT_EQ(file.size(), lines.size()) << inserted << " bytes in line " << line + 1;
      EXPECT_EQ(file.line_count(), lines.size());
      EXPECT_EQ(file.group_count(), 1U);
      EXPECT_EQ(check(file.rules_for("evil"), "http://foo.bar/zzz").why(),
                line == 0 ? check(file.rules_for("other"), "http://foo.bar/zzz").why() : Why::no_rule);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Presets, InsertedBytes, testing::Values("rfc9309", "google"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace robotrules::test::THIS_FILE
