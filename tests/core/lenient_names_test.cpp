// Spellings of settings and sitemaps that other parsers read: rfc9309 reads them, and lint names them.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include <robotrules/diagnose.hpp>
#include <robotrules/robots_txt.hpp>

namespace robotrules::test::THIS_FILE {
namespace {

bool is_named_by_lint(const RobotsTxt& file) {
  return std::ranges::any_of(diagnose(file), [](const Diagnostic& d) { return d.code == "misspelt-directive"; });
}

TEST(LenientNames, OfCrawlDelayAreReadInRfc9309) {
  for (const std::string_view name : {"Crawl delay", "crawldelay", "CRAWL DELAY", "CrawlDelay"}) {
    const std::string robots = "User-agent: *\n" + std::string(name) + ": 7\nDisallow: /x\n";
    EXPECT_EQ(Rules::compile(robots, "FooBot").crawl_delay(), Milliseconds(7'000)) << name;
    EXPECT_TRUE(is_named_by_lint(RobotsTxt::parse(robots))) << name;
    for (const Dialect& dialect : Dialect::presets().subspan(1)) {
      EXPECT_EQ(Rules::compile(robots, "FooBot", dialect).crawl_delay(), std::nullopt) << name << dialect.name;
    }
  }
}

TEST(LenientNames, OfSitemapAreReadInRfc9309) {
  for (const std::string_view name : {"site map", "Sitemaps", "SITE MAP", "site-map"}) {
    const RobotsTxt file = RobotsTxt::parse(std::string(name) + ": https://foo.example/s.xml\n");
    ASSERT_EQ(file.sitemaps().size(), 1u) << name;
    EXPECT_EQ(file.sitemaps()[0].url, "https://foo.example/s.xml");
    EXPECT_TRUE(is_named_by_lint(file)) << name;
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
