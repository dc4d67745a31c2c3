// robotrules diff: what it finds, prints and ends with.
#include <array>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using Json = nlohmann::json;

class Diff : public ::testing::Test {
 protected:
  Ran diff(std::string_view before, std::string_view after, std::vector<std::string> words = {}) {
    words.insert(words.begin(), "diff");
    words.push_back(folder_.file("a.txt", before));
    words.push_back(folder_.file("b.txt", after));
    return run(words);
  }
  Json json(std::string_view before, std::string_view after, std::vector<std::string> words = {}) {
    words.push_back("--json");
    return Json::parse(diff(before, after, words).out);
  }
  TemporaryFolder folder_;
};

TEST_F(Diff, EachChangeHasAnExampleAndTheRulesBeforeAndAfter) {
  const Ran ran = diff("User-agent: *\nDisallow: /old/\nDisallow: /both\n",
                       "User-agent: *\nAllow: /open\nDisallow: /both\nDisallow: /private/\n");
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.out,
            "every other robot (*)\n"
            "  now disallowed: /private/zzz\n"
            "    - A: no rule matches\n"
            "    + B line 4: Disallow: /private/\n"
            "  now allowed: /old/zzz\n"
            "    - A line 2: Disallow: /old/\n"
            "    + B: no rule matches\n");
}

TEST_F(Diff, RobotsWhoseChangesAreTheSameStandTogether) {
  const Ran ran = diff("User-agent: *\nDisallow:\n",
                       "User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n\nUser-agent: *\nDisallow:\n");
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.out,
            "GPTBot, CCBot\n"
            "  now disallowed: /zzz\n"
            "    - A line 2: Disallow:\n"
            "    + B line 3: Disallow: /\n");
}

// One group of rules, two delays: robots that differ in these alone are told apart.
TEST_F(Diff, DelaysInsideOneGroupAreThoseOfTheirRobots) {
  const std::string_view before = "User-agent: A\nCrawl-delay: 1\nUser-agent: B\nCrawl-delay: 1\nDisallow: /x\n";
  const std::string_view after = "User-agent: A\nCrawl-delay: 1\nUser-agent: B\nCrawl-delay: 60\nDisallow: /x\n";
  const Json document = json(before, after);
  ASSERT_EQ(document["robots"].size(), 1u) << document.dump();
  EXPECT_EQ(document["robots"][0]["agents"], Json({"B"}));
}

// Groups of their own with the same rules: one block for people, each with its lines for programs.
TEST_F(Diff, RobotsWithGroupsOfTheirOwnStandTogetherToo) {
  const std::string_view before = "User-agent: X\nDisallow: /a\n\nUser-agent: Y\nDisallow: /a\n";
  const std::string_view after = "User-agent: X\nDisallow: /b\n\nUser-agent: Y\nDisallow: /b\n";
  const Ran ran = diff(before, after);
  EXPECT_EQ(ran.out.rfind("X, Y\n  (lines are those for X)\n  now disallowed: /bzzz\n", 0), 0u) << ran.out;
  EXPECT_EQ(ran.out.find("\n\n"), std::string::npos) << "one block: " << ran.out;
  const Json document = json(before, after);
  ASSERT_EQ(document["robots"].size(), 2u);
  EXPECT_EQ(document["robots"][1]["agents"], Json({"Y"}));
  EXPECT_EQ(document["robots"][1]["changes"][0]["after"]["line"], 5);
}

TEST_F(Diff, TheWayAFileIsWrittenMakesNoDifference) {
  const struct {
    const char* name;
    const char* before;
    const char* after;
  } cases[] = {
      {"order of rules", "User-agent: *\nDisallow: /a\nAllow: /a/b\n", "User-agent: *\nAllow: /a/b\nDisallow: /a\n"},
      {"case, blanks, comments", "User-agent: *\nDisallow: /a\n", "# hello\nuser-AGENT:*\n\n\ndisallow : /a  # why\n"},
      {"merged groups", "User-agent: X\nDisallow: /a\nDisallow: /b\n",
       "User-agent: X\nDisallow: /a\n\nUser-agent: x\nDisallow: /b\n"},
      {"escapes", "User-agent: *\nDisallow: /~joe/\n", "User-agent: *\nDisallow: /%7ejoe/\n"},
      {"a rule inside another", "User-agent: *\nDisallow: /a\n", "User-agent: *\nDisallow: /a\nDisallow: /a/b\n"},
      {"a group that says what * says", "User-agent: *\nDisallow: /a\n",
       "User-agent: *\nDisallow: /a\n\nUser-agent: X\nDisallow: /a\n"},
      {"empty files", "", "\n# nothing\n"}};
  for (const auto& each : cases) {
    const Ran ran = diff(each.before, each.after);
    EXPECT_EQ(ran.status, 0) << each.name << "\n" << ran.out;
    EXPECT_EQ(ran.out.rfind("no difference: ", 0), 0u) << ran.out;
  }
}

TEST_F(Diff, WildcardsAreComparedWhereRulesMeet) {
  // At /tmp/.php the two files part, and at no example of one rule alone.
  const Json document =
      json("User-agent: *\nDisallow: /*.php\nAllow: /tmp/\n", "User-agent: *\nDisallow: /*.php\nAllow: /tmp/*\n");
  ASSERT_EQ(document["robots"].size(), 1u);
  const Json& change = document["robots"][0]["changes"][0];
  EXPECT_EQ(change["before"]["access"], "disallowed") << document;
  EXPECT_EQ(change["path"].get<std::string>().rfind("/tmp/", 0), 0u);
}

TEST_F(Diff, DelaysAndSitemapsAreDifferencesToo) {
  const Ran ran = diff("User-agent: *\nCrawl-delay: 2.5\nDisallow: /x\nSitemap: https://e.example/1\n",
                       "User-agent: *\nDisallow: /x\nSitemap: https://e.example/2\n");
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.out,
            "every other robot (*)\n"
            "  Crawl-delay\n"
            "    - A: 2.5 s\n"
            "    + B: none\n"
            "\n"
            "Sitemaps\n"
            "    - A line 4: https://e.example/1\n"
            "    + B line 3: https://e.example/2\n");
}

TEST_F(Diff, SettingsBesideTheRulesAreDifferencesToo) {
  const std::string rule = "User-agent: *\nDisallow: /x\n";
  for (const auto& [name, before, after] : {std::array<std::string, 3>{"Content-Signal", "ai-train=no", "ai-train=yes"},
                                            {"Content-Usage", "train-ai=n", "train-ai=y"},
                                            {"Request-rate", "1/10", "1/20"}}) {
    const std::string a = rule + name + ": " + before + "\n", b = rule + name + ": " + after + "\n";
    const Ran ran = diff(a, b);
    EXPECT_EQ(ran.status, 1);
    EXPECT_EQ(ran.out, "Settings\n    - A line 3: " + name + " for *: " + before + "\n    + B line 3: " + name +
                           " for *: " + after + "\n");
    const Json document = json(a, b);
    EXPECT_EQ(document["same"], false);
    EXPECT_EQ(document["settings"]["added"][0]["value"], after);
    EXPECT_EQ(diff(a, "# moved\n" + a).status, 0);
  }
}

TEST_F(Diff, EqualFilesWithoutPathsSayWhatWasCompared) {
  EXPECT_EQ(diff("User-agent: *\nDisallow: /x\n", "User-agent: *\nDisallow: /x\n").out,
            "no difference: 1 robot with the same rules in both files\n");
}

TEST_F(Diff, JsonIsADocument) {
  const Json document = json("User-agent: *\nCrawl-delay: 1\n", "User-agent: *\nDisallow: /\xFF\nSitemap: /s\n");
  EXPECT_EQ(document["dialect"], "rfc9309");
  EXPECT_EQ(document["same"], false);
  EXPECT_EQ(document["limits"], Json::array());
  EXPECT_EQ(document["robots_asked"], 1);
  EXPECT_GT(document["paths_asked"], 2);
  ASSERT_EQ(document["robots"].size(), 1u);
  const Json& robot = document["robots"][0];
  EXPECT_EQ(robot["agents"], Json({"*"}));
  EXPECT_EQ(robot["crawl_delay"], Json({{"before", 1.0}, {"after", nullptr}}));
  EXPECT_EQ(robot["changes"][0]["before"],
            Json({{"access", "allowed"}, {"line", 0}, {"rule", ""}, {"why", "empty-group"}}));
  EXPECT_EQ(robot["changes"][0]["after"]["line"], 2);
  EXPECT_EQ(robot["changes"][0]["after"]["rule_b64"], "RGlzYWxsb3c6IC//");
  EXPECT_EQ(robot["changes"][0]["path_b64"], "L/96eno=");
  EXPECT_EQ(document["sitemaps"]["added"], Json::array({{{"line", 3}, {"url", "/s"}}}));
  const Json same = json("User-agent: X\n", "");
  EXPECT_EQ(same["same"], true);
  EXPECT_EQ(same["robots"], Json::array());
}

TEST_F(Diff, AgentsAndDialectAreAsked) {
  const std::string_view before = "User-agent: *\nDisallow: /a\n\nUser-agent: Foo\nDisallow: /b\n";
  const std::string_view after = "User-agent: *\nDisallow: /c\n\nUser-agent: Foo\nDisallow: /b\n";
  EXPECT_EQ(diff(before, after).out.rfind("every other robot (*)\n", 0), 0u);
  const Ran ran = diff(before, after, {"--agent", "BarBot", "-a", "Mozilla/5.0 (compatible; BazBot/1.0)"});
  EXPECT_EQ(ran.out.rfind("every other robot (*), BarBot, BazBot\n", 0), 0u) << ran.out;
  EXPECT_NE(ran.err.find("is read as the robot BazBot"), std::string::npos) << ran.err;
  EXPECT_EQ(json(before, after, {"--agent", "foo"})["robots"][0]["agents"], Json({"*"})) << "Foo is not changed";
  // Without Allow lines there is no difference.
  const std::string_view allow = "User-agent: *\nAllow: /a/b\nDisallow: /a\n";
  const std::string_view none = "User-agent: *\nDisallow: /a\n";
  EXPECT_EQ(diff(allow, none).status, 1);
  EXPECT_EQ(diff(allow, none, {"--dialect", "original-1994"}).status, 0);
}

TEST_F(Diff, ARobotNamedInOneFileOnlyFallsToTheGroupForEveryRobot) {
  const Json document =
      json("User-agent: *\nDisallow: /a\n\nUser-agent: X\nDisallow: /b\n", "User-agent: *\nDisallow: /a\n");
  ASSERT_EQ(document["robots"].size(), 1u);
  EXPECT_EQ(document["robots"][0]["agents"], Json({"X"}));
  EXPECT_EQ(document["robots"][0]["changes"].size(), 2u);
}

TEST_F(Diff, EscapesWhatComesFromTheFiles) {
  const Ran ran = diff("User-agent: evil\x1B[2J\xE2\x80\xAE\nDisallow: /\x1B[31m\n",
                       "User-agent: *\nSitemap: \x1B]0;x\x07\nCrawl-delay: 3\n", {"-a", "a\x9B"});
  EXPECT_EQ(ran.status, 1);
  for (const std::string_view bytes : {"\x1B", "\xE2\x80\xAE", "\x07", "\x9B"}) {
    EXPECT_EQ(ran.out.find(bytes), std::string::npos) << ran.out;
  }
  EXPECT_NE(ran.out.find("\\x1B[31m"), std::string::npos) << ran.out;
}

TEST_F(Diff, ManyChangesAreCutForPeopleAndAllThereForPrograms) {
  std::string after = "User-agent: *\n";
  for (int i = 0; i < 500; ++i) after += "Disallow: /" + std::to_string(i) + "/\n";
  const Ran ran = diff("", after);
  EXPECT_NE(ran.out.find("\n  ... and 400 more; --json shows all\n"), std::string::npos);
  EXPECT_EQ(json("", after)["robots"][0]["changes"].size(), 500u);
}

TEST_F(Diff, LimitsAreSaidOnStandardError) {
  std::string before = "User-agent: *\n";
  std::string after = before;
  for (int i = 0; i < 300; ++i) {
    before += "Allow: /*" + std::to_string(i) + "a\n";
    after += "Disallow: /*" + std::to_string(i) + "b\n";
  }
  const Ran ran = diff(before, after);
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find("robotrules diff: note: paths where a rule with wildcards meets another"), std::string::npos)
      << ran.err;
  EXPECT_NE(ran.err.find("20000 pairs of rules only"), std::string::npos) << ran.err;
}

TEST_F(Diff, ReadsStandardInputOnce) {
  const std::string file = folder_.file("a.txt", "User-agent: *\nDisallow: /\n");
  EXPECT_EQ(run({"diff", "-", file}, "User-agent: *\nDisallow: /\n").status, 0);
  EXPECT_EQ(run({"diff", file, "-"}, "User-agent: *\nDisallow: /x\n").status, 1);
  const Ran twice = run({"diff", "-", "-"});
  EXPECT_EQ(twice.status, 2);
  EXPECT_NE(twice.err.find("standard input can be read only once"), std::string::npos) << twice.err;
}

TEST_F(Diff, UsageAndInputErrorsAreStatus2) {
  const std::string file = folder_.file("a.txt", "");
  const struct {
    std::vector<std::string> words;
    const char* said;
  } cases[] = {{{"diff"}, "no A was given"},
               {{"diff", file}, "no B was given"},
               {{"diff", file, file, file}, "unexpected operand"},
               {{"diff", file, folder_.path() + "/none"}, "/none: No such file"},
               {{"diff", folder_.path() + "/none", folder_.path() + "/nor this"}, "/nor this: No such file"},
               {{"diff", folder_.path(), file}, "Is a directory"},
               {{"diff", "--dialect", "gogle", file, file}, "did you mean google?"},
               {{"diff", "--agent"}, "--agent"}};
  for (const auto& each : cases) {
    const Ran ran = run(each.words);
    EXPECT_EQ(ran.status, 2) << each.said;
    EXPECT_EQ(ran.out, "");
    EXPECT_NE(ran.err.find(each.said), std::string::npos) << ran.err;
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
