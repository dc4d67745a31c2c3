// Each code fires where it should, with its severity, at its line and column; and not at a near miss.
#include "core/lint/lint.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <robotrules/robots_txt.hpp>

namespace robotrules::test {
namespace {

using namespace std::string_literals;

std::vector<Diagnostic> lint(std::string_view body, const Dialect& dialect = Dialect::rfc9309()) {
  return RobotsTxt::parse(body, dialect).diagnostics();
}

std::string listed(const std::vector<Diagnostic>& found) {
  std::string list;
  for (const Diagnostic& d : found) {
    list +=
        std::to_string(d.line) + ":" + std::to_string(d.column) + " " + std::string(d.code) + ": " + d.message + "\n";
  }
  return list;
}

std::size_t count(const std::vector<Diagnostic>& found, std::string_view code) {
  return static_cast<std::size_t>(std::ranges::count(found, code, &Diagnostic::code));
}

const DiagnosticCode* find_code(std::string_view code) {
  const auto codes = diagnostic_codes();
  const auto known = std::ranges::find(codes, code, &DiagnosticCode::code);
  return known == codes.end() ? nullptr : &*known;
}

struct Case {
  std::string_view code;
  Severity severity;
  std::uint32_t line, column;
  std::string body;
  std::string near_miss;  // `code` must not be found in it
  std::string_view dialect = "rfc9309";
};

constexpr Severity error = Severity::error;
constexpr Severity warning = Severity::warning;
constexpr Severity note = Severity::note;

std::string rule_of(std::size_t line_octets) {
  const std::string name = "Disallow: /";
  return name + std::string(line_octets - name.size(), 'x') + "\n";
}

// Rules of fourteen octets with their line end, as the line of group() has.
std::string rules(std::size_t count) {
  std::string body;
  for (std::size_t i = 0; i < count; ++i) {
    std::string digits = std::to_string(100'000 + i);
    body += "Allow:/" + digits + "\n";
  }
  return body;
}

// A group for everybody with `lines` in it; they begin in line 2.
std::string group(std::string_view lines) { return "User-agent: *\n" + std::string(lines) + "\n"; }

std::vector<Case> cases() {
  return {
      // --- the file ---
      {"empty-file", note, 0, 0, "", "User-agent: *\nDisallow:\n"},
      {"empty-file", note, 0, 0, "# only a remark\n\n", "Sitemap: https://a.example/s.xml\n"},
      {"html-page", error, 1, 1, "<!DOCTYPE html>\n<html><body>no</body></html>\n", "# html is spoken here\n"},
      {"byte-order-mark", warning, 1, 1, "\xEF\xBB\xBFUser-agent: *\nDisallow: /a\n", "User-agent: *\nDisallow: /a\n"},
      {"byte-order-mark", warning, 1, 1, "\xEF\xBBUser-agent: *\nDisallow: /a\n",
       "User-agent: *\n\xEF\xBB\xBF# line 2\nDisallow: /a\n"},
      {"byte-order-mark", warning, 1, 1, "\xEFUser-agent: *\nDisallow: /a\n", "\xEE\x80\x80\n"},
      {"utf-16-file", error, 1, 1, "\xFF\xFEU\0s\0"s, "User-agent: *\n", "google"},
      {"utf-16-file", error, 1, 1, "\xFE\xFF\0U\0s"s, "\xFEU", "google"},
      {"mixed-line-ends", note, 2, 12, "User-agent: *\r\nDisallow: /\n", "User-agent: *\r\nDisallow: /"},
      {"mixed-line-ends", note, 2, 1, "#a\n\r#b\n", "#a\r\r#b\r"},
      {"mixed-line-ends", note, 3, 1, "#a\r\n#b\r\n\r\r\n", "#a\r\n\r\n#b\r\n"},
      {"file-over-limit", error, 36571, 1, group(rules(36'600)), group(rules(36'000))},
      {"file-over-limit", error, 36572, 7, group(rules(36'600)), group(rules(36'000)), "google"},
      {"long-line", note, 2, 2084, group(rule_of(2084)), group(rule_of(2083))},
      {"over-long-line", warning, 2, 16664, group(rule_of(16'664)), group(rule_of(16'663))},
      {"invalid-utf8", warning, 2, 15, group("Disallow: /caf\xE9/"), group("Disallow: /caf\xC3\xA9/")},
      {"invalid-utf8", warning, 1, 3, "# \xC0\x80 overlong\n", "# \xF4\x8F\xBF\xBF the last character\n"},
      {"invalid-utf8", warning, 1, 3, "# \xED\xA0\x80 surrogate\n", "# \xED\x9F\xBF\n"},
      {"nul-octet", warning, 2, 13, group("Disallow: /a\0b"s), group("Disallow: /a%00b")},
      {"control-octet", warning, 2, 13, group("Disallow: /a\x08"), group("Disallow:\t/a")},
      {"control-octet", warning, 2, 13, group("Disallow: /a\x7F"), group("Disallow: /a~")},
      // --- spelling ---
      {"misspelt-directive", warning, 2, 1, group("Disalow: /a"), group("DISALLOW: /a")},
      {"misspelt-directive", warning, 1, 2, " Useragent: *\nDisallow: /a\n", " uSER-aGENT: *\nDisallow: /a\n"},
      {"ignored-misspelling", error, 2, 1, group("Alow: /a"), group("Allow: /a")},
      {"ignored-misspelling", error, 2, 3, group("  Allowed: /a"), group("  Follow: /a")},
      {"ignored-misspelling", error, 1, 1, "User_agent: *\nDisallow: /a\n", "Agent: *\n"},
      {"ignored-misspelling", error, 2, 1, group("Disalow: /a"), group("Disallow: /a"), "original-1994"},
      {"missing-colon", warning, 2, 9, group("Disallow /a"), group("Disallow : /a")},
      {"missing-colon", warning, 2, 11, group("  Disallow\t/a"), group("Disallow /a b")},
      {"malformed-line", error, 2, 1, group("Disallow /a b"), group("Disallow /a")},
      {"malformed-line", error, 1, 3, "  rules for all\nUser-agent: *\nDisallow: /a\n",
       "# rules for all\nUser-agent: *\nDisallow: /a\n"},
      {"malformed-line", error, 2, 1, group(": /a"), group("Disallow: :")},
      {"unknown-directive", warning, 2, 1, group("Block: /a\nDisallow: /b"), group("Crawl-delay: 1\nDisallow: /b")},
      {"unknown-directive", warning, 1, 1, "https://a.example/sitemap.xml\n",
       "Sitemap: https://a.example/sitemap.xml\n"},
      {"nonstandard-directive", note, 3, 1, group("Disallow: /b\nNoindex: /a"), group("Disallow: /b\nCrawl-delay: 1")},
      {"nonstandard-directive", note, 1, 1, "Host: a.example\nHost: a.example\n", "Content-Signal: search=yes\n"},
      {"joined-lines", error, 1, 15, "User-agent: * Disallow: /a\n", "User-agent: *\n# Disallow: /a\n"},
      {"joined-lines", error, 2, 14, group("Disallow: /a allow : /b"), group("Disallow: /a:allow:/b")},
      {"joined-lines", error, 2, 12, group("For robots Disallow: /a"), group("Sitemap: https://host:80/")},
      {"inline-comment-cut", warning, 2, 13, group("Disallow: /a#b"), group("Disallow: /a #b")},
      {"inline-comment-cut", warning, 2, 27, group("Sitemap: https://a.example#b"), group("Crawl-delay: 1#b")},
      // --- groups ---
      {"rule-outside-group", error, 1, 1, "Disallow: /a\nUser-agent: *\nDisallow: /b\n",
       "Sitemap: https://a.example/s\nUser-agent: *\nDisallow: /b\n"},
      {"rule-outside-group", error, 1, 1, "Crawl-delay: 1\n", "Content-Usage: / search=y\n"},
      {"rule-outside-group", error, 3, 1, "User-agent: *\n\nDisallow: /\n", "User-agent: *\n#\nDisallow: /\n",
       "original-1994"},
      {"split-group", warning, 3, 1, "User-agent: *\n\nDisallow: /a\n", "User-agent: *\n#\nDisallow: /a\n"},
      {"split-group", warning, 3, 1, "User-agent: a\n \nUser-agent: b\nDisallow: /a\n",
       "User-agent: a\nDisallow: /a\n\nUser-agent: b\nDisallow: /a\n"},
      {"split-group", warning, 3, 1, "User-agent: a\nCrawl-delay: 5\nUser-agent: b\nDisallow: /a\n",
       "User-agent: a\nUser-agent: b\nCrawl-delay: 5\nDisallow: /a\n"},
      {"blank-line-in-group", note, 4, 1, group("Disallow: /a\n\nDisallow: /b\n\nDisallow: /c"),
       group("Disallow: /a\n#\nDisallow: /b\n\nSitemap: https://a.example/")},
      {"missing-blank-line", note, 3, 1, "User-agent: a\nDisallow: /a\nUser-agent: b\nDisallow: /b\n",
       "User-agent: a\nDisallow: /a\n\n# b\nUser-agent: b\nDisallow: /b\n"},
      {"repeated-group", warning, 7, 1,
       "User-agent: a\nDisallow: /a\n\nUser-agent: b\nDisallow: /b\n\nUser-agent: A\nDisallow: /c\n",
       "User-agent: a\nDisallow: /a\n\nUser-agent: ab\nDisallow: /b\n"},
      {"repeated-agent", note, 2, 1, "User-agent: a\nUser-agent: A\nDisallow: /a\n",
       "User-agent: a\nUser-agent: b\nDisallow: /a\n"},
      {"unmatchable-agent", error, 1, 12, "User-agent:\nDisallow: /\n", "User-agent: *\nDisallow: /\n"},
      {"unmatchable-agent", error, 1, 13, "User-agent: 360Spider\nDisallow: /\n", "User-agent: Spider\nDisallow: /\n"},
      {"unmatchable-agent", error, 1, 13, "User-agent: *bot\nDisallow: /\n", "User-agent: _-_\nDisallow: /\n"},
      {"agent-cut-short", warning, 1, 13, "User-agent: MJ12bot\nDisallow: /\n", "User-agent: MJ-bot_\nDisallow: /\n"},
      {"agent-cut-short", warning, 1, 13, "User-agent: Foo/2.1\nDisallow: /\n", "User-agent: Foo #/2.1\nDisallow: /\n"},
      {"agent-cut-short", warning, 1, 13, "User-agent: Foo Bar\nDisallow: /\n", "User-agent: Foo\t\nDisallow: /\n"},
      {"agent-cut-short", warning, 1, 13, "User-agent: * all\nDisallow: /\n", "User-agent: * #all\nDisallow: /\n"},
      {"group-without-rules", warning, 4, 1, "User-agent: a\nDisallow: /a\n\nUser-agent: b\n",
       "User-agent: b\nCrawl-delay: 5\n"},
      {"empty-rule", warning, 2, 1, group("Disallow:\nDisallow: /a"), group("Disallow:")},
      {"empty-rule", warning, 2, 1, group("Allow:"), group("Allow: /")},
      {"repeated-setting", warning, 3, 1, group("Crawl-delay: 5\nCrawl-delay: 6"),
       "User-agent: a\nCrawl-delay: 5\nDisallow: /b\n\nUser-agent: b\nCrawl-delay: 5\n"},
      {"repeated-setting", warning, 4, 1, "User-agent: a\nCrawl-delay: 5\nDisallow: /b\nCrawl-delay: 5\n",
       "User-agent: a\nCrawl-delay: 5\n\nUser-agent: b\nCrawl-delay: 6\nDisallow: /b\n"},
      // --- paths ---
      {"path-without-slash", error, 2, 11, group("Disallow: a/"), group("Disallow: */a/")},
      {"path-without-slash", error, 2, 8, group("Allow: $"), group("Allow: /$")},
      {"absolute-url-rule", error, 2, 11, group("Disallow: HTTPS://a.example/b"),
       group("Disallow: /https://a.example/b")},
      {"several-paths", error, 2, 14, group("Disallow: /a /b"), group("Disallow: /a%20/b")},
      {"several-paths", error, 2, 15, group("Disallow: /a, /b"), group("Disallow: /a,/b")},
      {"unescaped-space", warning, 2, 13, group("Disallow: /a b"), group("Disallow: /a \t # b")},
      {"invalid-percent", warning, 2, 12, group("Disallow: /%zz"), group("Disallow: /%20")},
      {"invalid-percent", warning, 2, 15, group("Disallow: /%20%2"), group("Disallow: /%2f")},
      {"encoded-unreserved", warning, 2, 12, group("Disallow: /%7ejoe"), group("Disallow: /%2Fjoe")},
      {"dot-segment", warning, 2, 14, group("Disallow: /a/../b"), group("Disallow: /a/..")},
      {"dot-segment", warning, 2, 12, group("Disallow: /.%2E/b"), group("Disallow: /.../b")},
      {"dot-segment", warning, 2, 13, group("Disallow: */./b"), group("Disallow: *./b")},
      {"dot-segment", warning, 2, 14, group("Disallow: /a/.$"), group("Disallow: /a/.git/")},
      {"dot-segment", warning, 2, 14, group("Disallow: /a/..?b"), group("Disallow: /a?/../b")},
      {"raw-non-ascii", note, 2, 12, group("Disallow: /\xC3\xBC"), group("Disallow: / # \xC3\xBC")},
      {"dollar-inside", warning, 2, 13, group("Disallow: /a$b"), group("Disallow: /a$")},
      {"dollar-inside", warning, 2, 13, group("Disallow: /a$b$"), group("Disallow: /a%24b$")},
      {"star-at-end", note, 2, 13, group("Disallow: /a*"), group("Disallow: /a*b")},
      {"star-at-end", note, 2, 13, group("Disallow: /a*$"), group("Disallow: /a*b$")},
      {"star-at-end", note, 2, 11, group("Disallow: *"), group("Disallow: /")},
      {"repeated-star", note, 2, 12, group("Disallow: /**b"), group("Disallow: /*a*b")},
      // --- rules against each other ---
      {"duplicate-rule", note, 3, 1, group("Disallow: /a\nDisallow: /a"), group("Disallow: /a\nDisallow: /A")},
      {"duplicate-rule", note, 3, 1, group("Disallow: /a%2fb\nDisallow: /a%2Fb"),
       group("Disallow: /a%2Fb\nDisallow: /a/b")},
      {"duplicate-rule", note, 3, 1, group("Disallow: /\xC3\xBC\nDisallow: /%c3%bc"),
       group("Disallow: /a$\nDisallow: /a%24")},
      {"duplicate-rule", note, 5, 1, "User-agent: a\nDisallow: /a\n\nUser-agent: a\nDisallow: /a\n",
       "User-agent: a\nDisallow: /a\n\nUser-agent: b\nDisallow: /a\n"},
      {"conflicting-rules", warning, 3, 1, group("Disallow: /a\nAllow: /a"), group("Disallow: /a\nAllow: /a/")},
      {"conflicting-rules", warning, 4, 1, group("Allow: /%7Ea\nAllow: /b\nDisallow: /~a"),
       group("Allow: /a\nDisallow: /a$")},
      {"shadowed-rule", warning, 2, 1, group("Disallow: /*?\nAllow: /*?*"), group("Disallow: /*?\nAllow: /*a?")},
      {"shadowed-rule", warning, 2, 1, group("Allow: /grid/\nDisallow: /grid/*"),
       group("Allow: /grid/a\nDisallow: /grid/*")},
      {"shadowed-rule", warning, 3, 1, group("Allow: *a*\nDisallow: /*a"), group("Disallow: *a*\nAllow: /*a")},
      {"shadowed-rule", warning, 3, 1, "User-agent: *\nDisallow: /a\nAllow: /a/b\n",
       "User-agent: *\nAllow: /a/b\nDisallow: /a\n", "draft-1996"},
      {"redundant-rule", note, 3, 1, group("Disallow: /a\nDisallow: /a/b"), group("Disallow: /a/\nDisallow: /ab")},
      {"redundant-rule", note, 3, 1, group("Disallow: /*.pdf\nDisallow: /doc/*.pdf"),
       group("Disallow: /*.pdf$\nDisallow: /doc/*.pdf")},
      {"redundant-rule", note, 2, 1, group("Disallow: /a$\nDisallow: /a"), group("Disallow: /a$\nDisallow: /a/")},
      // --- values ---
      {"bad-crawl-delay", error, 2, 14, group("Crawl-delay: 10s"), group("Crawl-delay: 10 # s")},
      {"bad-crawl-delay", error, 2, 14, group("Crawl-delay: -1"), group("Crawl-delay: .5")},
      {"long-crawl-delay", note, 2, 14, group("Crawl-delay: 300.1"), group("Crawl-delay: 300")},
      {"bad-request-rate", error, 2, 15, group("Request-rate: 10"), group("Request-rate: 1/10s 1800-1900")},
      {"bad-visit-time", error, 2, 13, group("Visit-time: 6-8"), group("Visit-time: 0600-0845")},
      {"bad-clean-param", error, 1, 14, "Clean-param: /a ref\n", "Clean-param: ref&sid /a\n"},
      {"bad-content-signal", error, 2, 29, group("Content-Signal: search=yes, ai-train"),
       group("Content-Signal: search=yes, ai-train=no,")},
      {"bad-content-signal", error, 2, 17, group("Content-Signal: search=maybe"), group("Content-Signal: SEARCH=YES")},
      {"bad-content-signal", error, 2, 16, group("Content-Signal:"), group("Content-Signal: use=full, search=no")},
      {"bad-content-usage", error, 2, 16, group("Content-Usage: / train-ai=n search=y"),
       group("Content-Usage: / train-ai=n, search=y")},
      {"bad-content-usage", error, 2, 18, group("Content-Usage: / train-ai=maybe"),
       group("Content-Usage: / train-ai=n;x=1")},
      {"bad-content-usage", error, 2, 16, group("Content-Usage: / Train-AI=n"),
       group("Content-Usage: /Train-AI train-ai=n")},
      {"bad-content-usage", error, 2, 30, group("Content-Usage: / train-ai=n; search=y"),
       group("Content-Usage: / train-ai=n;why=\"a; b\"")},
      {"mixed-preference-vocabulary", error, 2, 17, group("Content-Signal: train-ai=no"),
       group("Content-Signal: ai-train=no")},
      {"mixed-preference-vocabulary", error, 2, 29, group("Content-Signal: search=yes, ai-train=n"),
       group("Content-Signal: search=yes, ai-train=no")},
      {"mixed-preference-vocabulary", error, 2, 18, group("Content-Usage: / ai-train=n"),
       group("Content-Usage: /ai-train=n train-ai=n")},
      {"mixed-preference-vocabulary", error, 2, 18, group("Content-Usage: / train-ai=no"),
       group("Content-Usage: / train-ai=n")},
      {"unknown-preference", warning, 2, 17, group("Content-Signal: summary=no, search=yes"),
       group("Content-Signal: use=full, search=yes")},
      {"unknown-preference", warning, 2, 30, group("Content-Usage: / train-ai=n, tdm=n"),
       group("Content-Usage: / train-ai=n, ai-use=n")},
      {"content-usage-without-path", warning, 2, 16, group("Content-Usage: train-ai=n"),
       group("Content-Usage: / train-ai=n")},
      {"bad-sitemap", error, 1, 10, "Sitemap: ftp://a.example/s\n", "Sitemap: http://a.example/s\n"},
      {"bad-sitemap", error, 1, 10, "Sitemap: https://a.example/s t\n", "Sitemap: https://a.example/s%20t\n"},
      {"bad-sitemap", error, 1, 9, "Sitemap:\n", "Sitemap: https://[::1]/\n"},
      {"bad-sitemap", error, 1, 10, "Sitemap: https://a.example:99999/\n", "Sitemap: https://a.example:443/\n"},
      {"relative-sitemap", warning, 1, 10, "Sitemap: /s.xml\n", "Sitemap: HTTPS://a.example/s.xml\n"},
      {"relative-sitemap", warning, 1, 10, "Sitemap: www.a.example/s.xml\n", "Sitemap: ftp://a.example/s.xml\n"},
      {"duplicate-sitemap", note, 3, 10, "Sitemap: https://a.example/s\n\nSitemap: https://a.example/s\n",
       "Sitemap: https://a.example/s\nSitemap: https://a.example/S\n"},
      {"more-findings", note, 1001, 1,
       [] {
         std::string s;
         for (int i = 0; i < 1200; ++i) s += "x\n";
         return s;
       }(),
       [] {
         std::string s;
         for (int i = 0; i < 1000; ++i) s += "x\n";
         return s;
       }()},
  };
}

TEST(Lint, EachCodeFiresAtItsPlaceWithItsSeverity) {
  for (const Case& c : cases()) {
    const auto found = lint(c.body, *Dialect::find(c.dialect));
    const auto same_place = [&](const Diagnostic& d) {
      return d.code == c.code && d.line == c.line && d.column == c.column && d.severity == c.severity;
    };
    EXPECT_TRUE(std::ranges::any_of(found, same_place))
        << c.code << " is wanted at " << c.line << ":" << c.column << " of\n"
        << c.body.substr(0, 200) << "\nfound:\n"
        << listed(found).substr(0, 2000);
  }
}

TEST(Lint, NoCodeFiresAtItsNearMiss) {
  for (const Case& c : cases()) {
    const auto found = lint(c.near_miss, *Dialect::find(c.dialect));
    EXPECT_EQ(count(found, c.code), 0u) << c.code << " in\n"
                                        << c.near_miss.substr(0, 200) << "\n"
                                        << listed(found).substr(0, 2000);
  }
}

TEST(Lint, EveryCodeHasACase) {
  std::set<std::string_view> tried;
  for (const Case& c : cases()) tried.insert(c.code);
  for (const DiagnosticCode& code : diagnostic_codes()) EXPECT_TRUE(tried.contains(code.code)) << code.code;
  EXPECT_EQ(tried.size(), diagnostic_codes().size());
}

TEST(Lint, MessagesAreSentencesAndRemediesSayWhatToDo) {
  for (const Case& c : cases()) {
    for (const Diagnostic& d : lint(c.body, *Dialect::find(c.dialect))) {
      ASSERT_NE(find_code(d.code), nullptr) << d.code;
      EXPECT_EQ(d.severity, find_code(d.code)->severity) << d.code;
      EXPECT_TRUE(d.message.ends_with('.')) << d.message;
      EXPECT_TRUE(d.remedy.ends_with('.')) << d.remedy;
      for (const std::string& text : {d.message, d.remedy}) {
        EXPECT_TRUE(std::ranges::none_of(text, [](char x) { return (x >= 0 && x < 0x20) || x == 0x7F; })) << text;
      }
    }
  }
}

TEST(Lint, AWellWrittenFileGivesNothing) {
  const std::string_view clean =
      "# robots.txt of www.example.org\n"
      "User-agent: *\n"
      "Disallow: /private/\n"
      "Disallow: /*.pdf$\n"
      "Disallow: /search?\n"
      "Allow: /private/open/\n"
      "Crawl-delay: 5\n"
      "Content-Signal: search=yes, ai-input=no, ai-train=no\n"
      "Content-Usage: / train-ai=n, search=y\n"
      "\n"
      "# two robots, one group\n"
      "User-agent: FooBot\n"
      "User-agent: Bar-Bot_News\n"
      "Disallow: /\n"
      "Allow: /%C3%BCber-uns/%2A\n"
      "\n"
      "User-agent: Friend\n"
      "Disallow:\n"
      "\n"
      "Sitemap: https://www.example.org/sitemap.xml\n"
      "Sitemap: https://www.example.org/news.xml\n";
  EXPECT_EQ(listed(lint(clean)), "");
  EXPECT_EQ(listed(lint(clean, Dialect::google())), "");
  std::string crlf;
  for (const char c : clean) crlf += c == '\n' ? "\r\n"s : std::string(1, c);
  EXPECT_EQ(listed(lint(crlf)), "");
}

TEST(Lint, FindingsAreOrderedByLineAndColumn) {
  const auto found =
      lint(" Disalow /a b$c%zz\nDisallow: a b$c%zz\nUseragent: 1 \xFF\nDisallow:\nAllow:\n\nDisallow: x#y\n");
  ASSERT_GT(found.size(), 5u);
  EXPECT_TRUE(std::ranges::is_sorted(found, {}, [](const Diagnostic& d) { return std::tuple(d.line, d.column); }));
}

TEST(Lint, FragmentsAreEscapedAndCut) {
  const auto found = lint("\x1B[31m\"evil\\\" \xE2\x80\xAE\xFF" + std::string(200, 'y') + "\n");
  ASSERT_EQ(count(found, "malformed-line"), 1u);
  const auto line = std::ranges::find(found, "malformed-line", &Diagnostic::code);
  EXPECT_TRUE(line->message.starts_with("\"\\x1B[31m\\\"evil\\\\\\\" \\xE2\\x80\\xAE\\xFFyyy")) << line->message;
  EXPECT_NE(line->message.find("yyy...\""), std::string::npos) << line->message;
  EXPECT_EQ(std::ranges::count(line->message, 'y'), 80 - 17) << line->message;
}

TEST(Lint, Utf16IsToldFromTheFactsWhereTheTextWasTranscoded) {
  const auto file = RobotsTxt::parse("User-agent: *\nDisallow: /a\n");
  EXPECT_EQ(count(core::lint(file), "utf-16-file"), 0u);
  const auto found = core::lint(file, {.utf16 = true});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().code, "utf-16-file");
}

TEST(Lint, AnHtmlPageIsNotTakenApartLineByLine) {
  const auto found = lint("<html>\n<head><style>a { color: red }</style>\nbody: 1\nDisallow: /\n<p>\n");
  EXPECT_EQ(listed(found), listed({found.front()}));
  EXPECT_EQ(found.front().code, "html-page");
}

// --- rules against each other: what is claimed must be true ---------------------------------------------------------

// Asks every short path, with and without the line that is said to make no difference.
void expect_no_difference(const std::string& body, std::uint32_t line) {
  std::string without;
  std::uint32_t number = 1;
  for (std::size_t begin = 0; begin < body.size(); ++number) {
    const std::size_t end = body.find('\n', begin) + 1;
    without += number == line ? "\n" : body.substr(begin, end - begin);
    begin = end;
  }
  const Rules a = Rules::compile(body, "FooBot"), b = Rules::compile(without, "FooBot");
  for (int i = 0; i < 3 * 3 * 3 * 3 * 3; ++i) {
    std::string path = "/";
    for (int n = i; n > 0; n /= 3) path += "ab/"[n % 3];
    ASSERT_EQ(a.check(path).access(), b.check(path).access()) << body << "line " << line << " at " << path;
  }
}

TEST(Lint, WhatIsSaidToMakeNoDifferenceMakesNone) {
  std::mt19937 random(9309);
  const auto pick = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  std::size_t redundant = 0, shadowed = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string body = "User-agent: *\n";
    for (unsigned rules = 2 + pick(5); rules > 0; --rules) {
      body += pick(2) ? "Allow: /" : "Disallow: /";
      for (unsigned octets = pick(4); octets > 0; --octets) body += "aab/*"[pick(5)];
      body += pick(6) == 0 ? "$\n" : "\n";
    }
    for (const Diagnostic& d : lint(body)) {
      const bool is_redundant = d.code == "redundant-rule" || d.code == "duplicate-rule";
      if (!is_redundant && d.code != "shadowed-rule") continue;
      (is_redundant ? redundant : shadowed) += 1;
      expect_no_difference(body, d.line);
    }
  }
  EXPECT_GT(redundant, 1000u);
  EXPECT_GT(shadowed, 50u);
}

TEST(Lint, ARuleBetweenTheTwoKeepsTheNarrowOne) {
  EXPECT_EQ(count(lint(group("Disallow: /a\nAllow: /a/b\nDisallow: /a/b/c")), "redundant-rule"), 0u);
  EXPECT_EQ(count(lint(group("Disallow: /a\nAllow: /*/b\nDisallow: /a/b/c")), "redundant-rule"), 0u);
  EXPECT_EQ(count(lint(group("Allow: /a\nDisallow: /\nDisallow: /a/b\nAllow: /a/b")), "redundant-rule"), 0u);
  EXPECT_EQ(count(lint(group("Disallow: /a\nAllow: /x/b\nDisallow: /a/b/c")), "redundant-rule"), 1u);
}

TEST(Lint, GroupsOfOtherRobotsKeepWhatIsNarrow) {
  // FooBot obeys both groups, so the rule of the second is needed against the Allow of the first.
  const auto found = lint(
      "User-agent: FooBot\nAllow: /a/b\n\nUser-agent: FooBot\nUser-agent: BarBot\nDisallow: /a\nDisallow: /a/b/c\n");
  EXPECT_EQ(count(found, "redundant-rule"), 0u) << listed(found);
}

TEST(Lint, ManyRulesStayWithinTheBudget) {
  std::string body = "User-agent: *\n";
  for (int i = 0; body.size() < 510'000; ++i) {
    body += (i % 2 ? "Allow: /*" : "Disallow: /*a") + std::to_string(i) + (i % 3 ? "*b\n" : "\n");
  }
  EXPECT_EQ(count(lint(body), "conflicting-rules"), 0u);  // it ends, and claims nothing wrong
}

// --- any bytes ------------------------------------------------------------------------------------------------------

void expect_inside(std::string_view body, const Dialect& dialect) {
  const RobotsTxt file = RobotsTxt::parse(body, dialect);
  const std::string_view text = file.text();
  std::vector<std::size_t> sizes;  // of each line
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
    sizes.push_back(end - begin);
    begin = end + (text.substr(end, 2) == "\r\n" ? 2 : 1);
  }
  for (const Diagnostic& d : file.diagnostics()) {
    ASSERT_NE(find_code(d.code), nullptr);
    if (d.line == 0) {
      ASSERT_EQ(d.column, 0u) << d.code;
      continue;
    }
    ASSERT_LE(d.line, sizes.size()) << d.code;
    ASSERT_GE(d.column, 1u) << d.code;
    ASSERT_LE(d.column, sizes[d.line - 1] + 1) << d.code;
  }
}

TEST(Lint, EveryFindingStandsInsideTheFileWhateverItsBytes) {
  const std::vector<std::string> words = {"User-agent",
                                          "Disallow",
                                          "Allow",
                                          "Sitemap",
                                          "Crawl-delay",
                                          "Content-Signal",
                                          "Content-Usage",
                                          "Request-rate",
                                          "Visit-time",
                                          ":",
                                          ": ",
                                          " ",
                                          "\t",
                                          "\n",
                                          "\r\n",
                                          "\r",
                                          "#",
                                          "*",
                                          "$",
                                          "/",
                                          "/a",
                                          "%zz",
                                          "%41",
                                          "\xEF",
                                          "\xBB",
                                          "\xBF",
                                          "\xFF",
                                          "\xFE",
                                          "a",
                                          "9",
                                          "=n",
                                          "train-ai=yes",
                                          ", ",
                                          "http://",
                                          "<html>",
                                          "Disalow",
                                          "alow",
                                          "\x1B",
                                          "e",
                                          "\0"s};
  std::mt19937 random(20'260'101);
  for (int round = 0; round < 4000; ++round) {
    std::string body;
    if (round % 4 == 0) {
      for (std::size_t i = random() % 200; i > 0; --i) body += static_cast<char>(random() % 256);
    } else {
      for (std::size_t i = random() % 60; i > 0; --i) body += words[random() % words.size()];
    }
    const std::vector<char> exact(body.begin(), body.end());  // no octet behind the end
    for (const Dialect& dialect : Dialect::presets()) {
      expect_inside(std::string_view(exact.data(), exact.size()), dialect);
      if (HasFatalFailure()) {
        FAIL() << dialect.name << " round " << round;
      }
    }
  }
}

}  // namespace
}  // namespace robotrules::test
