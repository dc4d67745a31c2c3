// Findings about robots that obey groups of other robots, or that ignore the groups for "*".
#include "advice/lint/special_robots.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "support/test_data.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using Kind = KnownRobot::Kind;

// Returns the first message with this code, or "".
std::string message_of(std::string_view code, std::string_view body, const LintOptions& options = {}) {
  for (const Diagnostic& finding : diagnose(RobotsTxt::parse(body), options)) {
    if (finding.code == code) return finding.message;
  }
  return {};
}

TEST(SpecialRobots, AGroupDropsTheRulesThatTheRobotWouldObeyWithoutIt) {
  const std::string star = "User-agent: *\nDisallow: /admin/\n\n";
  const std::string googlebot = "User-agent: Googlebot\nDisallow: /admin/\nDisallow: /g/\n\n";
  const auto own = [](std::string_view robot, std::string_view rules = "Allow: /") {
    return "User-agent: " + std::string(robot) + "\n" + std::string(rules) + "\n";
  };
  const struct {
    std::string body;
    std::string_view dropped;  // the beginning of the message; empty: there is no finding
  } cases[] = {
      {star + own("GPTBot"), "The rules for \"*\" do not hold for \"GPTBot\""},
      {star + own("Googlebot-Image"), "The rules for \"*\" do not hold for \"Googlebot-Image\""},
      {star + googlebot + own("Googlebot-Image"), "The rules for \"Googlebot\" do not hold for \"Googlebot-Image\""},
      {star + googlebot + own("googlebot-news"), "The rules for \"Googlebot\" do not hold for \"googlebot-news\""},
      {star + googlebot + own("Applebot"), "The rules for \"Googlebot\" do not hold for \"Applebot\""},
      {star + googlebot + own("Googlebot-Video", "Disallow: /admin/"), ""},
      {star + googlebot + own("Applebot", "Disallow:"), ""},
      {star + "User-agent: Googlebot\nUser-agent: Googlebot-Image\nDisallow: /admin/\n", ""},
      {star + "User-agent: Googlebot\nDisallow:\n\n" + own("Googlebot-Image"), ""},  // Googlebot's rules close nothing
      {star + own("AdsBot-Google"), ""},
      {star + own("adsbot-google-mobile"), ""},
      {star + own("Mediapartners-Google"), ""},
  };
  for (const auto& c : cases) {
    const std::string message = message_of("dropped-star-rules", c.body);
    EXPECT_EQ(message.substr(0, c.dropped.size()), c.dropped) << c.body;
    EXPECT_EQ(message.empty(), c.dropped.empty()) << c.body << message;
  }
}

TEST(SpecialRobots, TheMessageNamesTheRobotWhoseRuleIsDropped) {
  EXPECT_EQ(message_of("dropped-star-rules",
                       "User-agent: Googlebot\nDisallow: /g/\n\nUser-agent: Googlebot-Image\nDisallow: /i/\n"),
            "The rules for \"Googlebot\" do not hold for \"Googlebot-Image\", because it has a group of its own: it "
            "may fetch \"/g/\", which line 2 forbids to \"Googlebot\".");
}

TEST(SpecialRobots, AListOfRobotsComesBeforeTheBuiltInOnes) {
  const std::string file = "User-agent: *\nDisallow: /admin/\n\nUser-agent: FooBot\nDisallow: /f/\n\n";
  const LintOptions options{.robots = {{"FooBot-Ads", Kind::other, {.tokens = {}, .ignores_star = true}},
                                       {"FooBot-News", Kind::other, {{"FooBot-News", "FooBot"}}},
                                       {"AdsBot-Google", Kind::other, {}}}};
  EXPECT_EQ(message_of("dropped-star-rules", file + "User-agent: FooBot-Ads\nDisallow: /a/\n", options)
                .find("\"FooBot-Ads\""),
            std::string::npos);
  const std::string message = message_of(
      "dropped-star-rules", "User-agent: FooBot\nDisallow: /f/\n\nUser-agent: FooBot-News\nAllow: /\n", options);
  EXPECT_TRUE(message.starts_with("The rules for \"FooBot\" do not hold for \"FooBot-News\"")) << message;
  EXPECT_NE(message_of("dropped-star-rules", "User-agent: *\nDisallow: /a/\n\nUser-agent: AdsBot-Google\nAllow: /\n",
                       options),
            "");
}

TEST(SpecialRobots, ASiteIsClosedForTheRobotsThatObeyAClosedGroup) {
  const LintOptions options{.robots = {{"Applebot", Kind::search, {{"Applebot", "Googlebot"}}},
                                       {"Otherbot", Kind::search, {}},
                                       {"Third", Kind::search, {}}}};
  const std::string closed = "User-agent: Googlebot\nDisallow: /\n";
  EXPECT_EQ(message_of("search-closed", closed, {.robots = {options.robots[0]}}),
            "Search engines may fetch no page of this site: Applebot.");
  EXPECT_EQ(
      message_of("search-closed", closed + "\nUser-agent: Applebot\nDisallow: /a\n", {.robots = {options.robots[0]}}),
      "");
  EXPECT_EQ(message_of("search-closed", closed, options), "");  // one of three
}

TEST(SpecialRobots, ARobotThatIgnoresStarIsNotClosedByIt) {
  const LintOptions options{.robots = {{"Ads", Kind::ai, {.tokens = {}, .ignores_star = true}}}};
  EXPECT_EQ(message_of("ai-closed", "User-agent: *\nDisallow: /\n\nUser-agent: Foo\nAllow: /\n", options), "");
  EXPECT_NE(message_of("ai-closed", "User-agent: Ads\nDisallow: /\n", options), "");
}

// Each row of the list of crawlers is one line.
TEST(SpecialRobots, AreInTheListOfCrawlersToo) {
  std::set<std::string> built_in;
  for (const advice::SpecialRobot& robot : advice::special_robots()) {
    std::string row = "\"" + std::string(robot.name) + "\"";
    if (!robot.falls_back.empty()) row += ", \"" + std::string(robot.falls_back) + "\"";
    built_in.insert(row + (robot.ignores_star ? " ignores *" : ""));
  }
  std::set<std::string> listed;
  std::istringstream lines(bytes_of(source_folder() / "data" / "crawlers.json"));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find("\"tokens\": [");
    if (begin == std::string::npos) continue;
    const std::string row = line.substr(begin + 11, line.find(']', begin) - begin - 11);
    const bool ignores = line.find("\"ignores_star\": true") != std::string::npos;
    if (ignores || row.find(',') != std::string::npos) listed.insert(row + (ignores ? " ignores *" : ""));
  }
  EXPECT_TRUE(std::includes(listed.begin(), listed.end(), built_in.begin(), built_in.end()));
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
