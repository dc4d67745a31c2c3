// lint --fix: which edits are applied. The command's own test is lint_test.cpp.
#include "cli/lint/fix.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <robotrules/compare.hpp>

namespace robotrules::test {
namespace {

std::vector<Diagnostic> findings_of(const RobotsTxt& file) { return file.diagnostics(); }

cli::Fixed fixed(std::string_view text) { return cli::fix(text, "robots.txt", {}, {}, findings_of); }

bool means_the_same(std::string_view before, std::string_view after) {
  for (const Dialect& dialect : {Dialect::rfc9309(), Dialect::google()}) {
    if (!compare(RobotsTxt::parse(before, dialect), RobotsTxt::parse(after, dialect)).same()) return false;
  }
  return true;
}

// The plain twin of fix(): it judges each edit by itself, in the order of the findings.
std::string fixed_one_by_one(std::string text) {
  for (bool again = true; again;) {
    again = false;
    std::vector<LineEdit> edits;
    std::set<std::uint32_t> lines;
    for (const Diagnostic& finding : findings_of(RobotsTxt::parse(text))) {
      const auto taken = [&](const LineEdit& edit) { return lines.contains(edit.line); };
      if (finding.edits.empty() || std::ranges::any_of(finding.edits, taken)) continue;
      for (const LineEdit& edit : finding.edits) lines.insert(edit.line);
      std::vector<LineEdit> tried = edits;
      tried.insert(tried.end(), finding.edits.begin(), finding.edits.end());
      if (means_the_same(text, with_edits(text, tried))) edits = std::move(tried);
    }
    again = !edits.empty();
    text = with_edits(text, edits);
  }
  return text;
}

TEST(Fix, ABatchOfEditsIsFixedAsOneEditAfterTheOther) {
  std::mt19937 random(11);
  const auto below = [&](std::size_t limit) { return random() % limit; };
  std::size_t edits = 0, left = 0;
  for (int round = 0; round < 400; ++round) {
    std::string text = "User-agent: *\n";
    for (std::size_t lines = 1 + below(8); lines > 0; --lines) {
      text += std::string(below(2) == 0 ? "Allow" : below(4) == 0 ? "Disalow" : "Disallow") + ": ";
      if (below(6) != 0) text += '/';
      for (std::size_t length = 1 + below(3); length > 0; --length) text += std::string_view("ab*")[below(3)];
      text += '\n';
      if (below(10) == 0) text += "User-agent: FooBot\n";
    }
    const cli::Fixed batch = fixed(text);
    EXPECT_EQ(batch.text, fixed_one_by_one(text)) << text;
    EXPECT_TRUE(means_the_same(text, batch.text)) << text;
    EXPECT_EQ(batch.unproven, 0u);
    edits += batch.edits;
    left += batch.left;
  }
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
  const cli::Fixed result = fixed(text);
  EXPECT_EQ(result.edits, 3000u);
  EXPECT_TRUE(result.text == wanted);
  EXPECT_EQ(result.unproven, 0u);
}

}  // namespace
}  // namespace robotrules::test
