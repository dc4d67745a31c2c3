// The list of known crawlers, and what files allow them. tests/cli/agents_test.cpp compares the list with its source.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <robotrules/crawlers.hpp>

namespace robotrules::test::THIS_FILE {
namespace {

const CrawlerAccess& access_of(const CrawlerSurvey& survey, std::string_view name) {
  return *std::ranges::find_if(survey.crawlers, [&](const CrawlerAccess& one) { return one.crawler->name == name; });
}

TEST(Crawlers, HaveTheAccessOfTheirGroups) {
  const RobotsTxt file = RobotsTxt::parse(
      "User-agent: *\nDisallow: /x\n\nUser-agent: GPTBot\nDisallow: /\n\nUser-agent: Googlebot\nDisallow:\n");
  const CrawlerSurvey survey = crawler_access(file, "/x/1");
  ASSERT_EQ(survey.crawlers.size(), known_crawlers().crawlers.size());
  EXPECT_TRUE(survey.complete);
  const struct {
    std::string_view name;
    Reach reach;
    std::uint32_t group, rule;
  } cases[] = {{"GPTBot", Reach::nowhere, 4, 5},
               {"CCBot", Reach::partly, 1, 2},
               {"Googlebot-Image", Reach::everywhere, 7, 8},
               {"AdsBot-Google", Reach::everywhere, 0, 0}};
  for (const auto& c : cases) {
    const CrawlerAccess& access = access_of(survey, c.name);
    EXPECT_EQ(access.reach, c.reach) << c.name;
    EXPECT_EQ(access.groups.line, c.group) << c.name;
    EXPECT_EQ(access.verdict.line(), c.rule) << c.name;
    EXPECT_EQ(access.verdict.allowed(), c.reach == Reach::everywhere) << c.name;
  }
}

TEST(Crawlers, AreCountedByKindInTheOrderOfTheList) {
  Crawlers list;
  list.kinds = {{"b", ""}, {"none", ""}, {"a", ""}};
  list.crawlers = {{.name = "Foo", .kind = "a", .agent = {{"Foo"}}},
                   {.name = "Bar", .kind = "b", .agent = {{"Bar"}}, .obeys = Obeys::no},
                   {.name = "Baz", .kind = "b", .agent = {{"Baz", "Foo"}}, .obeys = Obeys::partly}};
  const RobotsTxt file = RobotsTxt::parse("User-agent: Foo\nDisallow: /\n");
  const CrawlerSurvey survey = crawler_access(file, "/", list);
  const std::vector<KindCount> counts = counts_by_kind(list, survey.crawlers);
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_EQ(counts[0].kind, &list.kinds[0]);
  EXPECT_EQ(counts[0].crawlers, 2u);
  EXPECT_EQ(counts[0].allowed, 1u);
  EXPECT_EQ(counts[0].may_ignore, 2u);
  EXPECT_EQ(counts[1].kind, &list.kinds[2]);
  EXPECT_EQ(counts[1].allowed, 0u);
}

TEST(Crawlers, AreTheRobotsThatLintKnows) {
  const std::vector<KnownRobot> robots = known_robots();
  ASSERT_EQ(robots.size(), known_crawlers().crawlers.size());
  const std::pair<std::string_view, KnownRobot::Kind> cases[] = {{"Googlebot", KnownRobot::Kind::search},
                                                                 {"GPTBot", KnownRobot::Kind::ai},
                                                                 {"Google-Extended", KnownRobot::Kind::ai},
                                                                 {"archive.org_bot", KnownRobot::Kind::other}};
  for (const auto& [name, kind] : cases) {
    const auto robot = std::ranges::find(robots, name, &KnownRobot::name);
    ASSERT_NE(robot, robots.end()) << name;
    EXPECT_EQ(robot->kind, kind) << name;
    EXPECT_EQ(robot->agent, known_crawlers().find(name)->agent) << name;
  }
}

// What the operators of these crawlers say (the sources are in the list).
TEST(Crawlers, TheListKnowsTheOrderOfTokensAndWhoIgnoresStar) {
  const Crawlers& known = known_crawlers();
  const std::pair<const char*, AgentTokens> cases[] = {{"Googlebot", {{"Googlebot"}}},
                                                       {"Googlebot-Image", {{"Googlebot-Image", "Googlebot"}}},
                                                       {"googlebot-news", {{"Googlebot-News", "Googlebot"}}},
                                                       {"Googlebot-Video", {{"Googlebot-Video", "Googlebot"}}},
                                                       {"GoogleOther-Image", {{"GoogleOther-Image", "GoogleOther"}}},
                                                       {"GoogleOther-Video", {{"GoogleOther-Video", "GoogleOther"}}},
                                                       {"Bingbot", {{"Bingbot", "msnbot"}}},
                                                       {"Applebot", {{"Applebot", "Googlebot"}}},
                                                       {"Kagibot", {{"Kagibot", "Googlebot"}}},
                                                       {"ImagesiftBot", {{"ImagesiftBot", "Googlebot"}}},
                                                       {"YandexDirect", {{"YandexDirect", "Yandex"}}},
                                                       {"YandexBot", {{"YandexBot", "Yandex"}}},
                                                       {"YaDirectFetcher", {{"YaDirectFetcher"}, true}},
                                                       {"AdsBot-Google", {{"AdsBot-Google"}, true}},
                                                       {"AdsBot-Google-Mobile", {{"AdsBot-Google-Mobile"}, true}},
                                                       {"Mediapartners-Google", {{"Mediapartners-Google"}, true}}};
  for (const auto& [name, agent] : cases) {
    const Crawler* crawler = known.find(name);
    ASSERT_NE(crawler, nullptr) << name;
    EXPECT_EQ(crawler->agent, agent) << name;
  }
  EXPECT_EQ(known.find("Google-Extended")->kind, "policy-token");
  EXPECT_EQ(known.find("Applebot-Extended")->kind, "policy-token");
  EXPECT_EQ(known.find("Pinterestbot")->kind, "other");
  EXPECT_EQ(known.find("ChatGPT-User")->obeys, Obeys::partly);
  EXPECT_EQ(known.find("Perplexity-User")->obeys, Obeys::no);
  EXPECT_EQ(known.find("Slackbot")->obeys, Obeys::no);
  EXPECT_EQ(known.find("archive.org_bot")->obeys, Obeys::partly);
}

TEST(Crawlers, TheListSaysWhereItsFactsComeFrom) {
  const auto is_day = [](const std::string& text) {
    constexpr std::string_view form = "dddd-dd-dd";
    return std::equal(text.begin(), text.end(), form.begin(), form.end(),
                      [](char c, char f) { return f == 'd' ? c >= '0' && c <= '9' : c == f; });
  };
  const Crawlers& known = known_crawlers();
  EXPECT_TRUE(is_day(known.updated));
  for (const Crawler& crawler : known.crawlers) {
    EXPECT_TRUE(crawler.source.starts_with("http")) << crawler.name;
    EXPECT_TRUE(is_day(crawler.seen)) << crawler.name;
    EXPECT_EQ(crawler.agent.tokens.front(), crawler.name);
    EXPECT_EQ(known.find(crawler.name), &crawler) << crawler.name << " is in the list twice";
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
