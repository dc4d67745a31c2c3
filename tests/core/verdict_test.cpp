// Verdict: what decided, what lost, and the sentence for people.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include <robotrules/diagnose.hpp>
#include <robotrules/robots_txt.hpp>

#include "core/check.hpp"
#include "core/engine_answer.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::string_literals;

Rules rules(std::string_view body, const Dialect& dialect = Dialect::rfc9309()) {
  return Rules::compile(body, "FooBot", dialect);
}

TEST(Verdict, OfNobodyIsUnknown) {
  constexpr Verdict verdict;
  static_assert(verdict.access() == Access::unknown && !verdict.allowed() && verdict.why() == Why::no_robots);
  EXPECT_EQ(verdict.line(), 0U);
  EXPECT_EQ(verdict.rule(), std::nullopt);
  EXPECT_EQ(verdict.runner_up(), std::nullopt);
  EXPECT_EQ(verdict.group().line, 0U);
  EXPECT_EQ(verdict.group().agent, "");
  EXPECT_FALSE(verdict.group().is_default);
  EXPECT_FALSE(verdict.explanation().empty());
}

TEST(Verdict, CodesAreStable) {
  EXPECT_EQ(to_string(Why::rule), "rule");
  EXPECT_EQ(to_string(Why::no_rule), "no-rule");
  EXPECT_EQ(to_string(Why::empty_group), "empty-group");
  EXPECT_EQ(to_string(Why::no_group), "no-group");
  EXPECT_EQ(to_string(Why::robots_txt), "robots-txt");
  EXPECT_EQ(to_string(Why::other_scheme), "other-scheme");
  EXPECT_EQ(to_string(Why::no_robots), "no-robots");
  EXPECT_EQ(to_string(Access::allowed), "allowed");
  EXPECT_EQ(to_string(Access::disallowed), "disallowed");
  EXPECT_EQ(to_string(Access::unknown), "unknown");
}

TEST(Verdict, OfARule) {
  const Rules r = rules("User-agent: *\nUser-agent: FooBot\nDisallow: /a\nAllow: /a/b\n");
  const Verdict verdict = r.check("/a/b");
  EXPECT_EQ(verdict.why(), Why::rule);
  EXPECT_TRUE(verdict.allowed());
  ASSERT_TRUE(verdict.rule().has_value());
  EXPECT_EQ(verdict.rule()->access, Access::allowed);
  EXPECT_EQ(verdict.rule()->line, 4U);
  EXPECT_EQ(verdict.line(), 4U);
  EXPECT_EQ(verdict.rule()->pattern, "/a/b");
  EXPECT_EQ(verdict.rule()->text(), "Allow: /a/b");
  ASSERT_TRUE(verdict.runner_up().has_value());
  EXPECT_EQ(verdict.runner_up()->text(), "Disallow: /a");
  EXPECT_EQ(verdict.runner_up()->line, 3U);
}

TEST(Verdict, OfNoRule) {
  const Rules r = rules("User-agent: FooBot\nDisallow: /a");
  EXPECT_EQ(r.check("/b").why(), Why::no_rule);
  EXPECT_EQ(r.check("/b").line(), 0U);
  EXPECT_EQ(r.check("/b").rule(), std::nullopt);
  EXPECT_EQ(r.check("/b").group().line, 1U);
}

TEST(Verdict, OfAnEmptyGroup) {
  const Rules r = rules("User-agent: *\nDisallow: /\n\nUser-agent: FooBot\nCrawl-delay: 3");
  EXPECT_EQ(r.check("/b").why(), Why::empty_group);
  EXPECT_TRUE(r.check("/b").allowed());
  EXPECT_EQ(r.check("/b").group().line, 4U);
  EXPECT_EQ(r.check("/b").group().agent, "FooBot");
}

TEST(Verdict, OfNoGroup) {
  const Rules r = rules("User-agent: BarBot\nDisallow: /");
  EXPECT_EQ(r.check("/b").why(), Why::no_group);
  EXPECT_EQ(r.check("/b").group().line, 0U);
}

TEST(Verdict, OfRobotsTxtItself) {
  const Rules r = rules("User-agent: *\nDisallow: /");
  EXPECT_EQ(r.check("/robots.txt").why(), Why::robots_txt);
  EXPECT_EQ(r.check("/robots.txt").rule(), std::nullopt);
  EXPECT_EQ(r.check("/robots.txt").line(), 0U);
  EXPECT_EQ(check(rules("User-agent: *\nDisallow: /", Dialect::google()), "/robots.txt").why(), Why::rule);
}

TEST(Verdict, OfAnotherScheme) {
  const Rules r = rules("User-agent: *\nDisallow: /", Dialect::www_robotrules());
  EXPECT_EQ(r.check("ftp://foo.bar/x").why(), Why::other_scheme);
  EXPECT_TRUE(r.check("mailto:x").allowed());
  EXPECT_EQ(r.check("HTTPS://foo.bar/x").why(), Why::rule);
}

TEST(Verdict, EmptyRuleIsARule) {
  for (const Dialect& dialect : {Dialect::rfc9309(), Dialect::google()}) {
    const Rules r = rules("User-agent: *\nDisallow:\n", dialect);
    EXPECT_EQ(r.check("/x").why(), Why::rule);
    EXPECT_TRUE(r.check("/x").allowed());
    EXPECT_EQ(r.check("/x").line(), 2U);
    EXPECT_EQ(r.check("/x").rule()->text(), "Disallow:");
    const Rules both = rules("User-agent: *\nDisallow:\nAllow:\n", dialect);
    EXPECT_EQ(both.check("/x").line(), 3U);
    EXPECT_EQ(both.check("/x").runner_up()->line, 2U);
  }
}

TEST(Verdict, GroupIsThatOfTheDecidingRule) {
  const Rules r = rules("User-agent: FooBot\nDisallow: /a\n\nUser-agent: x\nUser-agent: foobot\nDisallow: /b\n");
  EXPECT_EQ(r.check("/a").group().line, 1U);
  EXPECT_EQ(r.check("/a").group().agent, "FooBot");
  EXPECT_EQ(r.check("/b").group().line, 4U);
  EXPECT_EQ(r.check("/c").group().line, 1U);
  EXPECT_FALSE(r.check("/a").group().is_default);
  const Rules others = rules("User-agent: *\nDisallow: /a\nUser-agent: *\nDisallow: /b");
  EXPECT_TRUE(others.check("/b").group().is_default);
  EXPECT_EQ(others.check("/b").group().line, 3U);
  EXPECT_EQ(others.check("/b").group().agent, "*");
}

TEST(Verdict, RunnerUpIsTheNextBest) {
  const Rules r = rules("User-agent: *\nDisallow: /\nAllow: /a\nDisallow: /a\nAllow: /*a\nDisallow: /ab");
  const Verdict verdict = r.check("/ab");
  EXPECT_EQ(verdict.line(), 5U);  // three bytes as line 6 has, and Allow
  EXPECT_EQ(verdict.runner_up()->line, 6U);
  EXPECT_EQ(r.check("/a").line(), 5U);
  EXPECT_EQ(r.check("/a").runner_up()->line, 3U);
  EXPECT_EQ(r.check("/b").line(), 2U);
  EXPECT_EQ(r.check("/b").runner_up(), std::nullopt);
}

TEST(Verdict, FirstOfEqualRulesDecides) {
  for (const Dialect& dialect : {Dialect::rfc9309(), Dialect::google()}) {
    const Rules r = rules("User-agent: *\nDisallow: /x\nDisallow: /x\nDisallow: /*\nDisallow: /*", dialect);
    EXPECT_EQ(r.check("/x").line(), 2U);
    EXPECT_EQ(r.check("/x").runner_up()->line, 3U);
  }
}

// The same must hold where many rules share a bucket of the index.
TEST(Verdict, RunnerUpCanBeAnEqualRuleAmongMany) {
  std::string body = "User-agent: *\nAllow: /xxxx\nDisallow: /xxxx/\nDisallow: /xxxx/\n";
  for (int i = 0; i < 64; ++i) body += "Allow: /xxxx/n" + std::to_string(i) + "\n";
  const Rules r = rules(body);
  EXPECT_EQ(r.check("/xxxx/a").line(), 3U);
  EXPECT_EQ(r.check("/xxxx/a").runner_up()->line, 4U);
}

TEST(Verdict, PatternsAreAsWritten) {
  const Rules r = rules("User-agent: *\nDisallow: /%7e\xC3\xBC%zz|$x  # c\n");
  EXPECT_EQ(r.check("/~%c3%bc%zz%7C$x").rule()->pattern, "/%7e\xC3\xBC%zz|$x");
  const Rules google = rules("User-agent: *\nAllow: /d/index.html\nDisallow: /", Dialect::google());
  EXPECT_EQ(google.check("/d/").rule()->pattern, "/d/index.html");
  EXPECT_EQ(google.check("/d/").rule()->access, Access::allowed);
}

void expect_harmless(const std::string& text) {
  EXPECT_FALSE(text.empty());
  for (const char c : text) {
    EXPECT_GE(static_cast<unsigned char>(c), 0x20U) << shown(text);
    EXPECT_NE(c, '\x7F') << shown(text);
  }
  EXPECT_EQ(text.find("\xE2\x80\xAE"), std::string::npos) << "a right-to-left override";
  EXPECT_EQ(text.find("\xC2\x9B"), std::string::npos) << "a C1 control";
}

TEST(Verdict, ExplanationLetsNoControlThrough) {
  for (unsigned c = 0; c < 256; ++c) {
    const std::string byte(1, static_cast<char>(c));
    const std::string body = "User-agent: FooBot" + (c == '\n' || c == '\r' ? ""s : " " + byte) + "\nDisallow: /a" +
                             byte + "b\nAllow: /" + byte;
    for (const Dialect& dialect : Dialect::presets()) {
      const Rules r = rules(body, dialect);
      expect_harmless(r.check("http://foo.bar/a" + byte + "b").explanation());
      expect_harmless(r.check("http://foo.bar/q").explanation());
    }
  }
  expect_harmless(check(rules("User-agent: FooBot\nDisallow: /\x1B[31m\xE2\x80\xAE<script>\xC2\x9B"),
                        "/\x1B[31m\xE2\x80\xAE<script>\xC2\x9B")
                      .explanation());
}

TEST(Verdict, ExplanationNamesRuleLineAndRunnerUp) {
  const std::string text = check(rules("User-agent: *\nDisallow: /a\nAllow: /"), "/a").explanation();
  EXPECT_NE(text.find("Disallow: /a"), std::string::npos) << text;
  EXPECT_NE(text.find("line 2"), std::string::npos) << text;
}

TEST(Verdict, EveryReasonHasItsSentence) {
  std::vector<std::string> sentences{
      check(rules("User-agent: FooBot\nDisallow: /a"), "/a").explanation(),
      check(rules("User-agent: FooBot\nDisallow: /a"), "/b").explanation(),
      check(rules("User-agent: FooBot"), "/b").explanation(),
      check(rules(""), "/b").explanation(),
      check(rules(""), "/robots.txt").explanation(),
      check(rules("", Dialect::www_robotrules()), "ftp://x/").explanation(),
      Verdict().explanation(),
  };
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    expect_harmless(sentences[i]);
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(sentences[i], sentences[j]);
  }
}

TEST(RuleLine, TextIsTheLineInItsUsualSpelling) {
  EXPECT_EQ((RuleLine{Access::disallowed, 1, "/x"}.text()), "Disallow: /x");
  EXPECT_EQ((RuleLine{Access::allowed, 1, "/y"}.text()), "Allow: /y");
  EXPECT_EQ((RuleLine{Access::disallowed, 1, ""}.text()), "Disallow:");
}

template <class R>
concept Answers = requires(R&& rules) { std::forward<R>(rules).check("/x"); };

TEST(Verdict, IsNotGivenByTemporaryRulesThatItWouldOutlive) {
  static_assert(Answers<Rules&>);
  static_assert(Answers<const Rules&>);
  static_assert(!Answers<Rules>);
  static_assert(!Answers<const Rules>);
}

// The sentences contain parts of the robots.txt. No control byte of it reaches a terminal or a log.
TEST(Verdict, NoControlBytesInDiagnosticsAndExplanations) {
  const std::string robots =
      "User-agent: *\x1B[2J\nDisallow: /\x1B]0;x\x07\x7F\nDisallow: /\xE2\x80\xAE\nDisalow /\x1B c\x1B\n";
  const auto clean = [](const std::string& text) {
    return std::none_of(text.begin(), text.end(), [](char c) { return (c >= 0 && c < 32) || c == 127; });
  };
  for (const Dialect& dialect : Dialect::presets()) {
    const RobotsTxt file = RobotsTxt::parse(robots, dialect);
    for (const Diagnostic& found : diagnose(file)) {
      EXPECT_TRUE(clean(found.message)) << found.code;
      EXPECT_TRUE(clean(found.remedy)) << found.code;
    }
    const Rules rules = file.rules_for("FooBot");
    EXPECT_TRUE(clean(rules.check("/\x1B]0;x\x07\x7F").explanation()));
    EXPECT_TRUE(clean(rules.check("/%1B%5D0;x%07%7F").explanation()));
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
