// Google's "Robots meta tag, data-nosnippet, and X-Robots-Tag specifications" and draft-illyes-repext-03.
#include <robotrules/message.hpp>
#include <robotrules/page.hpp>

#include <gtest/gtest.h>

#include <chrono>

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono;

PageRules header(std::vector<std::string_view> values, std::string_view agent = "FooBot") {
  return read_x_robots_tag(values, agent);
}
PageRules meta(std::string_view html, std::string_view agent = "FooBot") { return read_robots_meta(html, agent); }
constexpr Timestamp june = sys_days(year(2010) / 6 / 25) + 23h;

TEST(XRobotsTagGoogle, RulesWithoutAUserAgentAreForAllCrawlers) {
  const PageRules rules =
      header({"noindex, NoFollow,noarchive , nosnippet", "noimageindex,notranslate,noai,noimageai"});
  const PageRules all{.noindex = true,
                      .nofollow = true,
                      .noarchive = true,
                      .nosnippet = true,
                      .noimageindex = true,
                      .notranslate = true,
                      .noai = true,
                      .noimageai = true};
  EXPECT_EQ(rules, all);
}

TEST(XRobotsTagGoogle, NoneIsNoindexAndNofollow) {
  EXPECT_EQ(header({"none"}), (PageRules{.noindex = true, .nofollow = true}));
}

TEST(XRobotsTagGoogle, AllAndIndexAndFollowSayNothing) {
  EXPECT_EQ(header({"all", "index, follow"}), PageRules{});
  EXPECT_TRUE(header({"noindex, index"}).noindex);
  EXPECT_EQ(header({"", " ", ",,;,"}), PageRules{});
}

TEST(XRobotsTagGoogle, AUserAgentBeforeTheRulesLimitsThem) {
  EXPECT_EQ(header({"otherbot: noindex, nofollow"}), PageRules{});
  EXPECT_EQ(header({"foobot: nofollow", "otherbot: noindex, nofollow"}), PageRules{.nofollow = true});
  EXPECT_EQ(header({"FOOBOT/2.1: nofollow"}), PageRules{.nofollow = true});
  EXPECT_EQ(header({"otherbot: noindex, foobot: nofollow, noarchive"}),
            (PageRules{.nofollow = true, .noarchive = true}));
  EXPECT_EQ(header({"noindex, otherbot: nofollow"}), PageRules{.noindex = true});
  EXPECT_EQ(header({"*: noindex"}), PageRules{.noindex = true});
  EXPECT_EQ(header({"foobot: noindex"}, ""), PageRules{});
  EXPECT_EQ(header({"foobotter: noindex"}), PageRules{});
}

TEST(XRobotsTagGoogle, ANameWithAVersionAndAWholeHeaderAreReduced) {
  for (const char* agent : {"FooBot/1.0", "Mozilla/5.0 (compatible; FooBot/1.0; +http://foo.example)"}) {
    EXPECT_TRUE(header({"FooBot: noindex"}, agent).noindex) << agent;
    EXPECT_TRUE(meta("<meta name=FooBot content=noindex>", agent).noindex) << agent;
    EXPECT_FALSE(header({"BarBot: noindex"}, agent).noindex) << agent;
  }
}

TEST(XRobotsTagGoogle, UnavailableAfterIsNoUserAgent) {
  EXPECT_EQ(header({"unavailable_after: 25 Jun 2010 15:00:00 PST"}).unavailable_after, june);
  EXPECT_EQ(header({"noarchive, unavailable_after: 25 Jun 2010 15:00:00 PST, nosnippet"}),
            (PageRules{.noarchive = true, .nosnippet = true, .unavailable_after = june}));
  EXPECT_EQ(header({"foobot: unavailable_after: 25 Jun 2010 15:00:00 PST"}).unavailable_after, june);
  EXPECT_EQ(header({"otherbot: unavailable_after: 25 Jun 2010 15:00:00 PST"}), PageRules{});
}

TEST(XRobotsTagGoogle, TheCommaInADateEndsNoRule) {
  EXPECT_EQ(header({"unavailable_after: Friday, 25-Jun-10 23:00:00 GMT, noindex"}),
            (PageRules{.noindex = true, .unavailable_after = june}));
  EXPECT_EQ(header({"noarchive,Unavailable_After: Jun 25, 2010 11 PM"}),
            (PageRules{.noarchive = true, .unavailable_after = june}));
  EXPECT_EQ(header({"unavailable_after: 2010-06-25T23:00:00Z,noindex"}),
            (PageRules{.noindex = true, .unavailable_after = june}));
}

TEST(XRobotsTagGoogle, AnInvalidDateIsIgnoredAndKept) {
  const PageRules rules = header({"unavailable_after: some day, noindex"});
  EXPECT_FALSE(rules.unavailable_after);
  EXPECT_TRUE(rules.noindex);
  EXPECT_EQ(rules.unknown, std::vector<std::string>{"unavailable_after: some day"});
}

TEST(XRobotsTagGoogle, LimitsAreNumbersAndMinusOneIsNoLimit) {
  const PageRules rules = header({"max-snippet:20, max-image-preview: Large, MAX-VIDEO-PREVIEW : -1"});
  EXPECT_EQ(rules.max_snippet, 20);
  EXPECT_EQ(rules.max_image_preview, ImagePreview::large);
  EXPECT_EQ(rules.max_video_preview, -1);
  EXPECT_EQ(header({"max-snippet: 99999999999999999999"}).max_snippet, 2'147'483'647);
  EXPECT_EQ(header({"max-snippet: -1, max-snippet: 50, max-snippet: 70"}).max_snippet, 50);
  EXPECT_EQ(header({"max-image-preview: large, max-image-preview: none"}).max_image_preview, ImagePreview::none);
}

TEST(XRobotsTagGoogle, ValuesThatMeanNothingAreUnknownRules) {
  const PageRules rules =
      header({"max-snippet: many, max-snippet, max-snippet: -2, noodp, max-image-preview: huge, noodp"});
  EXPECT_FALSE(rules.max_snippet || rules.max_image_preview);
  EXPECT_EQ(rules.unknown, (std::vector<std::string>{"max-snippet: many", "max-snippet", "max-snippet: -2", "noodp",
                                                     "max-image-preview: huge"}));
}

TEST(XRobotsTagGoogle, UnknownRulesAreBounded) {
  std::string many;
  for (int i = 0; i < 10'000; ++i) many += "rule" + std::to_string(i) + ",";
  many += std::string(100'000, 'x') + ", noindex";
  EXPECT_EQ(header({many}).unknown.size(), 100u);
  EXPECT_LE(header({std::string(100'000, 'x')}).unknown.at(0).size(), 200u);
}

TEST(RepextSection311, AnItemIsAProductTokenAndItsParametersAreRules) {
  EXPECT_EQ(header({"*;noindex;nosnippet, ExampleBot;"}), (PageRules{.noindex = true, .nosnippet = true}));
  EXPECT_EQ(header({"*;noindex;nosnippet, ExampleBot;"}, "ExampleBot"),
            (PageRules{.noindex = true, .nosnippet = true}));
  EXPECT_EQ(header({";noindex;nosnippet, ExampleBot=;"}), (PageRules{.noindex = true, .nosnippet = true}));
  EXPECT_EQ(header({"ExampleBot;noindex, foobot;nofollow"}), PageRules{.nofollow = true});
  EXPECT_EQ(header({"*;noindex, ExampleBot"}), PageRules{.noindex = true});
  EXPECT_EQ(header({"foobot;noindex, foobot;nofollow;noindex"}), (PageRules{.noindex = true, .nofollow = true}));
}

TEST(RepextSection311, ParametersMayHaveValuesOfStructuredFields) {
  const PageRules rules =
      header({R"(foobot;noindex=?0;nofollow=?1;max-snippet=20;unavailable_after="Fri, 25 Jun 2010; 1")",
              "*;unavailable_after=@1277506800"});
  EXPECT_EQ(rules, (PageRules{.nofollow = true,
                              .max_snippet = 20,
                              .unavailable_after = june,
                              .unknown = {R"(unavailable_after="Fri, 25 Jun 2010; 1")"}}));
}

TEST(XRobotsTag, SemicolonsForCommasAreRulesAllTheSame) {
  EXPECT_EQ(header({"noindex; nofollow"}), (PageRules{.noindex = true, .nofollow = true}));
  EXPECT_EQ(header({"noindex nofollow"}), (PageRules{.noindex = true, .nofollow = true}));
}

TEST(RobotsMeta, NameAndContentAreCaseInsensitiveAndEveryElementCounts) {
  const PageRules rules = meta(R"(<!DOCTYPE html><html><head><TITLE>x</TITLE>
    <META NAME="ROBOTS" CONTENT="NOINDEX, max-snippet:10"><meta content=nofollow name=foobot>
    <meta name="otherbot" content="noarchive"><meta name=robots content='max-snippet: 5'></head><body></body></html>)");
  EXPECT_EQ(rules, (PageRules{.noindex = true, .nofollow = true, .max_snippet = 5}));
}

TEST(RobotsMeta, IsReadAsAnHtmlParserReadsIt) {
  const char* no_rules[] = {"<!-- <meta name=robots content=noindex> -->",
                            "<!--> <!-- --><!-- --!> <!-- <meta name=robots content=noindex> -->",
                            "<script>var x = '<meta name=robots content=noindex>';</script>",
                            "<script><!-- <script> </script> <meta name=robots content=noindex> --></script>",
                            "<style><meta name=robots content=noindex></style>",
                            "<title><meta name=robots content=noindex></title>",
                            "<template><meta name=robots content=noindex></template>",
                            "<meta name=\"description\" content=\"<meta name=robots content=noindex>\">",
                            "<meta name=robots><meta content=noindex>",
                            "<meta http-equiv=\"X-Robots-Tag\" content=\"noindex\">",
                            "<meta name=robots content=noindex",
                            "<body><meta name=robots content=noindex>",
                            "text <meta name=robots content=noindex>",
                            "<p><meta name=robots content=noindex></p>",
                            "<meta name=\"x\" name=robots content=noindex>",
                            "</html><meta name=robots content=noindex>"};
  for (const char* html : no_rules) EXPECT_EQ(meta(html), PageRules{}) << html;

  const char* noindex[] = {"<meta name=robots content=noindex>",
                           "\xEF\xBB\xBF<html lang=en><head/><meta name=robots content=noindex>",
                           "<meta name = 'robots' content = 'noi&#110;dex' / >",
                           "<meta name=\" robots \" content=\" noindex \">",
                           "<!--><meta name=robots content=noindex>",
                           "<!-- a -- b --!><meta name=robots content=noindex>",
                           "<? php ?></3><!x><meta name=robots content=noindex>",
                           "<script><!-- </script><meta name=robots content=noindex>",
                           "<script><!-- <script></script> --></script><meta name=robots content=noindex>",
                           "<style>a > b</style ><link rel=x href=y><meta name=robots content=noindex>",
                           "<template><p><template></template></template><meta name=robots content=noindex>",
                           "<noscript><img src=x></noscript><meta name=robots content=noindex>",
                           "<noscript><meta name=robots content=noindex></noscript>",
                           "</head><meta name=robots content=noindex><body>",
                           "<title>a<b</title><meta name=robots content=noindex>",
                           "<meta x='>' name=robots content=noindex>",
                           "<meta name=robots content=noindex name=x>"};
  for (const char* html : noindex) EXPECT_EQ(meta(html), PageRules{.noindex = true}) << html;
}

TEST(RobotsMeta, AHostilePageCostsNoMoreThanItsSize) {
  std::string nested = "<head>";
  for (int i = 0; i < 100'000; ++i) nested += "<font size=" + std::to_string(i) + "><p>";
  EXPECT_EQ(meta(nested), PageRules{});
  std::string templates;
  for (int i = 0; i < 100'000; ++i) templates += "<template>";
  EXPECT_EQ(meta(templates + "<meta name=robots content=noindex>"), PageRules{});
  std::string attributes = "<meta";
  for (int i = 0; i < 100'000; ++i) attributes += " a" + std::to_string(i);
  EXPECT_EQ(meta(attributes + "><meta name=robots content=noindex>"), PageRules{.noindex = true});
  std::string metas;
  for (int i = 0; i < 100'000; ++i) metas += "<meta name=robots content=noai>";
  EXPECT_EQ(meta(metas), PageRules{.noai = true});
}

TEST(PageRulesCombine, IsTheSumOfNegatives) {
  const PageRules a{.noindex = true,
                    .max_snippet = -1,
                    .max_video_preview = 5,
                    .max_image_preview = ImagePreview::standard,
                    .unavailable_after = june,
                    .unknown = {"x"}};
  const PageRules b{.nofollow = true,
                    .indexifembedded = true,
                    .max_snippet = 30,
                    .max_video_preview = -1,
                    .max_image_preview = ImagePreview::large,
                    .unavailable_after = june + 1h,
                    .unknown = {"x", "y"}};
  PageRules sum{.noindex = true,
                .nofollow = true,
                .indexifembedded = true,
                .max_snippet = 30,
                .max_video_preview = 5,
                .max_image_preview = ImagePreview::standard,
                .unavailable_after = june,
                .unknown = {"x", "y"}};
  EXPECT_EQ(combine(a, b), sum);
  sum.unknown = {"x", "y"};
  EXPECT_EQ(combine(b, a), sum);
  EXPECT_EQ(combine(a, PageRules{}), a);
  EXPECT_EQ(combine(PageRules{}, a), a);
}

TEST(PageRules, IndexAllowedUntilTheDate) {
  EXPECT_TRUE(PageRules{}.index_allowed(june));
  EXPECT_FALSE(PageRules{.noindex = true}.index_allowed(june));
  EXPECT_TRUE(PageRules{.unavailable_after = june}.index_allowed(june));
  EXPECT_FALSE(PageRules{.unavailable_after = june}.index_allowed(june + 1us));
}

TEST(PageRules, OfAResponseAreThoseOfItsFieldsAndItsHead) {
  Response page;
  page.headers = {{"x-robots-tag", "noarchive"}, {"X-Robots-Tag", "otherbot: noindex"}, {"Content-Type", "text/html"}};
  page.body = "<head><meta name=robots content=nofollow></head>";
  EXPECT_EQ(page_rules_of(page, "FooBot"), (PageRules{.nofollow = true, .noarchive = true}));
  EXPECT_TRUE(page_rules_of(page, "OtherBot").noindex);
  page.headers.set("Content-Type", "text/html; charset=utf-16le");
  std::string wide;
  for (const char c : page.body) wide += {c, '\0'};
  page.body = wide;
  EXPECT_TRUE(page_rules_of(page, "FooBot").nofollow);
  page.headers.set("Content-Type", "text/plain");
  EXPECT_EQ(page_rules_of(page, "FooBot"), PageRules{.noarchive = true});
}

TEST(PageRules, SayThatTheBodyOfAnHtmlPageWasNotRead) {
  Response page;
  page.headers = {{"Content-Type", "text/html"}};
  EXPECT_FALSE(page_rules_of(page, "FooBot").body_unread);  // it has no body
  page.body_size = 3'069;
  EXPECT_TRUE(page_rules_of(page, "FooBot").body_unread);
  EXPECT_TRUE(combine(page_rules_of(page, "FooBot"), PageRules{}).body_unread);
  EXPECT_TRUE(combine(PageRules{}, page_rules_of(page, "FooBot")).body_unread);
  page.headers.set("Content-Type", "image/png");
  EXPECT_FALSE(page_rules_of(page, "FooBot").body_unread);
  page.headers.set("Content-Type", "text/html");
  page.body = "<head></head>";
  EXPECT_FALSE(page_rules_of(page, "FooBot").body_unread);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
