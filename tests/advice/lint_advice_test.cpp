// The advice of findings: how grave they are, what they say, and which edits they have.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/diagnose.hpp>
#include <robotrules/robots_txt.hpp>

#include "advice/lint_cases.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::string_literals;

constexpr Severity error = Severity::error;
constexpr Severity warning = Severity::warning;
constexpr Severity note = Severity::note;

std::vector<Diagnostic> lint(std::string_view body) { return diagnose(RobotsTxt::parse(body), known_robots()); }

std::string listed(const std::vector<Diagnostic>& found) {
  std::string list;
  for (const Diagnostic& d : found) {
    list += std::to_string(d.line) + " " + std::string(to_string(d.severity)) + " " + std::string(d.code) + ": " +
            d.message + " | " + d.remedy + "\n";
  }
  return list;
}

struct AdviceCase {
  std::string body;
  std::string_view code;
  std::uint32_t line;
  Severity severity;
  std::string_view says;       // in the message
  std::string_view advises;    // in the remedy
  std::string_view written{};  // the first line of the edit; empty: no edit, because a person must decide
};

constexpr std::string_view any_edit = "*";

const std::string star = "User-agent: *\nDisallow: /a\n";

std::vector<AdviceCase> joined_cases() {
  return {
      // Split in this order, the first rule would close the site for "*".
      {star + "Disallow: / User-agent: BarBot\n", "joined-lines", 3, error, "User-agent: BarBot",
       "Write \"User-agent: BarBot\" first and its rule below it"},
      {star + "Allow: / User-agent: BarBot\n", "joined-lines", 3, error, "",
       "would hold for the robots of the group above"},
      {"User-agent: FooBot\nDisallow: / User-agent: BarBot\nDisallow: /\n", "joined-lines", 2, error, "",
       "a line of its own", "Disallow: /"},
      {"User-agent: FooBot\nDisallow:/User-agent: Bar Bot/0.9\nDisallow: /\n", "joined-lines", 2, error,
       "at \"User-agent: Bar Bot/0.9\"", "a line of its own", "Disallow:/"},
      {"User-agent: *Disallow: /a\n", "joined-lines", 1, error, "", "a line of its own", "User-agent: *"},
      {star + "Allow: Sitemap: https://a.example/s.xml\n", "joined-lines", 3, error, "at \"Sitemap: https",
       "Delete \"Allow:\".", "Sitemap: https://a.example/s.xml"},
      {star + "Allow: Sitemap:\n", "joined-lines", 3, error, "",
       "Delete \"Allow:\", and write the value on the same line."},
      {star + "Allow: User-agent: FooBot\n", "joined-lines", 3, error, "", "Keep one of the two directives."},
      {"User-agent: *\nUser-agent: BarBot Disallow: /\nDisallow: /a\n", "joined-lines", 2, error, "",
       "apart from the group of \"*\" above."},
      // Robots read the name, and the next line is the same rule.
      {"User-agent: FooBot/8 Unix Disallow: /\nDisallow: /\n", "joined-lines", 1, warning, "", "",
       "User-agent: FooBot/8 Unix"},
      {star + "\nVideo Sitemap: https://a.example/v.xml\n", "ignored-misspelling", 4, error,
       "robots do not find the sitemap", "Write \"Sitemap:\".", "Sitemap: https://a.example/v.xml"},
  };
}

std::vector<AdviceCase> line_cases() {
  return {
      {"For all robots\n" + star, "malformed-line", 1, warning, "not a directive", "put \"#\" before it"},
      {star + "/b/\n", "malformed-line", 3, error, "not a directive", ""},
      {"Disallow /a b\n" + star, "malformed-line", 1, error, "no colon", ""},
      // A User-agent line here would join the names of the group below.
      {"Crawl-delay: 9\nUser-agent: FooBot\nAllow: /\n\nUser-agent: *\nDisallow: /\n", "rule-outside-group", 1, error,
       "most robots ignore it", "Move it below the User-agent lines of the robots that it is for."},
      {"Disallow: /a\nDisallow: /b\nCrawl-delay: 9\n", "rule-outside-group", 1, error,
       "\"Disallow\" and 2 lines after it belong to no group", "before them."},
      {"Disallow: /\n", "rule-outside-group", 1, error, "", "to close the site for every robot without a group"},
      {"Allow: /\n\nUser-agent: FooBot\nDisallow: /\n", "rule-outside-group", 1, warning, "", "Delete it"},
      {"Allow: /\n\nUser-agent: *\nDisallow: /\n", "rule-outside-group", 1, error, "", "Write"},
      {star + "Noindex: /b\xC2\xA0\n", "invisible-character", 3, note, "", "Delete the character.", "Noindex: /b"},
      {star + "Disallow: /b\xC2\xA0\n", "invisible-character", 3, error, "", "Delete the character.", "Disallow: /b"},
      {"User-agent: *\xA0\nDisallow: /a\n", "invisible-character", 1, error, "\\xA0", "Delete the character.",
       "User-agent: *"},
      {star + "Sitemap: http:///s.xml\n", "bad-sitemap", 3, error, "",
       "with \"https://\" and the host, or delete the line."},
      {star + "Sitemap: https://a.example/s: xml\n", "bad-sitemap", 3, error, "", "without white space"},
      {"\n \n<html><body>no</body></html>\n", "html-page", 3, error, "a web page", ""},
  };
}

std::vector<AdviceCase> path_cases() {
  const auto rule = [](std::string_view path) { return star + "Disallow: " + std::string(path) + "\n"; };
  return {
      {rule("about"), "path-without-slash", 3, error, "for most robots",
       "Write \"/about/\" for the folder; \"/about\" also matches longer names, such as \"/about-2\"."},
      {rule("\xE2\x80\x98/books\xE2\x80\x99"), "path-without-slash", 3, error, "",
       "Write \"/books\", without quotes around it.", "Disallow: /books"},
      {rule("\xC2\xAB/books\xC2\xBB"), "path-without-slash", 3, error, "",
       "Write \"/books\", without quotes around it.", "Disallow: /books"},
      {rule("b/us"), "path-without-slash", 3, error, "", "Write \"/b/us\".", "Disallow: /b/us"},
      {rule("static.photos"), "path-without-slash", 3, error, "", "If this is a host, delete the line"},
      {rule("secure.*"), "path-without-slash", 3, error, "", "If this is a host, delete the line"},
      {rule("https://b.example/x"), "absolute-url-rule", 3, error, "",
       "If not, delete the line: only the robots.txt of"},
  };
}

std::vector<AdviceCase> agent_cases() {
  const auto group = [](std::string_view agent) { return "User-agent: " + std::string(agent) + "\nDisallow: /\n"; };
  return {
      {group("mozilla/5.0 (compatible; GPTBot/2.0; +http://a.example/bot)"), "agent-cut-short", 1, warning, "",
       "Write the robot's own name: \"GPTBot\"."},
      {group("Mozilla/4.0 (compatible; MSIE 4.0; Windows 95)"), "agent-cut-short", 1, warning, "",
       "the robot's operator asks for"},
      {group("mozilla/3"), "agent-cut-short", 1, warning, "", "Most browsers and robots begin"},
      {group("b2w/0.1"), "agent-cut-short", 1, warning, "only \"b\"", "Write \"b2w\""},
      {group("Wget/1.6"), "agent-cut-short", 1, warning, "", "Write \"Wget\".", "User-agent: Wget"},
      {group("Yahoo! Slurp"), "agent-cut-short", 1, warning, "", "Write \"Slurp\""},
      {group("FooBot (a remark)"), "agent-cut-short", 1, warning, "", "Write \"FooBot\""},
      {group("SEO ROBOT"), "agent-cut-short", 1, warning, "", "the robot's operator asks for"},
      {group("http://www.a.example bot"), "agent-cut-short", 1, warning, "", "A URL does not name a robot."},
      {group("*MJ12bot*"), "unmatchable-agent", 1, error, "not a wildcard", "Write \"MJ12bot\"."},
      {group("+FooBot/2.0"), "unmatchable-agent", 1, error, "some robots compare the whole value", "Write \"FooBot\"."},
      {group("ChatGPT"), "near-miss-agent", 1, warning, "\"GPTBot\" is.", "for each robot that is meant"},
      {group("OpenAI"), "near-miss-agent", 1, warning, "\"GPTBot\" is.", ""},
      {group("google"), "near-miss-agent", 1, warning, "\"Googlebot\" is.", ""},
      {group("AI"), "near-miss-agent", 1, warning, "\"GPTBot\" and \"CCBot\" are.", ""},
      {group("Mozilla"), "near-miss-agent", 1, warning, "does not name a robot", "the robot's operator asks for"},
      {group(": *"), "unmatchable-agent", 1, error, "two colons", "Write \"*\".", "User-agent: *"},
  };
}

std::vector<AdviceCase> place_cases() {
  const std::string closed = "Disallow: /\n";
  const std::string_view whole_group = "or delete the group: this line and its rules (lines 4-5).";
  return {
      // Deleted alone, the line would leave its rules to the group above.
      {star + "\nUser-agent: Foo Bar\n" + closed, "agent-cut-short", 4, warning, "", whole_group},
      {star + "\nUser-agent: (compatible)\n" + closed, "unmatchable-agent", 4, error, "", whole_group},
      {star + "\nUser-agent: Mozilla\n" + closed, "near-miss-agent", 4, warning, "", whole_group},
      {star + "\nUser-agent: Foo Bar\nSitemap: https://a.example/s\n" + closed, "agent-cut-short", 4, warning, "",
       "or delete the group: this line and its rules."},
      {star + "\nUser-agent: Foo Bar\nUser-agent: Baz\n" + closed, "agent-cut-short", 4, warning, "",
       "or delete this line; the group keeps its other names."},
      {star + "\nUser-agent: Foo Bar\nUser-agent: Baz Bar\n" + closed, "agent-cut-short", 4, warning, "",
       "asks for in robots.txt."},
      {"User-agent: A\nCrawl-delay: 5\n\nUser-agent: Foo Bar\n" + closed, "agent-cut-short", 4, warning, "",
       "asks for in robots.txt."},
      // Another line does what the repaired one would do.
      {"User-agent: FooBot\n" + closed + "\nUser-agent: +FooBot\n" + closed, "unmatchable-agent", 4, warning, "",
       "\"FooBot\" has the same rules by line 1: delete the group: this line and its rules (lines 4-5)."},
      {"User-agent: FooBot\n" + closed + "\nUser-agent: +FooBot\nDisallow: /a\n", "unmatchable-agent", 4, error, "",
       "Write \"FooBot\"."},
      {"User-agent: *FooBot*\nUser-agent: FooBot\n" + closed, "unmatchable-agent", 1, warning, "",
       "by line 2: delete this line; the group keeps its other names."},
      {"User-agent: Foo Crawler\nUser-agent: Foo\n" + closed, "repeated-agent", 2, note, "compare the whole text",
       "Delete line 1 and keep \"Foo\", which all robots read."},
      {"User-agent: Foo\nUser-agent: Foo Crawler\n" + closed, "repeated-agent", 2, note, "",
       "Delete line 2 and keep \"Foo\""},
      {"User-agent: Foo Crawler\nUser-agent: Foo\nUser-agent: foo\n" + closed, "repeated-agent", 3, note, "in line 2",
       "Delete one of the two lines.", any_edit},
      {"User-agent: Foo/1\nUser-agent: Foo/2\n" + closed, "repeated-agent", 2, note, "",
       "Write the name alone, once: \"Foo\"."},
      {"User-agent: A\nCrawl-delay: 5\nUser-agent: A\n" + closed, "repeated-agent", 3, note, "", "Write the name once"},
      {"User-agent: A\nCrawl-delay: 5\n\nUser-agent: B\n" + closed, "split-group", 4, warning, "",
       "then the rules and settings; then Crawl-delay holds for all of them."},
      {"User-agent: A\nCrawl-delay: 5\n\nUser-agent: B\nCrawl-delay: 5\n" + closed, "split-group", 4, warning, "",
       "then the rules and settings."},
      {star + "\nUser-agent: A\nAllow: /\n", "dropped-star-rules", 4, note, "", ""},
      {"User-agent: Googlebot\nCrawl-delay: 5\n\nUser-agent: Bingbot\n\nUser-agent: A\n" + closed, "search-closed", 7,
       warning, "", "Bingbot and Googlebot may be closed by mistake"},
      {"User-agent: Googlebot\nUser-agent: Bingbot\n" + closed, "search-closed", 3, warning, "", "allow their robots."},
  };
}

std::vector<AdviceCase> covered_cases() {
  const auto rule = [](std::string_view path) { return star + "Disallow: " + std::string(path) + "\n"; };
  const std::string sitemap = "Sitemap: https://own.example/s\n";
  const std::string opened = star + "\nUser-agent: FooBot\n";
  return {
      {rule("a/b"), "path-without-slash", 3, warning, "",
       "Delete the line: \"Disallow: /a\" in line 2 already does this."},
      {rule("a/b") + "Allow: /a/\n", "path-without-slash", 3, error, "", "Write \"/a/b\".", "Disallow: /a/b"},
      {rule("a/b") + "\nUser-agent: *\nAllow: /a/\n", "path-without-slash", 3, error, "", "", "Disallow: /a/b"},
      {rule("https://own.example/a/b") + sitemap, "absolute-url-rule", 3, warning, "", "in line 2 already does this."},
      {rule("/a\xE2\x80\x8B"), "invisible-character", 3, warning, "", "in line 2 already does this."},
      {rule("/\xE2\x80\x8B"
            "a"),
       "invisible-character", 3, error, "", "Delete the character.", "Disallow: /a"},
      {opened + "Allow: /\n\nDisallow: https://own.example/b\n" + sitemap, "absolute-url-rule", 7, error, "",
       "write \"/b\" in the group of \"*\"; here it would hold only for \"FooBot\", although line 5 allows "
       "everything."},
      {opened + "Disallow: https://own.example/b\n" + sitemap, "absolute-url-rule", 5, error, "",
       "It also matches longer names, such as \"/b-2\". Here it holds only for \"FooBot\"; if it is meant for all",
       "Disallow: /b"},
      {"User-agent: *\nDisallow: https://b.example/x\n", "absolute-url-rule", 2, error, "",
       "If not, write \"Disallow:\" in its place"},
      {"User-agent: *\nAllow: .js\n", "path-without-slash", 2, error, "", "write \"Allow: /\" to say so"},
      {"User-agent: *\nAllow: .js\nDisallow: /content/\n", "path-without-slash", 2, error, "", "would change nothing"},
      {"User-agent: *\nAllow: .js\nDisallow: /content/\nDisallow: /a\n", "path-without-slash", 2, error, "",
       "Longer Disallow rules still win, such as \"/content/\" in line 3.", "Allow: /*.js"},
      {star + "Disallow: /100%$\n", "invalid-percent", 3, warning, "", ""},
      {"User-agent: *\nDisallow: /a/b\nDisallow: /*/b\n", "redundant-rule", 2, note, "to robots that know wildcards",
       "Keep the line for robots without wildcards, or delete it."},
      {"User-agent: *\nAllow:\n", "empty-rule", 2, warning, "", "or write \"Disallow:\" in its place."},
      {"User-agent: *\nDisallow: /css/\n", "assets-closed", 2, warning, "", "or write \"Disallow:\" in its place."},
  };
}

std::vector<AdviceCase> group_cases() {
  const std::string closed = "Disallow: /\n";
  return {
      {"User-agent: A\nCrawl-delay: 9\n\nUser-agent: B\nCrawl-delay: 1\n\nUser-agent: C\n" + closed, "split-group", 4,
       warning, "the rules from line 8 on hold for \"A\", \"B\" and \"C\"",
       "write below each User-agent line the rules"},
      {"User-agent: A\n\nUser-agent: B\nDisallow:\n", "split-group", 3, note, "", "", any_edit},
      {"User-agent: A\n\nUser-agent: B\n" + closed, "split-group", 3, warning, "; older robots end the group there.",
       "", any_edit},
      {"User-agent: A\nSitemap: https://a.example/s\nUser-agent: B\n" + closed, "split-group", 3, warning,
       "; only the dialect robotstxt-rb (Ruby's robotstxt-parser) ends the group there, and the names above have no "
       "rules.",
       ""},
      {"User-agent: A\nCrawl-delay: 1\n\nUser-agent: B\n" + closed, "split-group", 4, warning,
       "; older robots end the group there, and the dialect robotstxt-rb (Ruby's robotstxt-parser) at line 2.", ""},
      {"User-agent: FooBot\n" + closed + "\nUser-agent: FooBot\n" + closed, "repeated-group", 4, note,
       "some older robots read only the first", ""},
      {"User-agent: FooBot\n" + closed + "\nUser-agent: FooBot\nDisallow: /a\n", "repeated-group", 4, warning, "", ""},
      {"User-agent: Wget/1.5\n" + closed + "\nUser-agent: Wget/1.6\n" + closed, "repeated-group", 4, note,
       "read \"Wget/1.6\" as \"Wget\", like \"Wget/1.5\" in line 1", ""},
      {"User-agent: A\nUser-agent: B\n" + closed + "\nUser-agent: B\nUser-agent: *\nAllow: /\n", "repeated-group", 5,
       warning, "The Allow rule in line 7 then wins against line 3", ""},
      {"User-agent: A\nDisallow: /*\n\nUser-agent: A\nAllow: /\n", "repeated-group", 4, warning, "read only the first.",
       ""},
      {"User-agent: *\nAllow: /\nDisallow:\n", "empty-rule", 3, note, "", "Delete the line.", any_edit},
      {"User-agent: *\nDisallow: /a\nDisallow:\n", "empty-rule", 3, warning, "", "Delete the line, or", any_edit},
      {"User-agent: *\n", "group-without-rules", 1, note, "its robots may fetch everything", "or delete the group."},
      {"User-agent: *\nAllow: /\n\nUser-agent: A\n", "group-without-rules", 4, warning, "", "or delete the group."},
      {star + "\nUser-agent: A\n", "group-without-rules", 4, warning, "",
       "If you delete the group, its robots obey another one"},
      {star + "\nUser-agent: A\nCrawl-delay: 9\n\nUser-agent: B\nCrawl-delay: 1\n", "dropped-star-rules", 4, warning,
       "do not hold for \"A\" and \"B\", because they have", "repeat them in their group"},
      {star + "\nUser-agent: FooBot\nDisallow:\n\n# all\nDisallow: /b\n", "stranded-rules", 8, warning,
       "hold only for \"FooBot\"", "move them into the group of \"*\""},
      {star + "Disallow: /*css$\n", "assets-closed", 3, warning, "may not fetch style sheets that", ""},
      {star + "Disallow: /*js$\n", "assets-closed", 3, warning, "may not fetch scripts that", ""},
      {star + "Disallow: /wp-content/\n", "assets-closed", 3, warning, "style sheets or scripts", ""},
      {star + "Disallow: /wp-content/themes/\n", "assets-closed", 3, warning, "", ""},
      {star + "Disallow: /assets/\n", "assets-closed", 3, warning, "", ""},
      {star + "Disallow: /static/\n", "assets-closed", 3, warning, "", ""},
      {star + "Disallow: /_next/\n", "assets-closed", 3, warning, "", ""},
      {star + "Disallow: /wp-includes/\nAllow: /wp-includes/js/\n", "assets-closed", 3, warning,
       "fetch style sheets that", ""},
  };
}

void expect_advice(const std::vector<AdviceCase>& cases) {
  for (const AdviceCase& c : cases) {
    const auto found = lint(c.body);
    const auto same = std::ranges::find_if(found, [&](auto& d) { return d.code == c.code && d.line == c.line; });
    if (same == found.end()) {
      ADD_FAILURE() << c.code << " is not found in line " << c.line << " of\n" << c.body << listed(found);
      continue;
    }
    EXPECT_EQ(to_string(same->severity), to_string(c.severity)) << c.body << listed(found);
    EXPECT_NE(same->message.find(c.says), std::string::npos) << c.says << "\n" << listed({*same});
    EXPECT_NE(same->remedy.find(c.advises), std::string::npos) << c.advises << "\n" << listed({*same});
    if (c.written == any_edit) continue;
    std::string written;
    if (!same->edits.empty() && !same->edits.front().lines.empty()) written = same->edits.front().lines.front();
    EXPECT_EQ(written, c.written) << c.body << listed({*same});
  }
}

TEST(LintAdvice, AboutJoinedLines) { expect_advice(joined_cases()); }
TEST(LintAdvice, AboutLines) { expect_advice(line_cases()); }
TEST(LintAdvice, AboutPaths) { expect_advice(path_cases()); }
TEST(LintAdvice, AboutAgents) { expect_advice(agent_cases()); }
TEST(LintAdvice, AboutThePlacesOfAgents) { expect_advice(place_cases()); }
TEST(LintAdvice, AboutRulesThatOthersCover) { expect_advice(covered_cases()); }
TEST(LintAdvice, AboutGroups) { expect_advice(group_cases()); }

TEST(LintAdvice, AShorterAllowLineDoesNotWin) {
  const auto found = lint("User-agent: A\nDisallow: /*\n\nUser-agent: A\nAllow: /\n");
  EXPECT_EQ(listed(found).find("then wins"), std::string::npos) << listed(found);
}

TEST(LintAdvice, WhatOneFindingSaysIsNotSaidAgain) {
  const struct {
    std::string body;
    std::string_view code;  // is not found
  } cases[] = {
      // An invisible character is deleted, not percent-encoded.
      {star + "Disallow: /b\xC2\xA0\n", "raw-non-ascii"},
      {"User-agent: *\xA0\nDisallow: /a\n", "invalid-utf8"},
      {"User-agent: *\xA0\nDisallow: /a\n", "unmatchable-agent"},
      {star + "Disallow: \xE2\x80\x9C/foo\xE2\x80\x9D\n", "raw-non-ascii"},
      {star + "Disallow: \xE2\x80\x98/foo\xE2\x80\x99\n", "raw-non-ascii"},
      {star + "Disallow: \xC2\xAB/foo\xC2\xBB\n", "raw-non-ascii"},
      {star + "Disallow: \"/caf\xC3\xA9\"\n", "raw-non-ascii"},
      {"\0\0\1\0\1\0\x10\x10\0\0\n\1\1\0"s, "nul-octet"},
      {star + "Allow: Sitemap: https://a.example/s.xml\n", "path-without-slash"},
      // No rule comes below the second name.
      {"User-agent: A\nCrawl-delay: 9\n\nUser-agent: B\nCrawl-delay: 1\n", "split-group"},
      // Without its group, the robot obeys that of Yandex.
      {star + "\nUser-agent: YandexDirect\nAllow: /\n\nUser-agent: Yandex\nDisallow: /a\n", "dropped-star-rules"},
      // Deleting these rules would lose what they are meant for.
      {star + "\nUser-agent: FooBot\nDisallow: /\n\nDisallow: /b\n", "redundant-rule"},
      {star + "\nUser-agent: Googlebot\nDisallow:\n\nDisallow: /b\n", "stranded-rules"},
      {"User-agent: FooBot\nDisallow: /\n\nDisallow: /b\n", "stranded-rules"},
      {star + "Disallow: /u%2*/b\nDisallow: /u%\n", "invalid-percent"},
      {star + "Disallow: /wiki/Allow:\nDisallow: /a:allow:/b\nDisallow: host:80\n", "joined-lines"},
  };
  for (const auto& c : cases) {
    const auto found = lint(c.body);
    EXPECT_EQ(std::ranges::count(found, c.code, &Diagnostic::code), 0) << c.code << "\n" << c.body << listed(found);
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
