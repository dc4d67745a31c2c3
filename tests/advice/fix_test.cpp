// fix(): which edits are applied.
#include <robotrules/diagnose.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <robotrules/compare.hpp>

namespace robotrules::test::THIS_FILE {
namespace {

std::vector<Diagnostic> findings_of(const RobotsTxt& file) { return diagnose(file); }

bool means_the_same(std::string_view before, std::string_view after) {
  for (const Dialect& dialect : {Dialect::rfc9309(), Dialect::google()}) {
    if (!compare(RobotsTxt::parse(before, dialect), RobotsTxt::parse(after, dialect)).same()) return false;
  }
  return true;
}

// The plain twin of fix(): it judges each edit by itself, in the order of the findings. An edit waits while another one
// of its line is not judged.
std::string fixed_one_by_one(std::string text) {
  for (bool again = true; again;) {
    std::vector<LineEdit> edits;
    std::vector<Diagnostic> waiting = findings_of(RobotsTxt::parse(text));
    std::erase_if(waiting, [](const Diagnostic& finding) { return finding.edits.empty(); });
    while (edits.empty() && !waiting.empty()) {
      std::set<std::uint32_t> lines;
      std::vector<Diagnostic> later;
      for (const Diagnostic& finding : waiting) {
        const auto taken = [&](const LineEdit& edit) { return lines.contains(edit.line); };
        if (std::ranges::any_of(finding.edits, taken)) {
          later.push_back(finding);
          continue;
        }
        for (const LineEdit& edit : finding.edits) lines.insert(edit.line);
        std::vector<LineEdit> tried = edits;
        tried.insert(tried.end(), finding.edits.begin(), finding.edits.end());
        if (means_the_same(text, with_edits(text, tried))) edits = std::move(tried);
      }
      waiting = std::move(later);
    }
    again = !edits.empty();
    text = with_edits(text, edits);
  }
  return text;
}

std::size_t sum_of(const CodeCounts& counts) {
  std::size_t sum = 0;
  for (const auto& [code, count] : counts) sum += count;
  return sum;
}

TEST(Fix, ABatchOfEditsIsFixedAsOneEditAfterTheOther) {
  std::mt19937 random(11);
  const auto below = [&](std::size_t limit) { return random() % limit; };
  std::size_t edits = 0, left = 0, equal = 0;
  for (int round = 0; round < 400; ++round) {
    std::string text = "User-agent: *\n";
    for (std::size_t lines = 1 + below(8); lines > 0; --lines) {
      text += std::string(below(2) == 0 ? "Allow" : below(4) == 0 ? "Disalow" : "Disallow") + ": ";
      if (below(6) != 0) text += '/';
      for (std::size_t length = 1 + below(3); length > 0; --length) text += std::string_view("ab*")[below(3)];
      text += '\n';
      if (below(10) == 0) text += "User-agent: FooBot\n";
    }
    const Fixed batch = fix(text);
    // Two edits may each be harmless, but not both. The batch may then choose the other one.
    equal += batch.text == fixed_one_by_one(text) ? 1 : 0;
    EXPECT_EQ(fixed_one_by_one(batch.text), batch.text) << text;
    EXPECT_TRUE(means_the_same(text, batch.text)) << text;
    EXPECT_TRUE(batch.unproven.empty());
    edits += batch.edits;
    left += sum_of(batch.left);
  }
  EXPECT_GT(equal, 395u);
  EXPECT_GT(edits, 200u);
  EXPECT_GT(left, 20u);
}

// compare() alone would reach its limits, and prove nothing.
TEST(Fix, ThousandsOfWildcardsAreProvenWithoutASearch) {
  std::string text = "User-agent: *\n", wanted = text;
  for (int i = 0; i < 3000; ++i) {
    const std::string rule = std::string(i % 7 == 0 ? "Allow: /" : "Disallow: /") + std::string(1, "abcdefgh"[i % 8]) +
                             "*/p" + std::to_string(10000 + i) + "/*x";
    text += rule + "*\n";
    wanted += rule + "\n";
  }
  const Fixed result = fix(text);
  EXPECT_EQ(result.edits, 3000u);
  EXPECT_TRUE(result.text == wanted);
  EXPECT_TRUE(result.unproven.empty());
}

// The work for a file is limited. It would be used up before each "//" is judged by itself.
TEST(Fix, EditsThatAreLeftDoNotUseUpTheWorkForOthers) {
  std::string text = "User-agent: *\n", wanted = text;
  for (int i = 100; i < 160; ++i) {
    const std::string rule = "Disallow: /" + std::to_string(i) + "//b";
    text += rule + "*\n";
    wanted += rule + "\n";
  }
  std::string remarks;
  for (int i = 0; i < 4000; ++i) remarks += "# " + std::string(100, 'x') + "\n";
  const Fixed result = fix(text + remarks);
  EXPECT_TRUE(result.text == wanted + remarks);
  EXPECT_EQ(result.edits, 60u);
  EXPECT_EQ(sum_of(result.left) + sum_of(result.unproven), 60u);
}

TEST(Fix, AnEditThatIsLeftDoesNotHoldUpOthersOfItsLine) {
  // The first finding about the line is "//", whose fix changes what the rule matches.
  const Fixed result = fix("User-agent: *\nDisallow: /a//b*\n");
  EXPECT_EQ(result.text, "User-agent: *\nDisallow: /a//b\n");
  EXPECT_EQ(result.left, (CodeCounts{{"double-slash", 1}}));
}

TEST(Fix, OptionsChooseTheFindings) {
  const std::string_view text = "User-agent: *\nDisalow: /a\nDisallow: /b*\nDisallow: /c//d\n";
  const struct {
    FixOptions options;
    std::string_view wanted;
  } cases[] = {
      {{}, "User-agent: *\nDisallow: /a\nDisallow: /b\nDisallow: /c//d\n"},
      {{.only = {"star-at-end"}}, "User-agent: *\nDisalow: /a\nDisallow: /b\nDisallow: /c//d\n"},
      {{.ignore = {"star-at-end"}}, "User-agent: *\nDisallow: /a\nDisallow: /b*\nDisallow: /c//d\n"},
      {{.fix_codes = {"double-slash"}}, "User-agent: *\nDisallow: /a\nDisallow: /b\nDisallow: /c/d\n"},
      {{.only = {"star-at-end"}, .fix_codes = {"double-slash"}},
       "User-agent: *\nDisalow: /a\nDisallow: /b\nDisallow: /c/d\n"},
  };
  for (const auto& c : cases) EXPECT_EQ(fix(text, c.options).text, c.wanted);
}

TEST(Fix, TheDiffNamesTheFile) {
  const std::string_view text = "User-agent: *\nDisallow: /b*\n";
  EXPECT_EQ(fix(text).diff,
            "--- robots.txt\n+++ robots.txt\n@@ -1,2 +1,2 @@\n User-agent: *\n-Disallow: /b*\n+Disallow: /b\n");
  EXPECT_TRUE(fix(text, {.name = "a"}).diff.starts_with("--- a\n+++ a\n"));
  EXPECT_EQ(fix("User-agent: *\nDisallow: /b\n").diff, "");
}

// The edits are of the lines that were read, which would be others here.
TEST(Fix, AFileThatIsNotReadAsItIsStaysAsItIs) {
  std::string utf16 = "\xFF\xFE";
  for (const char c : std::string_view("User-agent: *\nDisallow: /b*\n")) utf16 += {c, '\0'};
  const std::string longer = "User-agent: *\nDisallow: /b*\n" + std::string(600'000, '#');
  for (const std::string& text : {utf16, longer}) {
    const Fixed result = fix(text);
    EXPECT_FALSE(result.is_fixable);
    EXPECT_TRUE(result.text == text);
    EXPECT_EQ(result.edits, 0u);
    EXPECT_EQ(result.diff, "");
  }
  EXPECT_TRUE(fix("").is_fixable);
}

// Old robots do not know wildcards, and compare whole names.
TEST(Fix, NothingIsOpenedToOldRobots) {
  const struct {
    std::string_view before, after;
  } cases[] = {
      {"User-agent: *\nDisallow: /a/t/\nDisallow: /*/t/\n", ""},
      {"User-agent: *\nDisallow: /a.pdf\nDisallow: /*.pdf\n", ""},
      {"User-agent: *\nDisallow: /a/b/\nDisallow: /a/\n", "User-agent: *\nDisallow: /a/\n"},
      {"User-agent: *\nAllow: /a*\nDisallow: /a/b\n", ""},
      {"User-agent: *\nDisallow: /a/b\nAllow: /a*\n", "User-agent: *\nDisallow: /a/b\nAllow: /a\n"},
      {"User-agent: Foo Crawler\nUser-agent: Foo\nDisallow: /\n", ""},
      {"User-agent: Foo\nUser-agent: foo\nDisallow: /\n", "User-agent: Foo\nDisallow: /\n"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(fix(c.before).text, c.after.empty() ? c.before : c.after);
    const RobotsTxt file = RobotsTxt::parse(c.before);
    EXPECT_FALSE(diagnose(file).empty()) << c.before;
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
