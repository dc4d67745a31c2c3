// RobotsTxt: the document model.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include <robotrules/robots_txt.hpp>

#include "core/check.hpp"
#include "core/engine_answer.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::string_literals;

constexpr std::string_view sample =
    "# a comment\n"
    "Sitemap: https://foo.bar/a.xml\n"
    "\n"
    "User-agent: FooBot\n"
    "  user-agent :BarBot # two names\n"
    "Disallow: /a\n"
    "Crawl-delay: 5\n"
    "Allow:\t/a/b\n"
    "X-Other: kept as it is\n"
    "\n"
    "User-agent: *\n"
    "Disallow:\n"
    "Sitemap: /b.xml\n";

TEST(RobotsTxt, AnEmptyFileHasNothing) {
  for (const RobotsTxt& file : {RobotsTxt(), RobotsTxt::parse(""), RobotsTxt::parse({})}) {
    EXPECT_EQ(file.size(), 0U);
    EXPECT_EQ(file.group_count(), 0U);
    EXPECT_TRUE(file.groups().empty());
    EXPECT_TRUE(file.sitemaps().empty());
    EXPECT_EQ(file.text(), "");
    EXPECT_EQ(file.url(), "");
    EXPECT_EQ(file.line_count(), 0U);
    EXPECT_FALSE(file.truncated());
    EXPECT_FALSE(file.looks_like_html());
    EXPECT_EQ(file.dialect().name, "rfc9309");
    EXPECT_EQ(check(file.rules_for("FooBot"), "/x").why(), Why::no_group);
  }
}

TEST(RobotsTxt, GroupsHoldAgentsRulesAndTheRest) {
  const RobotsTxt file = RobotsTxt::parse(sample);
  ASSERT_EQ(file.group_count(), 2U);
  const std::vector<Group> groups = file.groups();
  ASSERT_EQ(groups.size(), 2U);

  EXPECT_EQ(groups[0].line, 4U);
  ASSERT_EQ(groups[0].agents.size(), 2U);
  EXPECT_EQ(groups[0].agents[0].value, "FooBot");
  EXPECT_EQ(groups[0].agents[1].value, "BarBot");
  ASSERT_EQ(groups[0].rules.size(), 2U);
  EXPECT_EQ(groups[0].rules[0].kind, DirectiveKind::disallow);
  EXPECT_EQ(groups[0].rules[0].value, "/a");
  EXPECT_EQ(groups[0].rules[1].kind, DirectiveKind::allow);
  EXPECT_EQ(groups[0].rules[1].value, "/a/b");
  ASSERT_EQ(groups[0].other.size(), 2U);
  EXPECT_EQ(groups[0].other[0].kind, DirectiveKind::crawl_delay);
  EXPECT_EQ(groups[0].other[1].kind, DirectiveKind::other);
  EXPECT_EQ(groups[0].other[1].name, "X-Other");
  EXPECT_EQ(groups[0].other[1].value, "kept as it is");

  EXPECT_EQ(groups[1].line, 11U);
  ASSERT_EQ(groups[1].agents.size(), 1U);
  EXPECT_EQ(groups[1].agents[0].value, "*");
  ASSERT_EQ(groups[1].rules.size(), 1U);
  EXPECT_EQ(groups[1].rules[0].value, "");
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const Group one = file.group(i);
    EXPECT_EQ(one.line, groups[i].line);
    EXPECT_EQ(one.agents.size(), groups[i].agents.size());
    EXPECT_EQ(one.rules.size(), groups[i].rules.size());
    EXPECT_EQ(one.other.size(), groups[i].other.size());
  }
}

TEST(RobotsTxt, DirectivesHaveTheirPlace) {
  const RobotsTxt file = RobotsTxt::parse(sample);
  struct Place {
    DirectiveKind kind;
    std::uint32_t line, column, value_column;
    std::int32_t group;
  };
  const std::vector<Place> places{
      {DirectiveKind::sitemap, 2, 1, 10, -1},    {DirectiveKind::user_agent, 4, 1, 13, 0},
      {DirectiveKind::user_agent, 5, 3, 15, 0},  {DirectiveKind::disallow, 6, 1, 11, 0},
      {DirectiveKind::crawl_delay, 7, 1, 14, 0}, {DirectiveKind::allow, 8, 1, 8, 0},
      {DirectiveKind::other, 9, 1, 10, 0},       {DirectiveKind::user_agent, 11, 1, 13, 1},
      {DirectiveKind::disallow, 12, 1, 10, 1},   {DirectiveKind::sitemap, 13, 1, 10, 1},
  };
  ASSERT_EQ(file.size(), places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Directive directive = file.directive(i);
    EXPECT_EQ(directive.kind, places[i].kind) << i;
    EXPECT_EQ(directive.line, places[i].line) << i;
    EXPECT_EQ(directive.column, places[i].column) << i;
    EXPECT_EQ(directive.group, places[i].group) << i;
    if (!directive.value.empty()) {
      EXPECT_EQ(directive.value_column, places[i].value_column) << i;
    }
  }
}

// Line and column lead back to the bytes they stand for.
TEST(RobotsTxt, ColumnsPointAtNamesAndValues) {
  const std::string body =
      "User-agent: FooBot\r\n \t Disallow \t:\t /x y \t# c\r\rAllow:/\xC3\xBC z\nuser agent:  Bar\n\nDisallow "
      "/q\nSitemap:\thttp://s/";
  const RobotsTxt file = RobotsTxt::parse(body);
  std::vector<std::string> lines(1);
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body[i] == '\r' && i + 1 < body.size() && body[i + 1] == '\n') continue;
    if (body[i] == '\r' || body[i] == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += body[i];
    }
  }
  EXPECT_EQ(file.line_count(), lines.size());
  ASSERT_EQ(file.size(), 6U);
  for (std::size_t i = 0; i < file.size(); ++i) {
    const Directive d = file.directive(i);
    ASSERT_LE(d.line, lines.size());
    EXPECT_EQ(lines[d.line - 1].substr(d.column - 1, d.name.size()), d.name) << i;
    EXPECT_EQ(lines[d.line - 1].substr(d.value_column - 1, d.value.size()), d.value) << i;
  }
  EXPECT_EQ(file.directive(1).value, "/x y");
  EXPECT_EQ(file.directive(4).name, "Disallow");
  EXPECT_EQ(file.directive(4).value, "/q");
}

TEST(RobotsTxt, RulesBeforeAnyAgentBelongToNoGroupOrToOneWithoutAgents) {
  const RobotsTxt file = RobotsTxt::parse("Disallow: /x\nUser-agent: *\nDisallow: /y");
  EXPECT_EQ(file.directive(0).group, -1);
  EXPECT_EQ(file.group_count(), 1U);
  const RobotsTxt perl = RobotsTxt::parse("Disallow: /x\n\nUser-agent: *\nDisallow: /y", Dialect::www_robotrules());
  ASSERT_EQ(perl.group_count(), 2U);
  EXPECT_TRUE(perl.group(0).agents.empty());
  EXPECT_EQ(perl.group(0).line, 1U);
  EXPECT_EQ(perl.group(1).line, 3U);
}

TEST(RobotsTxt, GroupsOfOneNameAreNotMergedInTheDocument) {
  EXPECT_EQ(RobotsTxt::parse("User-agent: a\nDisallow: /\nUser-agent: a\nDisallow: /").group_count(), 2U);
  EXPECT_EQ(RobotsTxt::parse("User-agent: a\nUser-agent: a\nDisallow: /").group_count(), 1U);
  EXPECT_EQ(RobotsTxt::parse("User-agent: a\nSitemap: x\n\nUser-agent: a").group_count(), 1U);
}

TEST(RobotsTxt, SitemapsAreResolvedAndGivenOnce) {
  const RobotsTxt file = RobotsTxt::parse(
      "Sitemap: /a.xml\nUser-agent: *\nSitemap: https://foo.bar/dir/../a.xml\nSITEMAP:  b.xml  # c\nSitemap: /a.xml\n"
      "Site-map: //other.example/C.xml\nSitemap:\nSitemap: https://foo.bar/a.xml",
      Dialect::rfc9309(), "https://foo.bar/robots.txt");
  std::vector<std::string> urls;
  for (const Sitemap& sitemap : file.sitemaps()) urls.push_back(sitemap.url);
  ASSERT_GE(urls.size(), 3U);
  EXPECT_EQ(urls[0], "https://foo.bar/a.xml");
  EXPECT_EQ(file.sitemaps()[0].line, 1U);
  EXPECT_EQ(file.sitemaps()[0].value, "/a.xml");
  for (std::size_t i = 0; i < urls.size(); ++i) {
    EXPECT_NE(urls[i], "");
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(urls[i], urls[j]);
  }
  EXPECT_NE(std::find(urls.begin(), urls.end(), "https://foo.bar/b.xml"), urls.end());
  EXPECT_NE(std::find(urls.begin(), urls.end(), "https://other.example/C.xml"), urls.end());
}

TEST(RobotsTxt, SitemapsStayAsWrittenWithoutAUrl) {
  const RobotsTxt file = RobotsTxt::parse("Sitemap: b.xml\nSitemap: HTTP://Foo.Bar/S.xml");
  ASSERT_EQ(file.sitemaps().size(), 2U);
  EXPECT_EQ(file.sitemaps()[0].url, "b.xml");
  EXPECT_EQ(file.sitemaps()[1].value, "HTTP://Foo.Bar/S.xml");
  EXPECT_EQ(file.url(), "");
}

// --- limits --------------------------------------------------------------------------------------------------------

std::string file_of(std::size_t size, std::string_view last) {
  std::string body = "User-agent: *\nDisallow: /first\n#";
  body.append(size - body.size() - last.size() - 1, 'x');
  body += '\n';
  body += last;
  return body;
}

TEST(RobotsTxt, FileLimitIs512000Bytes) {
  for (const std::size_t size : {511'999U, 512'000U}) {
    const std::string body = file_of(size, "Disallow: /last");
    ASSERT_EQ(body.size(), size);
    const RobotsTxt file = RobotsTxt::parse(body);
    EXPECT_FALSE(file.truncated()) << size;
    EXPECT_EQ(file.text().size(), size);
    EXPECT_FALSE(check(file.rules_for("x"), "/last").allowed()) << size;
  }
}

TEST(RobotsTxt, OneByteMoreCutsAtTheLastWholeLine) {
  const std::string body = file_of(512'001, "Disallow: /last");
  const RobotsTxt file = RobotsTxt::parse(body);
  EXPECT_TRUE(file.truncated());
  EXPECT_EQ(file.text().size(), 512'001U - 15U);
  for (const Rules& rules : {file.rules_for("x"), Rules::compile(body, "x")}) {
    EXPECT_TRUE(rules.check("/last").allowed());
    EXPECT_TRUE(rules.check("/las").allowed());
    EXPECT_FALSE(rules.check("/first").allowed());
  }
}

// A cut Allow must not open what the whole one would not have.
TEST(RobotsTxt, ACutRuleIsNoRule) {
  std::string body = file_of(511'990, "Disallow: /\n");
  body += "Allow: /very/long/and/special/path\n";
  const RobotsTxt file = RobotsTxt::parse(body);
  EXPECT_TRUE(file.truncated());
  EXPECT_FALSE(check(file.rules_for("x"), "/v").allowed());
  EXPECT_FALSE(check(file.rules_for("x"), "/very/long").allowed());
}

TEST(RobotsTxt, AFileWithoutALineEndWithinTheLimitHasNoLine) {
  const RobotsTxt file = RobotsTxt::parse("User-agent: " + std::string(600'000, 'a'));
  EXPECT_TRUE(file.truncated());
  EXPECT_EQ(file.text(), "");
  EXPECT_EQ(file.size(), 0U);
}

TEST(RobotsTxt, ALineThatEndsRightAtTheLimitIsWhole) {
  Dialect dialect = Dialect::rfc9309();
  const std::string body = "User-agent: *\nDisallow: /x\nAllow: /x\n";
  dialect.file_limit = body.find("\nAllow");
  const RobotsTxt file = RobotsTxt::parse(body, dialect);
  EXPECT_TRUE(file.truncated());
  EXPECT_FALSE(check(file.rules_for("x"), "/x").allowed());
  EXPECT_FALSE(check(Rules::compile(body, "x", dialect), "/x").allowed());
}

TEST(RobotsTxt, TheOtherPresetsReadTheWholeFile) {
  const std::string body = file_of(700'000, "Disallow: /last");
  for (const Dialect& dialect : Dialect::presets()) {
    if (dialect.name == "rfc9309") continue;
    EXPECT_FALSE(RobotsTxt::parse(body, dialect).truncated()) << dialect.name;
    EXPECT_FALSE(check(Rules::compile(body, "x", dialect), "http://foo.bar/last").allowed()) << dialect.name;
  }
}

// Room for every directive and then some; never an allocation by the square.
TEST(RobotsTxt, MemoryIsBounded) {
  std::vector<std::string> bodies;
  for (const char* line :
       {"a:\n", "User-agent: *\n", "Disallow: /x\n", "\n", "x\n", "Sitemap: /s\n", "User-agent: a\nDisallow: /\n"}) {
    std::string body;
    while (body.size() < 200'000) body += line;
    bodies.push_back(body);
  }
  for (const std::string& body : bodies) {
    const RobotsTxt file = RobotsTxt::parse(body);
    EXPECT_LE(file.memory_bytes(), 8 * body.size()) << body.substr(0, 20);
    EXPECT_GE(file.memory_bytes(), file.text().size()) << body.substr(0, 20);
  }
}

// --- encodings and pages -------------------------------------------------------------------------------------------

std::string utf16(std::u16string_view text, bool big_endian) {
  std::string out = big_endian ? "\xFE\xFF" : "\xFF\xFE";
  for (const char16_t unit : text) {
    const char high = static_cast<char>(unit >> 8), low = static_cast<char>(unit & 255);
    out += big_endian ? high : low;
    out += big_endian ? low : high;
  }
  return out;
}

TEST(RobotsTxt, Utf16IsTranscoded) {
  for (const bool big_endian : {false, true}) {
    const std::string bytes =
        utf16(u"User-agent: *\r\nDisallow: /\u00FC\n# \U0001F916 \xD800 x\nDisallow: /\u2603", big_endian);
    const RobotsTxt file = RobotsTxt::parse(bytes);
    EXPECT_EQ(file.text(),
              "User-agent: *\r\nDisallow: /\xC3\xBC\n# \xF0\x9F\xA4\x96 \xEF\xBF\xBD x\nDisallow: /\xE2\x98\x83");
    EXPECT_EQ(file.line_count(), 4U);
    EXPECT_FALSE(check(file.rules_for("x"), "/%C3%BC").allowed());
    EXPECT_EQ(check(Rules::compile(bytes, "x"), "/\xE2\x98\x83").line(), 4U);
  }
}

TEST(RobotsTxt, Utf16IsCutByItsTranscodedSize) {
  std::u16string text = u"User-agent: *\nDisallow: /a\n";
  while (text.size() < 300'000) text += u"# comment\n";
  text += u"Disallow: /last\n";
  const std::string bytes = utf16(text, false);
  ASSERT_GT(bytes.size(), 512'000U);
  EXPECT_FALSE(RobotsTxt::parse(bytes).truncated());
  EXPECT_FALSE(check(Rules::compile(bytes, "x"), "/last").allowed());
}

TEST(RobotsTxt, OnlyDialectsThatKnowUtf16TranscodeIt) {
  const std::string bytes = utf16(u"User-agent: *\nDisallow: /", false);
  EXPECT_EQ(RobotsTxt::parse(bytes, Dialect::google()).text(), bytes);
  EXPECT_EQ(RobotsTxt::parse("\xFF\xFE").text(), "");
  EXPECT_EQ(RobotsTxt::parse("\xFE\xFF\0"s).text(), "\xEF\xBF\xBD");
}

TEST(RobotsTxt, PagesAreRecognised) {
  for (const char* page :
       {"<!DOCTYPE html>\n<html>", "<html lang=en><head>", "  \n\n<!doctype HTML PUBLIC>", "\xEF\xBB\xBF<HTML>",
        "<head><title>404</title>", "<!DOCTYPE html><html><body>User-agent: *\nDisallow: /\n</body>"}) {
    EXPECT_TRUE(RobotsTxt::parse(page).looks_like_html()) << page;
  }
  for (const char* file :
       {"", "User-agent: *\n", "# <html>\nUser-agent: *", "User-agent: *\nDisallow: /<html>", "not found"}) {
    EXPECT_FALSE(RobotsTxt::parse(file).looks_like_html()) << file;
  }
}

// --- lifetime ------------------------------------------------------------------------------------------------------

TEST(RobotsTxt, NothingOfTheInputIsNeededAfterwards) {
  auto block = std::make_unique<ExactBlock>(sample);
  auto url = std::make_unique<std::string>("https://foo.bar/robots.txt");
  const RobotsTxt file = RobotsTxt::parse(block->view(), Dialect::rfc9309(), *url);
  block.reset();
  url.reset();
  EXPECT_EQ(file.text(), sample);
  EXPECT_EQ(file.url(), "https://foo.bar/robots.txt");
  EXPECT_EQ(file.directive(1).value, "FooBot");
  EXPECT_EQ(file.sitemaps().back().url, "https://foo.bar/b.xml");
}

TEST(RobotsTxt, ViewsOutliveTheObjectTheyCameFromWhileACopyLives) {
  std::vector<RobotsTxt> copies;
  std::string_view text, value;
  std::vector<Group> groups;
  {
    const RobotsTxt file = RobotsTxt::parse(sample);
    text = file.text();
    value = file.directive(1).value;
    groups = file.groups();
    copies.push_back(file);
    for (int i = 0; i < 20; ++i) copies.push_back(copies.back());  // moved about as the vector grows
  }
  const RobotsTxt last = std::move(copies.back());
  copies.clear();
  EXPECT_EQ(text, sample);
  EXPECT_EQ(value, "FooBot");
  EXPECT_EQ(groups[0].rules[1].value, "/a/b");
  EXPECT_EQ(last.text().data(), text.data());
}

TEST(RobotsTxt, RulesStandAlone) {
  Rules rules;
  {
    const RobotsTxt file = RobotsTxt::parse(sample);
    rules = file.rules_for("FooBot");
  }
  const Verdict verdict = rules.check("/a/x");
  ASSERT_TRUE(verdict.rule().has_value());
  EXPECT_EQ(verdict.rule()->pattern, "/a");
  EXPECT_EQ(rules.crawl_delay(), Milliseconds(5000));
}

TEST(RobotsTxt, CopiesAndAssignmentsAreTheSameFile) {
  RobotsTxt a = RobotsTxt::parse(sample);
  RobotsTxt b = a;
  EXPECT_EQ(a.text().data(), b.text().data());
  b = RobotsTxt::parse("User-agent: x");
  EXPECT_EQ(a.size(), 10U);
  EXPECT_EQ(b.size(), 1U);
  a = std::move(b);
  EXPECT_EQ(a.size(), 1U);
  const RobotsTxt& self = a;
  a = self;
  EXPECT_EQ(a.text(), "User-agent: x");
}

// Folyd/robotstxt #1: a line of only white space ended the program.
TEST(RobotsTxt, LinesOfWhiteSpaceAreNotDirectives) {
  for (const std::string& blank : {" "s, "\t"s, " \t "s, "\v"s, "\f"s, "\r"s, "   \r"s, std::string(5'000, ' ')}) {
    EXPECT_EQ(RobotsTxt::parse(blank).size(), 0U);
  }
}

// crw #542: lower-casing by Unicode changes how many bytes a name has: U+0130 grows, U+212A shrinks.
TEST(RobotsTxt, NamesThatChangeTheirLengthInLowerCase) {
  for (const std::string& odd : {"\xC4\xB0"s, "\xE2\x84\xAA"s, "\xC8\xBA"s, "\xE1\xBA\x9E"s}) {
    std::string run;
    for (int i = 0; i < 40; ++i) run += odd;
    EXPECT_EQ(RobotsTxt::parse(run + ":" + run + "\n" + run).line_count(), 2U);
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
