// Changes of rules that are proven to change no answer, without a question about a path.
#include "advice/compare/settle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <robotrules/compare.hpp>

namespace robotrules::advice {
namespace {

RuleList rules_in(std::string_view words) {
  RuleList rules;
  for (std::size_t begin = 0; begin < words.size();) {
    const std::size_t end = std::min(words.find(' ', begin), words.size());
    rules.push_back({words[begin] == '+', words.substr(begin + 1, end - begin - 1)});
    begin = end + 1;
  }
  return rules;
}

// "+" is Allow, "-" is Disallow.
std::size_t unsettled(std::string_view before, std::string_view after, const Dialect& dialect) {
  StepBudget budget;
  return parted(rules_in(before), rules_in(after), dialect, budget).changed.size();
}

TEST(Settle, ATableOfChanges) {
  const struct {
    std::string_view before;
    std::string_view after;
    bool proven;
  } cases[] = {
      {"-/a*", "-/a", true},
      {"-/a**", "-/a", true},
      {"-/a*$", "-/a", true},
      {"-/a$", "-/a", false},
      {"-/a**b", "-/a*b", true},
      {"-/a%2f", "-/a%2F", true},
      {"-/\xC3\xBC", "-/%C3%BC", true},
      {"-/a -/a*", "-/a", true},
      {"-/a", "+/a", false},
      {"-/a", "-/b", false},
      {"-/a", "", false},
      {"", "-/a", false},
      // The weight of the star decides against a rule with the opposite effect.
      {"-/a* +/*", "-/a +/*", false},
      {"-/a* +/a", "-/a +/a", false},
      {"-/a* +/b", "-/a +/b", true},
      {"+/a* -/*b", "+/a -/*b", false},
      {"+/a* -/*bc", "+/a -/*bc", true},
      {"-/a* +/a*", "-/a +/a", true},
      {"-/ab* +/*b*", "-/ab +/*b", true},
      // A wider rule stays.
      {"-/a -/ab", "-/a", true},
      {"-/a* -/abc", "-/a", true},
      {"-/a", "-/a -/ab", true},
      {"-/a -/abc +/ab", "-/a +/ab", false},
      {"-/a -/abc +/b", "-/a +/b", true},
      {"-/a$ -/ab", "-/a$", false},
      {"-/*x -/a -/a*x", "-/*x -/a", true},
      {"-/a +/ab", "-/a", false},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(unsettled(c.before, c.after, Dialect::rfc9309()) == 0, c.proven) << c.before << " => " << c.after;
  }
}

TEST(Settle, DialectsDiffer) {
  EXPECT_EQ(unsettled("-/%7ea", "-/~a", Dialect::rfc9309()), 0u);
  EXPECT_NE(unsettled("-/%7ea", "-/~a", Dialect::google()), 0u);
  EXPECT_NE(unsettled("-/a*", "-/a", Dialect::original_1994()), 0u);
  EXPECT_NE(unsettled("-/a*", "-/a", Dialect::robotstxt_rb()), 0u);
  // In Google's parser, the rule also allows "/d/".
  EXPECT_NE(unsettled("+/d/index.html* -/d", "+/d/index.html -/d", Dialect::google()), 0u);
  EXPECT_NE(unsettled("+/d/index.html -/d/**", "+/d/index.html -/d/", Dialect::google()), 0u);
}

TEST(Settle, WithoutABudgetNothingIsLeftOut) {
  StepBudget none{.steps = 0};
  const RuleList before = rules_in("-/a* +/b"), after = rules_in("-/a +/b");
  EXPECT_EQ(parted(before, after, Dialect::rfc9309(), none).changed.size(), 2u)
      << "one comparison of beginnings is needed";
}

// Every path of up to six bytes over the letters gets the same answer if the proof says so.
TEST(Settle, NoPathOfASmallWorldContradictsTheProof) {
  std::vector<std::string> paths{"/"};
  for (std::size_t i = 0; i < paths.size() && paths[i].size() < 6; ++i) {
    for (const char c : std::string_view("ab/")) {
      if (paths[i] != "/" || c != '/') paths.push_back(paths[i] + c);
    }
  }
  std::mt19937 random(7);
  const auto below = [&](std::size_t limit) { return random() % limit; };
  const auto rule = [&] {
    std::string word = below(2) == 0 ? "+/" : "-/";
    for (std::size_t length = below(4); length > 0; --length) word += std::string_view("aab**")[below(5)];
    return word + (below(6) == 0 ? "$" : "");
  };
  std::size_t proven = 0;
  for (int round = 0; round < 4000; ++round) {
    std::vector<std::string> old_rules, new_rules;
    for (std::size_t count = 1 + below(4); count > 0; --count) old_rules.push_back(rule());
    for (const std::string& word : old_rules) {
      const std::size_t change = below(4);
      if (change == 0) new_rules.push_back(word + '*');
      if (change == 1 && word.ends_with('*')) new_rules.push_back(word.substr(0, word.size() - 1));
      if (change > 1) new_rules.push_back(word);
    }
    if (below(3) == 0) new_rules.push_back(rule());
    const auto joined = [](const std::vector<std::string>& words) {
      std::string text;
      for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
      return text;
    };
    const std::string before = joined(old_rules), after = joined(new_rules);
    if (before == after || unsettled(before, after, Dialect::rfc9309()) != 0) continue;
    ++proven;
    const Rules a = compiled(rules_in(before), Dialect::rfc9309(), {});
    const Rules b = compiled(rules_in(after), Dialect::rfc9309(), {});
    for (const std::string& path : paths) {
      ASSERT_EQ(a.check(path).access(), b.check(path).access()) << before << " => " << after << " for " << path;
    }
  }
  EXPECT_GT(proven, 300u);
}

}  // namespace
}  // namespace robotrules::advice
