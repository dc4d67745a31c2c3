// Settings (Crawl-delay, Request-rate, Visit-time, Content-...): whose they are.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/robots_txt.hpp>

#include "core/check.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using std::chrono::seconds;

struct DelayCase {
  std::string_view robots;
  std::string_view agent;
  std::optional<int> delay;  // seconds
};

const std::vector<DelayCase>& delay_cases() {
  static const std::vector<DelayCase> cases = {
      // Groups that only a setting parts have their rules in common, never their settings.
      {"User-agent: *\nCrawl-delay: 1\n\nUser-agent: BadBot\nCrawl-delay: 3600\n", "FooBot", 1},
      {"User-agent: *\nCrawl-delay: 1\n\nUser-agent: BadBot\nCrawl-delay: 3600\n", "BadBot", 3600},
      {"User-agent: BadBot\nCrawl-delay: 3600\nUser-agent: *\nCrawl-delay: 1\n", "FooBot", 1},
      {"User-agent: A\nCrawl-delay: 1\nUser-agent: B\nCrawl-delay: 2\nUser-agent: C\nDisallow: /\n", "A", 1},
      {"User-agent: A\nCrawl-delay: 1\nUser-agent: B\nCrawl-delay: 2\nUser-agent: C\nDisallow: /\n", "B", 2},
      {"User-agent: A\nCrawl-delay: 1\nUser-agent: B\nCrawl-delay: 2\nUser-agent: C\nDisallow: /\n", "C", {}},
      // What ends a run: a rule or a setting. Sitemaps, unknown, broken and blank lines do not.
      {"User-agent: A\nUser-agent: B\nCrawl-delay: 3\n", "A", 3},
      {"User-agent: A\n\nUser-agent: B\nCrawl-delay: 3\n", "A", 3},
      {"User-agent: A\nSitemap: /s\nx: y\ngarbage\nHost: h\nUser-agent: B\nCrawl-delay: 3\n", "A", 3},
      {"User-agent: A\nDisallow: /a\nUser-agent: B\nCrawl-delay: 3\n", "A", {}},
      {"User-agent: A\nVisit-time: 0600-0845\nUser-agent: B\nCrawl-delay: 3\n", "A", {}},
      {"User-agent: A\nCrawl-delay: never\nUser-agent: B\nCrawl-delay: 3\n", "A", {}},
      // Between a run and its settings anything may stand.
      {"User-agent: A\nDisallow: /a\n\nSitemap: /s\nAllow: /b\nx: y\nCrawl-delay: 3\n", "A", 3},
      {"User-agent: A\nCrawl-delay: 2\nDisallow: /a\n\nCrawl-delay: 4\n", "A", 4},
      // A robot with a group of its own is told nothing by that of every robot.
      {"User-agent: A\nDisallow: /a\nUser-agent: *\nCrawl-delay: 3\n", "A", {}},
      {"User-agent: A\nCrawl-delay: 1\n\nUser-agent: *\nCrawl-delay: 3\n\nUser-agent: A\nCrawl-delay: 2\n", "A", 2},
      {"Crawl-delay: 9\nUser-agent: A\nDisallow: /\n", "A", {}},
  };
  return cases;
}

class SettingsOfTheNearestAgents : public testing::TestWithParam<Dialect> {};

TEST_P(SettingsOfTheNearestAgents, CrawlDelay) {
  for (const DelayCase& c : delay_cases()) {
    const auto expected = c.delay ? std::optional<Milliseconds>(seconds(*c.delay)) : std::nullopt;
    EXPECT_EQ(Rules::compile(c.robots, c.agent, GetParam()).crawl_delay(), expected) << c.agent << " in\n" << c.robots;
    EXPECT_EQ(RobotsTxt::parse(c.robots, GetParam()).rules_for(c.agent).crawl_delay(), expected) << c.robots;
  }
}

TEST_P(SettingsOfTheNearestAgents, RequestRateAndVisitTime) {
  const std::string robots =
      "User-agent: One\nRequest-rate: 1/60\nVisit-time: 0100-0200\n\n"
      "User-agent: Two\nRequest-rate: 10/1\nVisit-time: 0300-0400\n";
  const Rules one = Rules::compile(robots, "One", GetParam());
  const Rules two = Rules::compile(robots, "Two", GetParam());
  EXPECT_EQ(one.request_rate(), (RequestRate{1, seconds(60), std::nullopt}));
  EXPECT_EQ(two.request_rate(), (RequestRate{10, seconds(1), std::nullopt}));
  EXPECT_EQ(one.visit_time(), (TimeOfDay{60, 120}));
  EXPECT_EQ(two.visit_time(), (TimeOfDay{180, 240}));
}

TEST_P(SettingsOfTheNearestAgents, ContentSignalAndUsage) {
  const std::string robots =
      "User-agent: GPTBot\nContent-Signal: ai-train=no\nContent-Usage: train-ai=n\n"
      "User-agent: *\nContent-Signal: ai-train=yes\nContent-Usage: train-ai=y\nDisallow: /x\n";
  const Rules trainers = Rules::compile(robots, "GPTBot", GetParam());
  const Rules others = Rules::compile(robots, "FooBot", GetParam());
  const Usage trainer = trainers.usage("/");
  const Usage other = others.usage("/");
  EXPECT_EQ(trainer.content_signal.ai_train, Preference::disallowed);
  EXPECT_EQ(trainer.content_usage.train_ai, Preference::disallowed);
  EXPECT_EQ(other.content_signal.ai_train, Preference::allowed);
  EXPECT_EQ(other.content_usage.train_ai, Preference::allowed);
}

TEST_P(SettingsOfTheNearestAgents, RulesAreMergedAllTheSame) {
  const std::string robots = "User-agent: A\nCrawl-delay: 1\n\nUser-agent: B\nCrawl-delay: 2\nDisallow: /x\n";
  for (const std::string_view agent : {"A", "B"}) {
    EXPECT_FALSE(check(Rules::compile(robots, agent, GetParam()), "/x").allowed()) << agent;
  }
}

INSTANTIATE_TEST_SUITE_P(Presets, SettingsOfTheNearestAgents, testing::Values(Dialect::rfc9309(), Dialect::google()),
                         [](const testing::TestParamInfo<Dialect>& info) { return std::string(info.param.name); });

TEST(Settings, OfARecordWithSeveralRunsUnderTheOlderDialects) {
  const std::string robots = "User-agent: A\nDisallow: /\nUser-agent: B\nCrawl-delay: 5\n";
  EXPECT_EQ(Rules::compile(robots, "A", Dialect::original_1994()).crawl_delay(), std::nullopt);
  EXPECT_EQ(Rules::compile(robots, "B", Dialect::original_1994()).crawl_delay(), Milliseconds(5'000));
  EXPECT_EQ(Rules::compile("Disallow: /\nCrawl-delay: 5\n", "A", Dialect::www_robotrules()).crawl_delay(),
            Milliseconds(5'000));
}

TEST(Settings, TheDocumentKnowsWhoseTheyAre) {
  const RobotsTxt file = RobotsTxt::parse(
      "Crawl-delay: 9\nUser-agent: A\nUser-agent: B\nCrawl-delay: 1\n\nUser-agent: C\nDisallow: /\nCrawl-delay: 2\n");
  ASSERT_EQ(file.group_count(), 1u);
  const Group group = file.group(0);
  const auto names = [&](const Directive& setting) {
    std::vector<std::string_view> names;
    for (const Directive& agent : group.agents_of(setting)) names.push_back(agent.value);
    return names;
  };
  ASSERT_EQ(group.other.size(), 2u);
  EXPECT_EQ(names(group.other[0]), (std::vector<std::string_view>{"A", "B"}));
  EXPECT_EQ(names(group.other[1]), (std::vector<std::string_view>{"C"}));
  EXPECT_EQ(names(file.directive(0)), std::vector<std::string_view>{});
  EXPECT_EQ(file.directive(0).run_line, 0u);
  EXPECT_EQ(group.agents[1].run_line, 2u);
  EXPECT_EQ(group.agents[2].run_line, 6u);
  EXPECT_EQ(group.rules[0].run_line, 6u);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
