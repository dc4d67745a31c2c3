// Each code fires where it should, with its severity, at its line and column; and not at a near miss.
#include "advice/lint/run_checks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <robotrules/diagnose.hpp>
#include <robotrules/robots_txt.hpp>

#include "advice/lint_cases.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::string_literals;

std::vector<Diagnostic> lint(std::string_view body, const Dialect& dialect = Dialect::rfc9309()) {
  return diagnose(RobotsTxt::parse(body, dialect), known_robots());
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

// A group for everybody with `lines` in it.
std::string group(std::string_view lines) { return "User-agent: *\n" + std::string(lines) + "\n"; }

TEST(Lint, EachCodeFiresAtItsPlaceWithItsSeverity) {
  for (const LintCase& c : lint_cases()) {
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
  for (const LintCase& c : lint_cases()) {
    const auto found = lint(c.near_miss, *Dialect::find(c.dialect));
    EXPECT_EQ(count(found, c.code), 0u) << c.code << " in\n"
                                        << c.near_miss.substr(0, 200) << "\n"
                                        << listed(found).substr(0, 2000);
  }
}

struct FetchCase {
  std::string_view code;
  FetchFacts facts;
  FetchFacts near_miss;
};

std::vector<FetchCase> fetch_cases() {
  const FetchFacts good{.status = 200, .content_type = "text/plain; charset=utf-8"};
  const auto with_status = [](int status) { return FetchFacts{.status = status, .content_type = "text/plain"}; };
  const auto with_type = [](std::string type) { return FetchFacts{.status = 200, .content_type = std::move(type)}; };
  FetchFacts redirected = good, kept = good, kept_a_day = good;
  redirected.redirects = 1;
  kept.max_age = std::chrono::hours(25);
  kept_a_day.max_age = std::chrono::hours(24);
  return {{"file-unavailable", with_status(404), good},
          {"file-unavailable", with_status(403), with_status(503)},
          {"file-unreachable", with_status(500), with_status(404)},
          {"file-unreachable", with_status(429), good},
          {"file-unreachable", with_status(206), good},
          {"file-unavailable", with_status(302), with_status(500)},
          {"wrong-content-type", with_type("text/html"), with_type("Text/Plain")},
          {"wrong-content-type", with_type(""), with_status(404)},
          {"redirected-file", redirected, good},
          {"long-cache-time", kept, kept_a_day}};
}

TEST(Lint, AResponseHasFindingsToo) {
  const auto file = RobotsTxt::parse("User-agent: *\nDisallow: /a\n");
  for (const FetchCase& c : fetch_cases()) {
    const auto found = diagnose(file, {.robots = {}, .fetched = c.facts});
    EXPECT_EQ(count(found, c.code), 1u) << c.code << "\n" << listed(found);
    const auto near_miss = diagnose(file, {.robots = {}, .fetched = c.near_miss});
    EXPECT_EQ(count(near_miss, c.code), 0u) << c.code << "\n" << listed(near_miss);
  }
}

TEST(Lint, TooManyRequestsIsNotClosedByTheStandard) {
  const auto found = diagnose(RobotsTxt::parse(""), {.robots = {}, .fetched = FetchFacts{.status = 429}});
  ASSERT_EQ(found.size(), 1u) << listed(found);
  EXPECT_NE(found[0].message.find("RFC 9309 lets robots fetch everything"), std::string::npos) << listed(found);
}

TEST(Lint, CommentsSilenceFindings) {
  const std::string star = "Disallow: /a*";
  EXPECT_EQ(count(lint(group(star + "  # robotrules: ignore star-at-end")), "star-at-end"), 0u);
  EXPECT_EQ(count(lint(group("# robotrules: ignore dot-segment, star-at-end\n" + star)), "star-at-end"), 0u);
  EXPECT_EQ(count(lint(group(star + "\n# robotrules: ignore-file star-at-end")), "star-at-end"), 0u);
  EXPECT_EQ(count(lint("# robotrules: ignore-file empty-file\n"), "empty-file"), 0u);
  EXPECT_EQ(count(lint(group("# robotrules: ignore star-at-end\n\n" + star)), "star-at-end"), 1u);
  EXPECT_EQ(count(lint(group("# robotrules: ignore stars\n" + star)), "star-at-end"), 1u);
  EXPECT_EQ(count(lint(group("# robotrules ignore star-at-end\n" + star)), "star-at-end"), 1u);
}

TEST(Lint, ACommentThatSilencesNothingSaysHowToWriteIt) {
  struct Case {
    std::string_view comment;
    std::string_view remedy;
  };
  const Case cases[] = {
      {"# robotrules: ignore star-at-ends", "Write \"star-at-end\"."},
      {"# robotrules: ignore dropped-star", "Write \"dropped-star-rules\"."},
      {"# robotrules: ignore star-at-end because of old robots",
       "Write the code of the finding. A remark after the codes begins with \"#\"."},
      {"# robotrules: ignore", "Write \"# robotrules: ignore CODE\", with the code of the finding."},
      {"# robotrules: disable star-at-end, bare-star", "Write \"# robotrules: ignore star-at-end, bare-star\"."},
      {"# robotrules: disable-file bare-star", "Write \"# robotrules: ignore-file bare-star\"."},
      {"# robotrules: star-at-end", "Write \"# robotrules: ignore star-at-end\"."},
      {"# robotrules-ignore star-at-end", "Write \"# robotrules: ignore star-at-end\"."},
  };
  for (const Case& c : cases) {
    const auto found = lint(group(std::string(c.comment)));
    const auto one = std::ranges::find(found, "bad-ignore-comment", &Diagnostic::code);
    ASSERT_NE(one, found.end()) << c.comment;
    EXPECT_EQ(one->remedy, c.remedy);
    EXPECT_EQ(count(found, "bad-ignore-comment"), 1u) << c.comment;
  }
  // The codes that are known count nevertheless, and a remark may contain anything.
  const std::string star = "Disallow: /a*";
  EXPECT_EQ(count(lint(group(star + " # robotrules: ignore star-at-ends, star-at-end")), "star-at-end"), 0u);
  EXPECT_EQ(count(lint(group(star + " # old # robotrules: ignore star-at-end # why")), "star-at-end"), 0u);
}

TEST(Lint, EveryCodeHasACase) {
  std::set<std::string_view> tried;
  for (const LintCase& c : lint_cases()) tried.insert(c.code);
  for (const FetchCase& c : fetch_cases()) tried.insert(c.code);
  for (const DiagnosticCode& code : diagnostic_codes()) EXPECT_TRUE(tried.contains(code.code)) << code.code;
  EXPECT_EQ(tried.size(), diagnostic_codes().size());
}

TEST(Lint, MessagesAreSentencesAndRemediesSayWhatToDo) {
  for (const LintCase& c : lint_cases()) {
    for (const Diagnostic& d : lint(c.body, *Dialect::find(c.dialect))) {
      ASSERT_NE(find_code(d.code), nullptr) << d.code;
      EXPECT_GE(d.severity, find_code(d.code)->severity) << d.code;  // it may be milder
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
  EXPECT_EQ(count(advice::lint(file), "utf-16-file"), 0u);
  const auto found = advice::lint(file, {}, {.utf16 = true});
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
      for (unsigned bytes = pick(4); bytes > 0; --bytes) body += "aab/*"[pick(5)];
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
  for (const Diagnostic& d : diagnose(file, known_robots())) {
    ASSERT_NE(find_code(d.code), nullptr);
    for (const LineEdit& edit : d.edits) {
      ASSERT_GE(edit.line, 1u) << d.code;
      ASSERT_LE(edit.line, sizes.size()) << d.code;
    }
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
    const std::vector<char> exact(body.begin(), body.end());  // no byte behind the end
    for (const Dialect& dialect : Dialect::presets()) {
      expect_inside(std::string_view(exact.data(), exact.size()), dialect);
      if (HasFatalFailure()) {
        FAIL() << dialect.name << " round " << round;
      }
    }
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
