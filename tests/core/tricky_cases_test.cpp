// Cases that naive readers get wrong, collected from the suites and issues of other parsers. The name of a test begins
// with the number of the case in the project's list. Where the two presets differ, the test says so.
#include <gtest/gtest.h>

#include <string>

#include "core/ask.hpp"

namespace robotrules {
namespace {

using namespace std::string_literals;
using test::for_everyone;
using test::Question;

const Dialect& rfc = Dialect::rfc9309();
const Dialect& google = Dialect::google();

class Both : public testing::TestWithParam<const char*> {
 protected:
  const Dialect& dialect() const { return *Dialect::find(GetParam()); }
  Question rules(std::string_view body) const { return for_everyone(dialect(), body); }
  Question file(std::string_view body, std::string_view agent = "FooBot") const { return {dialect(), body, agent}; }
};
INSTANTIATE_TEST_SUITE_P(Presets, Both, testing::Values("rfc9309", "google"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(Both, Case01_LongestRuleWins) {
  EXPECT_DISALLOWED(rules("Disallow: /x/page.html\nAllow: /x/"), "/x/page.html");
  EXPECT_ALLOWED(rules("Disallow: /x/page.html\nAllow: /x/"), "/x/");
  EXPECT_ALLOWED(rules("Allow: /x/page.html\nDisallow: /x/"), "/x/page.html");
}
TEST_P(Both, Case02_TiesAllow) {
  EXPECT_ALLOWED(rules("Disallow:\nAllow:"), "/a");
  EXPECT_ALLOWED(rules("Disallow: /\nAllow: /"), "/a");
  EXPECT_EQ(rules("Disallow: /\nAllow: /").line("/a"), 3U);
}
TEST_P(Both, Case03_StarCounts) { EXPECT_DISALLOWED(rules("Allow: /page\nDisallow: /*.htm"), "/page.htm"); }
TEST_P(Both, Case04_MatchedOctetsDoNotCount) {
  EXPECT_ALLOWED(rules("Allow: /x/page.\nDisallow: /*.html"), "/x/page.html");
}
TEST_P(Both, Case05_TieOfLiteralAndWildcard) { EXPECT_ALLOWED(rules("Allow: /page\nDisallow: /*.ph"), "/page.php5"); }
TEST_P(Both, Case06_RootOnly) {
  EXPECT_ALLOWED(rules("Allow: /$\nDisallow: /"), "/");
  EXPECT_DISALLOWED(rules("Allow: /$\nDisallow: /"), "/page.html");
}
TEST_P(Both, Case07_TrailingStarChangesNothing) {
  for (const char* rule : {"Disallow: /fish*", "Disallow: /fish"}) {
    EXPECT_DISALLOWED(rules(rule), "/fishheads");
    EXPECT_DISALLOWED(rules(rule), "/fish.php?id=a");
    EXPECT_ALLOWED(rules(rule), "/Fish.asp");
    EXPECT_ALLOWED(rules(rule), "/catfish");
  }
  EXPECT_ALLOWED(rules("Disallow: /fish/"), "/fish");
}
TEST_P(Both, Case08_EndAnchorSeesTheQuery) {
  const Question php = rules("Disallow: /*.php$");
  EXPECT_DISALLOWED(php, "/filename.php");
  EXPECT_ALLOWED(php, "/filename.php?parameters");
  EXPECT_ALLOWED(php, "/filename.php/");
  EXPECT_ALLOWED(php, "/filename.php5");
  EXPECT_ALLOWED(php, "/windows.PHP");
}
TEST_P(Both, Case09_StarTakesNothingBeforeTheEnd) { EXPECT_DISALLOWED(rules("Disallow: /fish*$"), "/fish"); }
TEST_P(Both, Case10_WildcardRuleIsAnchored) { EXPECT_ALLOWED(rules("Disallow: /fish*$"), "/shark/fish"); }
TEST_P(Both, Case11_DollarInsideIsAnOctet) {
  EXPECT_DISALLOWED(rules("Disallow: /x$/abc"), "/x$/abcdef");
  EXPECT_ALLOWED(rules("Disallow: /x$/abc"), "/x");
}
TEST_P(Both, Case12_LastDollarIsOnlyAnAnchor) {
  EXPECT_DISALLOWED(rules("Disallow: /x/abc$"), "/x/abc");
  EXPECT_ALLOWED(rules("Disallow: /x/abc$"), "/x/abc$");
  EXPECT_ALLOWED(rules("Disallow: /x/abc$"), "/x/abc%24");
}
TEST(TrickyRfc9309, Case13_EscapedDollar) {
  const Question q = for_everyone(rfc, "Disallow: /%24");
  EXPECT_DISALLOWED(q, "/$100");
  EXPECT_DISALLOWED(q, "/%24100");
  EXPECT_ALLOWED(q, "/");
}
TEST(TrickyGoogle, Case13_EscapedDollarMatchesOnlyItself) {
  const Question q = for_everyone(google, "Disallow: /%24");
  EXPECT_ALLOWED(q, "/$100");
  EXPECT_DISALLOWED(q, "/%24100");
}
TEST(TrickyRfc9309, Case14_EscapedStar) {
  const Question q = for_everyone(rfc, "Disallow: /search/%2A/");
  EXPECT_DISALLOWED(q, "/search/*/");
  EXPECT_DISALLOWED(q, "/search/%2a/");
  EXPECT_ALLOWED(q, "/search/foobar/");
}
TEST_P(Both, Case15_EscapedSlashBetweenStars) {
  EXPECT_DISALLOWED(rules("Disallow: /*%2F*"), "/topic/9%2F11/");
  EXPECT_ALLOWED(rules("Disallow: /*%2F*"), "/path/index.html");
}
TEST_P(Both, Case16_EscapedSpaceIsNotTrimmed) {
  EXPECT_DISALLOWED(rules("Disallow: /*%20"), "/a%20b");
  EXPECT_ALLOWED(rules("Disallow: /*%20"), "/ab");
}
TEST(TrickyRfc9309, Case17_UnreservedEscapesMatchTheirOctets) {
  EXPECT_DISALLOWED(for_everyone(rfc, "Disallow: /foo/bar/%62%61%7A"), "/foo/bar/baz");
}
TEST(TrickyGoogle, Case17_UnreservedEscapesMatchOnlyThemselves) {
  EXPECT_ALLOWED(for_everyone(google, "Disallow: /foo/bar/%62%61%7A"), "/foo/bar/baz");
  EXPECT_DISALLOWED(for_everyone(google, "Disallow: /foo/bar/%62%61%7A"), "/foo/bar/%62%61%7A");
}
TEST(TrickyRfc9309, Case18_EscapesInEitherCase) {
  for (const char* rule : {"Disallow: /a%3cd.html", "Disallow: /a%3Cd.html", "Disallow: /a<d.html"}) {
    for (const char* url : {"/a%3cd.html", "/a%3Cd.html", "/a<d.html"}) EXPECT_DISALLOWED(for_everyone(rfc, rule), url);
  }
  EXPECT_ALLOWED(for_everyone(rfc, "Disallow: /a%2fb"), "/a/b");
  EXPECT_DISALLOWED(for_everyone(rfc, "Disallow: /%7ejoe"), "/~joe");
}
TEST_P(Both, Case19_BrokenEscapesMatchThemselves) {
  EXPECT_DISALLOWED(rules("Disallow: /%a%a"), "/%a%a");
  EXPECT_DISALLOWED(rules("Disallow: /%"), "/%");
  EXPECT_DISALLOWED(rules("Disallow: /%2"), "/%2");
  EXPECT_DISALLOWED(rules("Disallow: /%zz"), "/%zz");
}
TEST(TrickyRfc9309, Case19_BrokenEscapesBehindNonAscii) {
  EXPECT_DISALLOWED(for_everyone(rfc, "Disallow: /\xE2\x9C\xBF%a"), "/\xE2\x9C\xBF%a");
  EXPECT_DISALLOWED(for_everyone(rfc, "Disallow: /\xE2\x9C\xBF%a"), "/%E2%9C%BF%a");
}
TEST_P(Both, Case20_InvalidUtf8DropsNoLaterRule) {
  EXPECT_DISALLOWED(rules("Disallow: /\xED\xA0\x80\nDisallow: /\xFC\nDisallow: /z"), "/z");
  EXPECT_ALLOWED(rules("Disallow: /\xED\xA0\x80\nDisallow: /\xFC\nDisallow: /z"), "/a");
}
TEST_P(Both, Case21_CommentWithoutSpace) {
  EXPECT_DISALLOWED(rules("Disallow: /foo/quz#qux"), "/foo/quz");
  EXPECT_DISALLOWED(rules("Disallow: /foo/bar #qux"), "/foo/bar");
}
TEST_P(Both, Case22_GroupGoesOnOverBlankLines) { EXPECT_DISALLOWED(file("User-agent: FooBot\n\n\nDisallow: /"), "/"); }
TEST_P(Both, Case23_BlankLineBetweenAgents) {
  const std::string body = "User-agent: BazBot\n\nuser-agent: FooBot\nallow: /z/\ndisallow: /\n";
  for (const char* agent : {"BazBot", "FooBot"}) {
    EXPECT_ALLOWED(file(body, agent), "/z/d");
    EXPECT_DISALLOWED(file(body, agent), "/y");
  }
}
TEST_P(Both, Case24_RulesBeforeTheFirstAgentAreNobodys) {
  const std::string body = "disallow: /\n\nUser-agent: FooBot\nallow: /x\n\nuser-agent: BarBot\ndisallow: /b\n";
  for (const char* agent : {"FooBot", "BarBot", "BazBot"}) EXPECT_ALLOWED(file(body, agent), "/y");
}
TEST_P(Both, Case25_OtherLinesDoNotSplitAGroup) {
  for (const char* between : {"Sitemap: http://s/", "Unknown: x", "", "garbage", "# Disallow: /z", ":"}) {
    const std::string body = "User-agent: FooBot\n"s + between + "\nUser-agent: BarBot\n" + between + "\nDisallow: /";
    EXPECT_DISALLOWED(file(body), "/x");
    EXPECT_DISALLOWED(file(body, "BarBot"), "/x");
  }
}
TEST_P(Both, Case26_CrawlDelayDoesNotSplitAGroup) {
  EXPECT_DISALLOWED(file("User-agent: FooBot\nCrawl-delay: 5\nUser-agent: BarBot\nDisallow: /"), "/x");
  EXPECT_ALLOWED(file("User-agent: googlebot\nCrawl-delay: 5\nDisallow: /z\nUser-agent: *\nDisallow: /", "googlebot"),
                 "/x");
}
TEST_P(Both, Case27_LineEndsAndTheirCount) {
  for (const char* end : {"\n", "\r", "\r\n"}) {
    const std::string e = end;
    const std::string body =
        "User-agent: foo" + e + "Allow: /some/path" + e + "User-agent: bar" + e + e + e + "Disallow: /";
    EXPECT_DISALLOWED(file(body, "bar"), "/x");
    EXPECT_EQ(file(body, "bar").line("/x"), 6U);
    EXPECT_EQ(file(body, "foo").line("/some/path"), 2U);
  }
  EXPECT_EQ(file("User-agent: bar\n\r\r\n\r\r\nDisallow: /\r", "bar").line("/x"), 6U);
}
TEST_P(Both, Case28_ByteOrderMark) {
  for (const std::string& mark : {"\xEF\xBB\xBF"s, "\xEF\xBB"s, "\xEF"s}) {
    EXPECT_DISALLOWED(file(mark + "User-agent: FooBot\nDisallow: /"), "/x");
  }
  EXPECT_ALLOWED(file("\xEF\x11\xBFUser-agent: FooBot\nDisallow: /"), "/x");
  EXPECT_ALLOWED(file("User-agent: FooBot\n\xEF\xBB\xBF"
                      "Disallow: /x\nDisallow: /y"),
                 "/x");
  EXPECT_DISALLOWED(file("User-agent: FooBot\n\xEF\xBB\xBF"
                         "Disallow: /x\nDisallow: /y"),
                    "/y");
}
TEST(TrickyRfc9309, Case29_Utf16WithByteOrderMark) {
  std::string little = "\xFF\xFE", big = "\xFE\xFF";
  for (const char c : "User-agent: *\nDisallow: /x"s) {
    little += {c, '\0'};
    big += {'\0', c};
  }
  EXPECT_DISALLOWED(Question(rfc, little), "/x");
  EXPECT_DISALLOWED(Question(rfc, big), "/x");
  EXPECT_ALLOWED(Question(google, little), "/x");
}
TEST(TrickyRfc9309, Case30_RuleBetweenNuls) {
  const Question q = for_everyone(rfc, "Disallow: /\n\0\0Allow: /family\0\0"s);
  EXPECT_ALLOWED(q, "/family");
  EXPECT_DISALLOWED(q, "/friends");
}
TEST(TrickyGoogle, Case30_LineEndsAtNul) {
  EXPECT_DISALLOWED(for_everyone(google, "Disallow: /\n\0\0Allow: /family\0\0"s), "/family");
}
TEST_P(Both, Case31_EmptyAgentAndEmptyUrl) {
  EXPECT_ALLOWED(file("User-agent: FooBot\nDisallow: /", ""), "/x");
  EXPECT_DISALLOWED(file("User-agent: FooBot\nDisallow: /"), "");
}
TEST_P(Both, Case32_PathsOfUrls) {
  EXPECT_DISALLOWED(rules("Disallow: /?a$"), "http://example.com?a");
  EXPECT_DISALLOWED(rules("Disallow: /a/b?c=http://d.e/$"), "http://example.com/a/b?c=http://d.e/");
  EXPECT_DISALLOWED(rules("Disallow: /b/c$"), "//a/b/c");
  EXPECT_DISALLOWED(rules("Disallow: /$"), "http://example.com");
  EXPECT_DISALLOWED(rules("Disallow: /$"), "http://example.com#c");
}
TEST(TrickyGoogle, Case32_PathsOfUrlsWithoutScheme) {
  EXPECT_DISALLOWED(for_everyone(google, "Disallow: /a;b$"), "example.com/a;b#c");
  EXPECT_DISALLOWED(for_everyone(google, "Disallow: /$"), "a");
  EXPECT_DISALLOWED(for_everyone(google, "Disallow: /;a$"), "example.com;a");
}
TEST(TrickyRfc9309, Case32_WhatHasNoSchemeIsAPath) {
  EXPECT_DISALLOWED(for_everyone(rfc, "Disallow: /example.com/a;b$"), "example.com/a;b#c");
  EXPECT_DISALLOWED(for_everyone(rfc, "Disallow: /a$"), "a");
}
TEST_P(Both, Case33_FragmentIsCutBeforeTheAnchor) { EXPECT_DISALLOWED(rules("Disallow: /a$"), "/a#f"); }
TEST_P(Both, Case34_QueryAndSemicolonAreOctets) {
  EXPECT_DISALLOWED(rules("Disallow: /?"), "/?q");
  EXPECT_ALLOWED(rules("Disallow: /?"), "/");
  EXPECT_DISALLOWED(rules("Disallow: /;"), "/;q");
  EXPECT_ALLOWED(rules("Disallow: /;"), "/");
}
TEST_P(Both, Case35_ParametersAndQueryCount) {
  EXPECT_DISALLOWED(rules("Disallow: /path;params?query"), "/path;params?query");
  EXPECT_ALLOWED(rules("Disallow: /path;params?query"), "/path?query");
  EXPECT_ALLOWED(rules("Disallow: /path;params?query"), "/path;params");
}
TEST_P(Both, Case36_WildcardSeesTheQuery) {
  EXPECT_DISALLOWED(rules("Disallow: /*s="), "/search?s=q");
  EXPECT_ALLOWED(rules("Disallow: /*s="), "/search?q");
}
TEST_P(Both, Case37_LeadingStarNeedsNoSlash) {
  EXPECT_DISALLOWED(rules("Disallow: *m"), "/my");
  EXPECT_DISALLOWED(rules("Disallow: */test"), "/test");
  EXPECT_DISALLOWED(rules("Disallow: */test"), "/a/test");
  EXPECT_DISALLOWED(rules("Disallow: ****/cats"), "/many/cats");
  EXPECT_ALLOWED(rules("Disallow: ****/cats"), "/dogs");
}
TEST_P(Both, Case38_ForeignUrlIsNotTheWholeSite) {
  EXPECT_ALLOWED(rules("Disallow: http://other/"), "/");
  EXPECT_ALLOWED(rules("Disallow: mailto:foo"), "/foo");
}
TEST_P(Both, Case39_TwoSlashesAreAPath) {
  EXPECT_DISALLOWED(rules("Disallow: //folder/*"), "http://foo.bar//folder/page");
  EXPECT_ALLOWED(rules("Disallow: //folder/*"), "http://foo.bar/folder/page");
}
TEST_P(Both, Case40_StarBehindAnAgent) {
  const std::string body = "User-agent: foofoobot*\nUser-agent: barbarbot*\nDisallow: /\n\nUser-agent: *\nDisallow: /z";
  EXPECT_DISALLOWED(file(body, "barbarbot"), "/x");
  EXPECT_ALLOWED(file(body, "barbarbot-prod"), "/x");
}
TEST(TrickyGoogle, Case41_DigitsEndTheName) {
  EXPECT_ALLOWED(Question(google, "User-agent: AB42bot\nDisallow: /", "AB42bot"), "/x");
  EXPECT_DISALLOWED(Question(google, "User-agent: AB42bot\nDisallow: /", "AB"), "/x");
}
TEST(TrickyRfc9309, Case41_DigitsAreFoundInTheWholeName) {
  EXPECT_DISALLOWED(Question(rfc, "User-agent: AB42bot\nDisallow: /", "AB42bot"), "/x");
  EXPECT_DISALLOWED(Question(rfc, "User-agent: AB42bot\nDisallow: /", "AB"), "/x");
  EXPECT_DISALLOWED(Question(rfc, "User-agent: AB42bot/2.0\nDisallow: /", "ab42BOT"), "/x");
  EXPECT_ALLOWED(Question(rfc, "User-agent: AB42bot\nDisallow: /", "AB42"), "/x");
}
TEST_P(Both, Case42_HtmlBetweenDirectivesIsSkipped) {
  EXPECT_DISALLOWED(file("User-agent: FooBot\n<br />\nUser-agent: BarBot\n<br />\nDisallow: /"), "/x");
  EXPECT_ALLOWED(file("<html><head><title>User-agent</title></head>\n<body><p>Disallow: /</p></body></html>"), "/x");
}
TEST_P(Both, Case43_TwoWordsOnAnAgentLine) {
  EXPECT_DISALLOWED(file("User-agent: Foo Bar\nDisallow: /", "Foo"), "/x");
  EXPECT_ALLOWED(file("User-agent: Foo Bar\nDisallow: /", "Bar"), "/x");
  EXPECT_ALLOWED(file("User-agent: Foo Bar\nDisallow: /", "Foo Bar"), "/x");
}
TEST_P(Both, Case44_NamesThatAreWordsOfALanguage) {
  for (const char* name : {"constructor", "__proto__", "null", "true"}) {
    EXPECT_DISALLOWED(file("User-agent: "s + name + "\nDisallow: /", name), "/x");
    EXPECT_ALLOWED(file("User-agent: FooBot\nDisallow: /", name), "/x");
  }
}
TEST_P(Both, Case45_NamesAreComparedWhole) {
  const std::string body = "User-agent: hedwig\nDisallow: /a\n\nUser-agent: hedwig-news\nDisallow: /b";
  EXPECT_DISALLOWED(file(body, "hedwig-news"), "/b");
  EXPECT_ALLOWED(file(body, "hedwig-news"), "/a");
  EXPECT_DISALLOWED(file(body, "hedwig"), "/a");
  EXPECT_ALLOWED(file(body, "hedwig"), "/b");
}
TEST(TrickyGoogle, Case46_IndexHtmlAllowsItsFolder) {
  const Question q = for_everyone(google, "Allow: /d/index.html\nDisallow: /");
  EXPECT_ALLOWED(q, "/d/");
  EXPECT_ALLOWED(q, "/d/index.html");
  EXPECT_DISALLOWED(q, "/d/index.htm");
  EXPECT_DISALLOWED(q, "/d/x");
  EXPECT_EQ(q.line("/d/"), 2U);
}
TEST(TrickyRfc9309, Case46_IndexHtmlIsAPathLikeAnother) {
  EXPECT_DISALLOWED(for_everyone(rfc, "Allow: /d/index.html\nDisallow: /"), "/d/");
}
TEST_P(Both, Case47_ManyStars) {
  const Question q = rules("Disallow: /*?" + std::string(84, '*') + "donotindex=1*");
  EXPECT_DISALLOWED(q, "/a?b&donotindex=1");
  EXPECT_ALLOWED(q, "/a?b&donotindex=2");
  EXPECT_DISALLOWED(rules("Disallow: /" + std::string(2048, '*') + "x"), "/aax");
}
TEST(TrickyRfc9309, Case48_LineOfAMegabyte) {
  Dialect unlimited = rfc;
  unlimited.file_limit = 0;
  const std::string path = "/" + std::string(1'000'000, 'A');
  EXPECT_DISALLOWED(for_everyone(unlimited, "Disallow: " + path), path);
  EXPECT_ALLOWED(for_everyone(unlimited, "Disallow: " + path), path.substr(0, 999'999));
}
TEST(TrickyGoogle, Case49_CutRuleStillApplies) {
  const std::string kept = "/" + std::string(16'663 - std::string_view("Disallow: /").size(), 'a');
  const Question q = for_everyone(google, "Disallow: " + kept + "bbbb\nAllow: /c");
  EXPECT_DISALLOWED(q, kept);
  EXPECT_DISALLOWED(q, kept + "x");
  EXPECT_ALLOWED(q, kept.substr(0, kept.size() - 1));
  EXPECT_EQ(q.line("/c"), 3U);
}
TEST_P(Both, Case50_CrawlDelayOfTheGroupsThatHold) {
  const std::string body =
      "User-agent: mybot\nCrawl-delay: 10\n\nUser-agent: yourbot\nDisallow: /\n\nUser-agent: *\nCrawl-delay: 30\n\n"
      "User-agent: mybot\nCrawl-delay: 20";
  EXPECT_EQ(Rules::compile(body, "mybot", dialect()).crawl_delay(), Milliseconds(20'000));
  EXPECT_EQ(Rules::compile(body, "yourbot", dialect()).crawl_delay(), std::nullopt);
  EXPECT_EQ(Rules::compile(body, "other", dialect()).crawl_delay(), Milliseconds(30'000));
}
TEST_P(Both, Case54_NoColonAndThreeWords) {
  EXPECT_ALLOWED(file("user-agent harry potter\nDisallow: /", "harry"), "/x");
  EXPECT_DISALLOWED(file("user-agent harry\nDisallow: /", "harry"), "/x");
}
TEST_P(Both, Case55_AnchorTakesTheLastOccurrence) {
  EXPECT_DISALLOWED(rules("Disallow: /*.php$"), "/x.php.php");
  EXPECT_DISALLOWED(rules("Disallow: /*.dext$"), "/Fish.dext.dext");
}

}  // namespace
}  // namespace robotrules
