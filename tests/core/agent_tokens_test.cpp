// Robots with several names, and robots that ignore "*".
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <robotrules/compare.hpp>
#include <robotrules/robots_txt.hpp>

#include "core/engine_answer.hpp"
#include "core/random_file.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

const AgentTokens image_bot{{"Googlebot-Image", "Googlebot"}};
const AgentTokens ads_bot{.tokens = {"AdsBot-Google"}, .ignores_star = true};

struct Obeyed {
  const char* name;
  AgentTokens agent;
  const char* robots;
  std::uint32_t line;  // of the rule that decides about "/x"
  Access access;
  Why why;
};

class AgentTokensObey : public ::testing::TestWithParam<Obeyed> {};

TEST_P(AgentTokensObey, TheGroupsOfTheFirstNameThatTheFileHas) {
  const auto& [name, agent, robots, line, access, why] = GetParam();
  const RobotsTxt file = RobotsTxt::parse(robots);
  for (const Rules& rules : {Rules::compile(robots, agent), file.rules_for(agent)}) {
    const Verdict verdict = rules.check("/x");
    EXPECT_EQ(verdict.line(), line);
    EXPECT_EQ(verdict.why(), why) << verdict.explanation();
    EXPECT_EQ(verdict.access(), access);
  }
  RobotSurvey survey(file);
  EXPECT_EQ(survey.reach_of(agent), access == Access::allowed ? Reach::everywhere : Reach::partly);
  EXPECT_EQ(survey.groups_for(agent).line != 0, why != Why::no_group);
}

INSTANTIATE_TEST_SUITE_P(
    Table, AgentTokensObey,
    ::testing::Values(
        Obeyed{"own_group", image_bot,
               "User-agent: Googlebot\nDisallow: /g\n\nUser-agent: googlebot-image\nDisallow: /x\n", 5,
               Access::disallowed, Why::rule},
        Obeyed{"own_group_that_allows_all", image_bot,
               "User-agent: Googlebot-Image\nDisallow:\n\nUser-agent: Googlebot\nDisallow: /x\n", 2, Access::allowed,
               Why::rule},
        Obeyed{"group_of_the_second_name", image_bot,
               "User-agent: *\nDisallow: /s\n\nUser-agent: Googlebot\nDisallow: /x\n", 5, Access::disallowed,
               Why::rule},
        Obeyed{"star", image_bot, "User-agent: *\nDisallow: /x\n\nUser-agent: FooBot\nDisallow: /f\n", 2,
               Access::disallowed, Why::rule},
        Obeyed{"no_group", image_bot, "User-agent: FooBot\nDisallow: /x\n", 0, Access::allowed, Why::no_group},
        Obeyed{"ignored_star", ads_bot, "User-agent: *\nDisallow: /x\n", 0, Access::allowed, Why::no_group},
        Obeyed{"ignored_star_in_its_own_group", ads_bot, "User-agent: *\nUser-agent: adsbot-google\nDisallow: /x\n", 3,
               Access::disallowed, Why::rule},
        Obeyed{"own_group_beside_an_ignored_star", ads_bot,
               "User-agent: *\nDisallow: /\n\nUser-agent: AdsBot-Google\nDisallow: /x\n", 5, Access::disallowed,
               Why::rule}),
    [](const auto& info) { return std::string(info.param.name); });

// A string_view could be made of the two addresses too.
TEST(AgentTokens, NamesInBracesAreARobotWithTheseNames) {
  constexpr std::string_view robots = "User-agent: *\nDisallow: /s\n\nUser-agent: Googlebot\nDisallow: /x\n";
  const RobotsTxt file = RobotsTxt::parse(robots);
  const Rules all[] = {Rules::compile(robots, {"Googlebot-Image", "Googlebot"}),
                       Rules::compile(robots, {{"Googlebot-Image", "Googlebot"}}),
                       Rules::compile(robots, {"Googlebot"}), file.rules_for({"Googlebot-Image", "Googlebot"}),
                       effective_for(file, {"Googlebot-Image", "Googlebot"}).compiled};
  for (const Rules& rules : all) EXPECT_EQ(rules.check("/x").line(), 5u);
  EXPECT_EQ(effective_for(file, {"Googlebot-Image", "Googlebot"}).agent, "Googlebot-Image");
  RobotSurvey survey(file);
  EXPECT_EQ(survey.groups_for({"Googlebot-Image", "Googlebot"}).line, 4u);
  EXPECT_EQ(survey.reach_of({"Googlebot-Image", "Googlebot"}), Reach::partly);
}

TEST(AgentTokens, ARobotWithoutNamesObeysTheGroupsForStar) {
  constexpr std::string_view robots = "User-agent: *\nDisallow: /x\n\nUser-agent: Googlebot\nDisallow: /\n";
  const RobotsTxt file = RobotsTxt::parse(robots);
  const Rules rules = Rules::compile(robots, AgentTokens{});
  EXPECT_EQ(rules.check("/x").line(), 2u);
  const EffectiveRules effective = effective_for(file, AgentTokens{});
  EXPECT_EQ(effective.compiled.check("/x").line(), 2u);
  EXPECT_EQ(effective.agent, "");
  EXPECT_EQ(RobotSurvey(file).groups_for(AgentTokens{}).line, 1u);
}

TEST(AgentTokens, SettingsAreThoseOfTheSameGroup) {
  constexpr std::string_view robots =
      "User-agent: *\nCrawl-delay: 9\nDisallow: /s\n\nUser-agent: Googlebot\nCrawl-delay: 2\nDisallow: /x\n";
  EXPECT_EQ(Rules::compile(robots, image_bot).crawl_delay(), std::chrono::seconds(2));
  EXPECT_EQ(Rules::compile(robots, ads_bot).crawl_delay(), std::nullopt);
}

TEST(AgentTokens, TheVerdictNamesTheGroup) {
  const Rules rules = Rules::compile("User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nDisallow: /x\n", image_bot);
  const GroupLine group = rules.check("/x").group();
  EXPECT_EQ(group.line, 4u);
  EXPECT_EQ(group.agent, "Googlebot");
  EXPECT_FALSE(group.is_default);
}

// Under every preset: one token is the same robot as its name, and several tokens are what the oracle says.
TEST(AgentTokens, AgreeWithTheOracleOnRandomFiles) {
  constexpr std::string_view robots_url = "http://foo.bar/robots.txt";
  RandomFile random(20'260'930);
  for (int round = 0; round < 3'000 && !::testing::Test::HasFailure(); ++round) {
    const std::string bytes = random.file();
    AgentTokens agent;
    for (std::size_t i = 0, count = 1 + random.below(3); i < count; ++i) agent.tokens.push_back(random.agent());
    agent.ignores_star = random.one_in(3);
    const std::string url = random.url();
    for (const Dialect& dialect : Dialect::presets()) {
      const oracle::File file = oracle::read(bytes, dialect);
      const oracle::Answer expected = oracle::ask(file, agent, url, dialect, robots_url);
      const RobotsTxt document = RobotsTxt::parse(bytes, dialect, robots_url);
      const auto told = [&] {
        std::string text = std::string(dialect.name) + (agent.ignores_star ? ", no *" : "");
        for (const std::string& token : agent.tokens) text += ", " + shown(token);
        return text + "\n" + shown(bytes) + "\n" + shown(url) + "\noracle: " + shown(to_string(expected));
      };
      const Rules compiled = Rules::compile(bytes, agent, dialect, robots_url);
      const Rules of_document = document.rules_for(agent);
      EXPECT_EQ(answer_of(compiled.check(url)), expected) << told();
      EXPECT_EQ(answer_of(of_document.check(url)), expected) << told();
      const std::string& name = agent.tokens.front();
      const Rules of_one_token = Rules::compile(bytes, AgentTokens{{name}}, dialect, robots_url);
      const Rules of_name = Rules::compile(bytes, name, dialect, robots_url);
      EXPECT_EQ(answer_of(of_one_token.check(url)), answer_of(of_name.check(url))) << told();
    }
  }
}

TEST(AgentTokens, SurveysFindTheGroupsOfTheCompiledRules) {
  RandomFile random(5);
  for (int round = 0; round < 500; ++round) {
    const RobotsTxt file = RobotsTxt::parse(random.file());
    const AgentTokens agent{.tokens = {random.agent(), random.agent()}, .ignores_star = random.one_in(2)};
    const Rules rules = file.rules_for(agent);
    std::size_t count = 0;
    for (const std::uint32_t group : RobotSurvey(file).groups_for(agent).groups)
      count += file.group(group).rules.size();
    EXPECT_EQ(count, rules.size()) << shown(file.text());
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
