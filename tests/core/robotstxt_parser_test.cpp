// The face of robotstxt-parser: its README's examples and words, in C++.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <robotrules/compat/robotstxt.hpp>

namespace robotrules::test::THIS_FILE {
namespace {

using robotstxt_parser::parse;
using robotstxt_parser::Parser;

TEST(RobotstxtParser, AnUrlishIsAnUrlAPathOrAQuery) {
  const Parser robots = parse("User-agent: *\nDisallow: /index.html\nDisallow: /?q=\n", "Crawler");
  EXPECT_EQ(robots.allowed("http://www.example.com/"), Access::allowed);
  EXPECT_EQ(robots.allowed("/index.html"), Access::disallowed);
  EXPECT_EQ(robots.allowed("https://example.com/index.html?a=b#part"), Access::disallowed);
  EXPECT_EQ(robots.allowed("?q=1"), Access::disallowed);
  EXPECT_EQ(robots.allowed("?p=1"), Access::allowed);
  EXPECT_EQ(robots.allowed("http://example.co.uk"), Access::allowed);
}

TEST(RobotstxtParser, SeveralAgentsInheritTheSameRules) {
  constexpr std::string_view text = "User-agent: Google\nUser-agent: Bing\nDisallow: /secret\n";
  for (const char* agent : {"Google", "Bing", "Googlebot/2.1", "Mozilla/5.0 (compatible; bingbot)"}) {
    EXPECT_EQ(parse(text, agent).allowed("/secret"), Access::disallowed) << agent;
  }
  EXPECT_EQ(parse(text, "Crawler").allowed("/secret"), Access::allowed);
}

TEST(RobotstxtParser, EncodingIsNormalisedButForReservedSigns) {
  const Parser robots = parse("User-agent: *\nDisallow: /h%65llo/\nDisallow: /ac%2fdc\n", "Crawler");
  EXPECT_EQ(robots.allowed("/hello/"), Access::disallowed);
  EXPECT_EQ(robots.allowed("/ac/dc"), Access::allowed);
  EXPECT_EQ(robots.allowed("/ac%2Fdc"), Access::disallowed);
}

TEST(RobotstxtParser, FirstRuleOfTheFirstSectionDecides) {
  const Parser robots =
      parse("User-agent: *\nAllow: /a\nDisallow: /\n\nUser-agent: Crawler\nDisallow: /a\n", "Crawler");
  EXPECT_EQ(robots.allowed("/a/b"), Access::allowed);
  EXPECT_EQ(robots.allowed("/b"), Access::disallowed);
  EXPECT_EQ(robots.check("/b").line(), 3u);
}

TEST(RobotstxtParser, SitemapsAreGivenAsWrittenInFileOrder) {
  const Parser robots = parse(
      "Sitemap: http://example.com/b.xml\nUser-agent: *\nDisallow: /\nSITEMAP: /a.xml\nSitemap: "
      "http://example.com/b.xml\n",
      "Crawler");
  EXPECT_EQ(robots.sitemaps(),
            (std::vector<std::string>{"http://example.com/b.xml", "/a.xml", "http://example.com/b.xml"}));
}

TEST(RobotstxtParser, AnotherDialectMayBeAsked) {
  constexpr std::string_view text = "User-agent: *\nDisallow: /\nAllow: /a\n";
  EXPECT_EQ(parse(text, "Crawler").allowed("/a"), Access::disallowed);
  EXPECT_EQ(parse(text, "Crawler", Dialect::rfc9309()).allowed("/a"), Access::allowed);
}

TEST(RobotstxtParser, EmptyFileAllowsEverything) {
  EXPECT_EQ(parse("", "Crawler").allowed("/a"), Access::allowed);
  EXPECT_TRUE(parse("", "Crawler").sitemaps().empty());
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
