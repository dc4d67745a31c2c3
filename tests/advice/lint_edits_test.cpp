// The edits of findings do what their remedies say, and nothing else: compare() finds no other change.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <robotrules/compare.hpp>
#include <robotrules/diagnose.hpp>
#include <robotrules/robots_txt.hpp>

#include "advice/lint_cases.hpp"
#include "advice/lint_edit_judge.hpp"
#include "support/test_data.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

std::string group(std::string_view lines) { return "User-agent: *\n" + std::string(lines) + "\n"; }

std::string after_all(std::string_view body, std::string_view code, std::string_view url = {}) {
  const RobotsTxt file = RobotsTxt::parse(body, Dialect::rfc9309(), url);
  std::vector<LineEdit> edits;
  for (const Diagnostic& finding : diagnose(file, known_robots())) {
    if (finding.code == code) edits.insert(edits.end(), finding.edits.begin(), finding.edits.end());
  }
  return edits.empty() ? "no edit" : with_edits(file.text(), edits);
}

std::string remedy_of(std::string_view body, std::string_view code) {
  for (const Diagnostic& finding : diagnose(RobotsTxt::parse(body), known_robots())) {
    if (finding.code == code) return finding.remedy;
  }
  return "not found";
}

TEST(WithEdits, ReplacesDeletesAndInsertsWithTheLineEndsOfTheFile) {
  const std::vector<LineEdit> edits = {{3, {}}, {2, {"x", "y"}}, {2, {"never"}}, {9, {"nowhere"}}};
  EXPECT_EQ(with_edits("a\nb\nc\nd", edits), "a\nx\ny\nd");
  EXPECT_EQ(with_edits("a\r\nb\r\nc\r\n", edits), "a\r\nx\r\ny\r\n");
  EXPECT_EQ(with_edits("a\nb", edits), "a\nx\ny");
  EXPECT_EQ(with_edits("", edits), "");
}

TEST(LintEdits, RepairsOfPaths) {
  const struct {
    std::string_view path;
    std::string_view code;
    std::string_view written;  // "no edit": a person must decide
  } cases[] = {
      {"about", "path-without-slash", "no edit"},
      {"static.photos", "path-without-slash", "no edit"},
      {"secure.*", "path-without-slash", "no edit"},
      {"index.php", "path-without-slash", "/index.php"},
      {"about$", "path-without-slash", "/about$"},
      {".pdf", "path-without-slash", "/*.pdf"},
      {".pdf$", "path-without-slash", "/*.pdf$"},
      {".git", "path-without-slash", "/.git"},
      {"?sort=", "path-without-slash", "/*?sort="},
      {"?print*", "path-without-slash", "/*?print"},
      {"utm_source=*", "path-without-slash", "/*utm_source="},
      {"\"/foo/\"", "path-without-slash", "/foo/"},
      {"'foo/'", "path-without-slash", "/foo/"},
      {"\"/\"", "path-without-slash", "no edit"},
      {"foo/*", "path-without-slash", "/foo/*"},
      {"none", "path-without-slash", "no edit"},
      {"www.example.org/a", "path-without-slash", "no edit"},
      {"192.0.2.1/a", "path-without-slash", "no edit"},
      {"Sitemap:", "path-without-slash", "no edit"},
      {"https://other.example/*", "absolute-url-rule", "no edit"},
      {"https://other.example/a", "absolute-url-rule", "no edit"},
      {"https://site.example/a", "absolute-url-rule", "/a"},
      {"https://www.site.example/a", "absolute-url-rule", "/a"},
      {"https://site.example/*", "absolute-url-rule", "no edit"},
      {"https://site.example", "absolute-url-rule", "no edit"},
      {"^/foo", "regular-expression", "/foo"},
      {"^/foo.*", "regular-expression", "/foo"},
      {"^/.*", "regular-expression", "no edit"},
      {"/(a|b)/", "regular-expression", "no edit"},
      {"/\\d+/", "regular-expression", "no edit"},
      {"/a b", "unescaped-space", "/a%20b"},
      {"//", "double-slash", "no edit"},
      {"//a", "double-slash", "/a"},
      {"*", "bare-star", "/"},
      {"/a?b=1&amp;c=2&amp;d", "html-entity", "/a?b=1&c=2&d"},
      {"/\xC3\xBC*", "raw-non-ascii", "/%C3%BC*"},
      {"/%zz", "invalid-percent", "/%25zz"},
      {"/%7ea", "encoded-unreserved", "/~a"},
      {"/\xE2\x80\x8B"
       "a\xC2\xA0",
       "invisible-character", "/a"},
  };
  for (const auto& c : cases) {
    const std::string rule = "Disallow: " + std::string(c.path) + " # kept\n";
    std::string wanted = "no edit";
    if (c.written != "no edit") wanted = group("Disallow: /z\nDisallow: " + std::string(c.written) + " # kept");
    EXPECT_EQ(
        after_all(group("Disallow: /z\n" + rule.substr(0, rule.size() - 1)), c.code, "https://site.example/robots.txt"),
        wanted)
        << c.path;
  }
}

TEST(LintEdits, RepairsOfSitemaps) {
  const struct {
    std::string_view value;
    std::string_view written;
  } cases[] = {{"/s.xml", "https://site.example/s.xml"},
               {"s.xml", "https://site.example/s.xml"},
               {"//a.example/s.xml", "https://a.example/s.xml"},
               {"www.a.example/s.xml", "https://www.a.example/s.xml"},
               {"https:/a.example/s.xml", "https://a.example/s.xml"},
               {"https//a.example/s.xml", "https://a.example/s.xml"},
               {"htps://a.example/s.xml", "https://a.example/s.xml"},
               {"https: //a.example/s.xml", "https://a.example/s.xml"},
               {"https://https://a.example/s.xml", "https://a.example/s.xml"},
               {"<https://a.example/s.xml>", "https://a.example/s.xml"},
               {"https://a.example/1 https://a.example/2", "https://a.example/1\nSitemap: https://a.example/2"},
               {"https://a.example/s t", "no edit"},
               {"http:///s.xml", "no edit"},
               {"ftp://a.example/s", "no edit"}};
  for (const auto& c : cases) {
    std::string result =
        after_all("Sitemap: " + std::string(c.value) + "\n", "bad-sitemap", "https://site.example/robots.txt");
    if (result == "no edit") {
      result =
          after_all("Sitemap: " + std::string(c.value) + "\n", "relative-sitemap", "https://site.example/robots.txt");
    }
    EXPECT_EQ(result, c.written == "no edit" ? "no edit" : "Sitemap: " + std::string(c.written) + "\n") << c.value;
  }
}

TEST(LintEdits, ARuleForAnotherHostIsNotRewritten) {
  EXPECT_EQ(
      remedy_of(group("Disallow: https://other.example/*"), "absolute-url-rule"),
      "If \"other.example\" is another site, the rule belongs in the robots.txt of \"other.example\"; here \"/*\" "
      "alone would be a rule for every URL of this site.");
}

TEST(LintEdits, ASplitGroupSaysForWhomTheRulesBelowHold) {
  const std::string remedy =
      remedy_of("User-agent: Bingbot\nCrawl-delay: 5\n\nUser-agent: *\nDisallow: /a\n", "split-group");
  EXPECT_NE(remedy.find("To part the robots, write below each User-agent line the rules"), std::string::npos) << remedy;
}

TEST(LintEdits, ABlankLineBeforeTheFirstRuleIsDeleted) {
  EXPECT_EQ(remedy_of("User-agent: *\n\nDisallow: /a\n", "split-group"), "Delete the blank line.");
}

TEST(LintEdits, ARuleIsNotDeletedForOneThatGoogleReadsOtherwise) {
  const struct {
    std::string_view rules;
    std::string_view written;  // the rules that are left
  } cases[] = {{"Disallow: /a b\nDisallow: /a%20b", "no edit"},
               {"Disallow: /a%20b\nDisallow: /a b", "no edit"},
               {"Disallow: /a b\nDisallow: /a b", "Disallow: /a b"},
               {"Disallow: /a%20b\nDisallow: /a%20b", "Disallow: /a%20b"}};
  for (const auto& c : cases) {
    EXPECT_EQ(after_all(group(c.rules), "duplicate-rule"), c.written == "no edit" ? "no edit" : group(c.written))
        << c.rules;
  }
}

TEST(LintEdits, EachCaseOfEachCodeIsEditedAsItsRemedySays) {
  std::size_t judged = 0;
  for (const LintCase& c : lint_cases()) {
    for (const std::string& body : {c.body, c.near_miss}) {
      const RobotsTxt file = RobotsTxt::parse(body, Dialect::rfc9309(), "https://a.example/robots.txt");
      for (const Diagnostic& finding : diagnose(file, known_robots())) {
        if (finding.edits.empty()) continue;
        ++judged;
        EXPECT_EQ(wrong_with_edits(file, finding), "")
            << finding.code << " " << finding.line << ": " << finding.remedy << "\n"
            << body.substr(0, 300);
      }
    }
  }
  EXPECT_GT(judged, 60u);
}

// A star counts as a byte where rules are weighed, so removing it can change which of two rules wins.
TEST(LintEdits, AStarThatDecidesIsNotCalledNeedless) {
  for (const char* rules : {"Allow: /a\nDisallow: /a*", "Disallow: /a\nAllow: /a**", "Disallow: /*/b\nAllow: /a/*"}) {
    const RobotsTxt file = RobotsTxt::parse(group(rules));
    for (const Diagnostic& finding : diagnose(file)) {
      if (!finding.edits.empty()) {
        EXPECT_EQ(wrong_with_edits(file, finding), "") << rules << "\n" << finding.remedy;
      }
    }
  }
}

// ROBOTRULES_LINT_EACH: judge each edit alone, which takes minutes. Else the edits of one code that keep verdicts are
// judged together, and of the others the first ones of each file.
TEST(LintEdits, StoredFilesAreEditedAsTheRemediesSay) {
  const auto paths = files_under(optional_folder("ROBOTRULES_CORPUS", "corpus"));
  if (paths.empty()) GTEST_SKIP() << "no stored robots.txt files here: set ROBOTRULES_CORPUS to a folder of them";
  const bool each = std::getenv("ROBOTRULES_LINT_EACH") != nullptr;  // NOLINT(concurrency-mt-unsafe)
  std::map<std::string, std::size_t> judged;
  std::size_t findings = 0;
  for (const auto& path : paths) {
    std::string host = path.filename().string();
    host.erase(std::min(host.find('_'), host.size()));
    const RobotsTxt file = RobotsTxt::parse(bytes_of(path), Dialect::rfc9309(), "https://" + host + "/robots.txt");
    std::map<std::string_view, std::vector<LineEdit>> together;
    std::map<std::string_view, int> alone;
    for (const Diagnostic& finding : diagnose(file, known_robots())) {
      ++findings;
      if (finding.edits.empty()) continue;
      constexpr int max_alone = 5;
      if (!each && !keeps_verdicts(finding.code) && ++alone[finding.code] > max_alone) continue;
      ++judged[std::string(finding.code)];
      if (!each && keeps_verdicts(finding.code)) {
        auto& edits = together[finding.code];
        edits.insert(edits.end(), finding.edits.begin(), finding.edits.end());
      } else {
        EXPECT_EQ(wrong_with_edits(file, finding), "")
            << path << ":" << finding.line << " " << finding.code << ": " << finding.remedy;
      }
    }
    for (const auto& [code, edits] : together) {
      EXPECT_TRUE(compare(file, edited(file, edits)).same()) << path << " " << code;
    }
  }
  std::cout << findings << " findings in " << paths.size() << " files\n";
  for (const auto& [code, count] : judged) std::cout << count << " edits of " << code << " judged\n";
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
