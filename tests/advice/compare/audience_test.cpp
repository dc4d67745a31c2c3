// The groups that apply to a robot, the part of a site that they let it fetch, and example paths of a file.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <robotrules/compare.hpp>

#include "advice/compare/audience.hpp"
#include "advice/compare/examples.hpp"
#include "support/random_robots.hpp"

namespace robotrules::testing {
namespace {

TEST(Audience, TheGroupsOfARobotContainTheRulesThatAreCompiledForIt) {
  test::RandomRobots random(7);
  for (int round = 0; round < 1500; ++round) {
    const std::string text = random.file(40 + random.below(400));
    for (const Dialect& dialect : Dialect::presets()) {
      const auto file = RobotsTxt::parse(text, dialect);
      const advice::GroupFinder finder(file);
      for (const std::string_view agent : {"FooBot", "MJ12bot", "Foo", "somebot", "Foo Bar"}) {
        const auto rules = advice::rules_of(finder, finder.find(agent).applied.groups);
        const Rules compiled = file.rules_for(agent);
        EXPECT_EQ(finder.find(agent).applied.is_default, compiled.check("/none").group().is_default) << dialect.name;
        EXPECT_EQ(rules.size(), compiled.size()) << dialect.name << " " << agent << "\n" << text;
      }
    }
    if (HasFailure()) break;
  }
}

TEST(Audience, RobotsAreNamedAsTheyWriteTheirNames) {
  const auto file = RobotsTxt::parse(
      "User-agent: FooBot/2.1 (search)\nUser-agent: *\nUser-agent: MJ12bot\nDisallow:\nUser-agent: foobot\n"
      "User-agent: Screaming Frog SEO Spider\nUser-agent: BarBot*\nUser-agent:\nDisallow: /\n");
  EXPECT_EQ(advice::named_robots(file.groups(), Dialect::rfc9309()),
            (std::vector<std::string>{"FooBot", "MJ12bot", "Screaming", "BarBot"}));
  EXPECT_EQ(advice::named_robots(file.groups(), Dialect::google(), {"foobot"}),
            (std::vector<std::string>{"MJ", "Screaming", "BarBot"}));
  EXPECT_EQ(advice::named_robots(file.groups(), Dialect::www_robotrules())[2], "Screaming Frog SEO Spider");
}

TEST(Audience, TheUnnamedRobotHasNoGroupOfItsOwn) {
  std::string text = "User-agent: *\nDisallow: /all\n\n";
  for (char c = 'a'; c < 'z'; ++c) text += std::string("User-agent: ") + c + "\nDisallow: /" + c + "\n\n";
  for (const Dialect& dialect : Dialect::presets()) {
    const auto file = RobotsTxt::parse(text, dialect);
    const auto groups = file.groups();
    const Rules rules = file.rules_for(advice::unnamed_robot({&groups}));
    EXPECT_TRUE(rules.check("/").group().is_default) << dialect.name;
  }
}

TEST(Audience, DialectsOfProductTokensCompareTheFirstWordOfAName) {
  EXPECT_EQ(compared_name("Screaming Frog SEO Spider", Dialect::rfc9309()), "Screaming");
  EXPECT_EQ(compared_name("Screaming Frog SEO Spider", Dialect::google()), "Screaming");
  EXPECT_EQ(compared_name("Screaming Frog SEO Spider", Dialect::www_robotrules()), "Screaming Frog SEO Spider");
  EXPECT_EQ(compared_name("", Dialect::rfc9309()), "");
}

// --- one robot ----------------------------------------------------------------------------------------------------

constexpr std::string_view shop =
    "User-agent: FooBot\n"   // 1
    "Disallow: /a\n"         // 2
    "\n"                     // 3
    "User-agent: *\n"        // 4
    "Disallow: /\n"          // 5
    "\n"                     // 6
    "User-agent: BarBot\n"   // 7
    "User-agent: foobot\n"   // 8
    "Allow: /a/b\n"          // 9
    "Crawl-delay: 3\n"       // 10
    "\n"                     // 11
    "User-agent: EvilBot\n"  // 12
    "Disallow: /\n";         // 13

TEST(EffectiveFor, MergesTheGroupsThatNameARobot) {
  const auto file = RobotsTxt::parse(shop);
  const EffectiveRules foobot = effective_for(file, "FooBot");
  EXPECT_EQ(foobot.agent, "FooBot");
  EXPECT_FALSE(foobot.is_default);
  ASSERT_EQ(foobot.groups.size(), 2U);
  EXPECT_EQ(foobot.groups[0].line, 1U);
  EXPECT_EQ(foobot.groups[1].line, 7U);
  ASSERT_EQ(foobot.rules.size(), 2U);
  EXPECT_EQ(foobot.rules[1].line, 9U);
  EXPECT_EQ(foobot.compiled.crawl_delay(), Milliseconds(3000));
  EXPECT_EQ(foobot.compiled.check("/a/b").line(), 9U);

  const EffectiveRules other = effective_for(file, "OtherBot");
  EXPECT_TRUE(other.is_default);
  ASSERT_EQ(other.groups.size(), 1U);
  EXPECT_EQ(other.groups[0].line, 4U);

  const auto foobot_only = RobotsTxt::parse("User-agent: FooBot\nDisallow: /\n");
  const EffectiveRules none = effective_for(foobot_only, "OtherBot");
  EXPECT_TRUE(none.groups.empty() && none.rules.empty() && !none.is_default);
}

TEST(EffectiveFor, HasTheCompiledRulesOfEveryDialect) {
  test::RandomRobots random(11);
  for (int round = 0; round < 300; ++round) {
    const std::string text = "User-agent: FooBot\nDisallow: /x\n" + random.file(40 + random.below(400));
    for (const Dialect& dialect : Dialect::presets()) {
      const auto file = RobotsTxt::parse(text, dialect);
      const EffectiveRules effective = effective_for(file, "FooBot");
      ASSERT_EQ(effective.rules.size(), effective.compiled.size()) << dialect.name << "\n" << text;
    }
  }
}

// --- many robots --------------------------------------------------------------------------------------------------

TEST(RobotSurvey, TellsGroupsAndReachOfEachRobot) {
  RobotSurvey survey(RobotsTxt::parse(std::string(shop) + "\nUser-agent: GoodBot\nDisallow:\n"));
  const AppliedGroups foobot = survey.groups_for("FooBot");
  EXPECT_EQ(foobot.groups, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(foobot.line, 1U);
  EXPECT_EQ(foobot.agent, "FooBot");
  EXPECT_FALSE(foobot.is_default);
  EXPECT_TRUE(survey.groups_for("OtherBot").is_default);
  EXPECT_EQ(survey.groups_for("OtherBot").line, 4U);

  EXPECT_EQ(survey.reach_of("FooBot"), Reach::partly);
  EXPECT_EQ(survey.reach_of("BarBot"), Reach::everywhere);
  EXPECT_EQ(survey.reach_of("EvilBot"), Reach::nowhere);
  EXPECT_EQ(survey.reach_of("GoodBot"), Reach::everywhere);
  EXPECT_EQ(survey.reach_of("OtherBot"), Reach::nowhere);
  EXPECT_TRUE(survey.complete());
  EXPECT_EQ(to_string(Reach::everywhere), "everywhere");
  EXPECT_EQ(to_string(Reach::partly), "partly");
  EXPECT_EQ(to_string(Reach::nowhere), "nowhere");
}

TEST(RobotSurvey, ARobotWithoutAGroupReachesEverything) {
  RobotSurvey survey{RobotsTxt()};
  EXPECT_TRUE(survey.groups_for("FooBot").groups.empty());
  EXPECT_EQ(survey.groups_for("FooBot").line, 0U);
  EXPECT_EQ(survey.reach_of("FooBot"), Reach::everywhere);
}

TEST(RobotSurvey, RobotsTxtItselfDoesNotCount) {
  RobotSurvey survey(RobotsTxt::parse("User-agent: *\nDisallow: /\nAllow: /robots.txt\n"));
  EXPECT_EQ(survey.reach_of("FooBot"), Reach::nowhere);
}

// --- example paths ------------------------------------------------------------------------------------------------

TEST(ExamplePaths, EachRuleHasOneInFileOrderAndTwoIfItsEscapesHaveAnotherSpelling) {
  const ExamplePaths examples =
      example_paths("User-agent: *\nDisallow: /a/\nAllow: /*.pdf$\nDisallow: /%7ejoe/\nDisallow: /a/\n");
  EXPECT_TRUE(examples.complete);
  const std::vector<std::pair<std::string, std::uint32_t>> wanted{
      {"/", 0}, {"/a/zzz", 2}, {"/zzz.pdf", 3}, {"/%7ejoe/zzz", 4}, {"/~joe/zzz", 4}};
  ASSERT_EQ(examples.paths.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_EQ(examples.paths[i].path, wanted[i].first);
    EXPECT_EQ(examples.paths[i].line, wanted[i].second);
  }
}

TEST(ExamplePaths, OnlyTheRulesThatTheDialectsReadHaveOne) {
  constexpr std::string_view text = "User-agent: *\nDisalow: /typo\n";  // Google reads this spelling
  EXPECT_EQ(example_paths(text, {&Dialect::google(), 1}).paths.size(), 2U);
  EXPECT_EQ(example_paths(text, {&Dialect::original_1994(), 1}).paths.size(), 1U);
  EXPECT_EQ(example_paths("").paths.size(), 1U);
}

TEST(ExamplePaths, AHugeFileHasExamplesOfItsFirstRulesOnly) {
  std::string text = "User-agent: *\n";
  for (int i = 0; i < 20'000; ++i) text += "Disallow: /*" + std::to_string(i) + "*x\n";
  const ExamplePaths examples = example_paths(text);
  EXPECT_FALSE(examples.complete);
  EXPECT_LT(examples.paths.size(), 20'000U);
  EXPECT_EQ(examples.paths.at(1).line, 2U);
}

}  // namespace
}  // namespace robotrules::testing
