// robotrules agents: which known crawlers a file lets in.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "cli/agents/agents.hpp"
#include "cli/command.hpp"
#include "support/test_data.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using Json = nlohmann::json;

constexpr std::string_view list =
    R"({"updated": "2026-01-01", "kinds": {"search": "finds", "train": "learns", "none": "no one"}, "crawlers": [
    {"name": "FooBot", "operator": "Foo", "kind": "train", "source": "https://foo.example/", "seen": "2026-01-02"},
    {"name": "Bar", "operator": "Bar", "kind": "search", "source": ""},
    {"name": "Big Long Spider", "operator": "Big", "kind": "search", "source": ""}]})";

// Crawlers that obey other groups than that of their name, and fetchers that may obey none.
constexpr std::string_view special =
    R"({"kinds": {"search": "finds", "ads": "sells", "user": "asks"}, "crawlers": [
    {"name": "Foo-Image", "kind": "search", "tokens": ["Foo-Image", "Foo"]},
    {"name": "Foo-Ads", "kind": "ads", "ignores_star": true},
    {"name": "Foo-Fetch", "kind": "user", "obeys_robots": "no"},
    {"name": "Foo-Ask", "kind": "user", "obeys_robots": "partly"}]})";

class Agents : public ::testing::Test {
 protected:
  Ran agents(std::string_view robots, std::vector<std::string> words = {}) {
    words.insert(words.begin(), {"agents", "--agents-file", list_, folder_.file("robots.txt", robots)});
    return run(words);
  }
  TemporaryFolder folder_;
  std::string list_ = folder_.file("list.json", list);
};

TEST_F(Agents, AreGroupedByKindWithReachAndGroup) {
  const Ran ran = agents(
      "User-agent: *\nDisallow: /private\n\nUser-agent: foobot\nDisallow: /\n\n"
      "User-agent: Big Long Spider\nDisallow:\n");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.out,
            "search: finds\n"
            "  Bar              partly      * (line 1)\n"
            "  Big Long Spider  everywhere  Big Long Spider (line 7)\n"
            "\n"
            "train: learns\n"
            "  FooBot           nowhere     foobot (line 4)\n"
            "\n"
            "/ is allowed for\n"
            "  search  2 of 2\n"
            "  train   0 of 1\n"
            "\n"
            "3 crawlers: 1 everywhere, 1 partly, 1 nowhere\n");
}

struct Reached {
  const char* name;
  const char* robots;
  const char* reach;
  const char* dialect;
};

class AgentsReach : public ::testing::TestWithParam<Reached> {};

TEST_P(AgentsReach, IsAsItsRulesSay) {
  const TemporaryFolder folder;
  const Ran ran =
      run({"agents", "--json", "--dialect", GetParam().dialect, "--agents-file", folder.file("l", list), "-"},
          GetParam().robots);
  EXPECT_EQ(Json::parse(ran.out)["crawlers"][0]["access"], GetParam().reach);
}

INSTANTIATE_TEST_SUITE_P(
    Table, AgentsReach,
    ::testing::Values(
        Reached{"no_file_to_speak_of", "", "everywhere", "rfc9309"},
        Reached{"empty_disallow", "User-agent: *\nDisallow:\n", "everywhere", "rfc9309"},
        Reached{"all_closed", "User-agent: *\nDisallow: /\n", "nowhere", "rfc9309"},
        Reached{"all_closed_with_a_star", "User-agent: *\nDisallow: *\n", "nowhere", "rfc9309"},
        Reached{"only_robots_txt_is_open", "User-agent: *\nDisallow: /\nAllow: /robots.txt\n", "nowhere", "rfc9309"},
        Reached{"a_hole", "User-agent: *\nDisallow: /\nAllow: /$\n", "partly", "rfc9309"},
        Reached{"a_hole_by_wildcard", "User-agent: *\nDisallow: /\nAllow: /*.css$\n", "partly", "rfc9309"},
        Reached{"a_hole_that_this_dialect_does_not_know", "User-agent: *\nAllow: /pub\nDisallow: /\n", "nowhere",
                "original-1994"},
        Reached{"beaten_by_allow", "User-agent: *\nDisallow: /a\nAllow: /\nAllow: /a\n", "everywhere", "rfc9309"},
        Reached{"by_name", "User-agent: *\nDisallow: /\n\nUser-agent: FooBot\nAllow: /\n", "everywhere", "rfc9309"},
        Reached{"by_part_of_the_name", "User-agent: Foo\nDisallow: /\n", "nowhere", "www-robotrules"}),
    [](const auto& info) { return info.param.name; });

TEST_F(Agents, JsonIsADocument) {
  const Json document = Json::parse(agents("User-agent: FooBot\nDisallow: /x\n", {"--json"}).out);
  EXPECT_EQ(document["dialect"], "rfc9309");
  EXPECT_EQ(document["updated"], "2026-01-01");
  ASSERT_EQ(document["crawlers"].size(), 3u);
  EXPECT_EQ(document["crawlers"][0],
            Json({{"name", "FooBot"},
                  {"operator", "Foo"},
                  {"kind", "train"},
                  {"tokens", {"FooBot"}},
                  {"ignores_star", false},
                  {"obeys_robots", nullptr},
                  {"source", "https://foo.example/"},
                  {"seen", "2026-01-02"},
                  {"access", "partly"},
                  {"group", {{"line", 1}, {"agent", "FooBot"}, {"default", false}}},
                  {"answer", {{"access", "allowed"}, {"line", 0}, {"rule", ""}, {"why", "no-rule"}}}}));
  EXPECT_EQ(document["crawlers"][1]["group"], nullptr);
  EXPECT_EQ(document["crawlers"][1]["seen"], nullptr);
  EXPECT_EQ(document["url"], "/");
  EXPECT_EQ(document["summary"][0],
            Json({{"kind", "search"}, {"crawlers", 2}, {"allowed", 2}, {"may_ignore_robots", 0}}));
}

TEST_F(Agents, TokensAreTriedInOrderAndAnIgnoredStarIsNoGroup) {
  const std::string file = folder_.file("special.json", special);
  const Ran ran =
      run({"agents", "--agents-file", file, "-"}, "User-agent: *\nDisallow: /\n\nUser-agent: foo\nDisallow: /x\n");
  EXPECT_EQ(ran.out,
            "search: finds\n"
            "  Foo-Image  partly      foo (line 4)\n"
            "\n"
            "ads: sells\n"
            "  Foo-Ads    everywhere  no group; ignores *\n"
            "\n"
            "user: asks\n"
            "  Foo-Fetch  nowhere     * (line 1); ignores robots.txt\n"
            "  Foo-Ask    nowhere     * (line 1); may ignore robots.txt\n"
            "\n"
            "/ is allowed for\n"
            "  search  1 of 1\n"
            "  ads     1 of 1\n"
            "  user    0 of 2; 2 may ignore robots.txt\n"
            "\n"
            "4 crawlers: 1 everywhere, 1 partly, 2 nowhere\n");
}

TEST_F(Agents, UrlAsksAboutOnePage) {
  const std::string robots = "User-agent: *\nDisallow: /private\n\nUser-agent: FooBot\nDisallow: /\nAllow: /open\n";
  for (const std::string page : {"/private/x", "private/x", "https://foo.example/private/x"}) {
    const Ran ran = agents(robots, {"--url", page});
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.out,
              "search: finds\n"
              "  Bar              disallowed  * (line 1)  line 2: Disallow: /private\n"
              "  Big Long Spider  disallowed  * (line 1)  line 2: Disallow: /private\n"
              "\n"
              "train: learns\n"
              "  FooBot  disallowed  FooBot (line 4)  line 5: Disallow: /\n"
              "\n" +
                  std::string(page == "private/x" ? "/private/x" : page) +
                  " is allowed for\n"
                  "  search  0 of 2\n"
                  "  train   0 of 1\n"
                  "\n"
                  "3 crawlers: 0 allowed, 3 disallowed\n");
  }
  const Json document = Json::parse(agents(robots, {"--json", "--url", "/open"}).out);
  EXPECT_EQ(document["url"], "/open");
  EXPECT_EQ(document["crawlers"][0]["answer"],
            Json({{"access", "allowed"}, {"line", 6}, {"rule", "Allow: /open"}, {"why", "rule"}}));
  EXPECT_EQ(document["crawlers"][1]["answer"]["why"], "no-rule");
  EXPECT_EQ(document["summary"][1]["allowed"], 1);
  const Ran wrong = agents(robots, {"--url", "mailto:a@b"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_NE(wrong.err.find("--url does not accept \"mailto:a@b\""), std::string::npos) << wrong.err;
}

TEST_F(Agents, RobotsOfOneGroupAreEachNamedByTheirOwnLine) {
  const Json crawlers =
      Json::parse(agents("User-agent: bar\nUser-agent: FOOBOT\nDisallow: /x\n", {"--json"}).out)["crawlers"];
  EXPECT_EQ(crawlers[0]["group"]["agent"], "FOOBOT");
  EXPECT_EQ(crawlers[1]["group"]["agent"], "bar");
  EXPECT_EQ(crawlers[1]["group"]["line"], 1);
}

TEST_F(Agents, TheListInsideIsTheFileOfTheProject) {
  const std::string json = test::bytes_of(test::source_folder() / "data" / "crawlers.json");
  const auto read = cli::read_crawlers(json);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_GT(read.value().crawlers.size(), 20u);
  EXPECT_TRUE(read.value() == known_crawlers());
  const Ran ran = run({"agents", "-"}, "User-agent: GPTBot\nDisallow: /\n");
  EXPECT_EQ(ran.status, 0);
  const auto at = ran.out.find("\n  GPTBot ");
  ASSERT_NE(at, std::string::npos) << ran.out;
  EXPECT_NE(ran.out.substr(at, 80).find("nowhere     GPTBot (line 1)\n"), std::string::npos) << ran.out.substr(at, 80);
  EXPECT_NE(ran.out.find("\n  CCBot "), std::string::npos);
}

TEST_F(Agents, AMalformedListIsAClearError) {
  const struct {
    const char* json;
    const char* said;
  } cases[] = {{"", "is not JSON"},
               {"{\"crawlers\": [}", "is not JSON"},
               {"[]", "is not a JSON object"},
               {"{}", "has no object \"kinds\""},
               {R"({"kinds": {"a": 1}})", "has no text for the kind \"a\""},
               {R"({"kinds": {}})", "has no array \"crawlers\""},
               {R"({"kinds": {}, "crawlers": [1]})", "is malformed: crawler 1 is not an object"},
               {R"({"kinds": {}, "crawlers": [{}]})", "crawler 1 has no \"name\""},
               {R"({"kinds": {"a": ""}, "crawlers": [{"name": "X", "kind": "a"}, {"name": "Y"}]})",
                "crawler 2 (Y) has no \"kind\""},
               {R"({"kinds": {}, "crawlers": [{"name": "X\u001b", "kind": "b"}]})",
                "crawler 1 (X\\x1B) has the kind \"b\", which is not one of \"kinds\""},
               {R"({"kinds": {"a": ""}, "crawlers": [{"name": "X", "kind": "a", "tokens": []}]})",
                "crawler 1 (X) has \"tokens\" that are not an array of names"},
               {R"({"kinds": {"a": ""}, "crawlers": [{"name": "X", "kind": "a", "ignores_star": 1}]})",
                "crawler 1 (X) has an \"ignores_star\" that is neither true nor false"},
               {R"({"kinds": {"a": ""}, "crawlers": [{"name": "X", "kind": "a", "obeys_robots": "x"}]})",
                "crawler 1 (X) has an \"obeys_robots\" that is not \"yes\", \"partly\" or \"no\""}};
  for (const auto& each : cases) {
    const std::string file = folder_.file("bad.json", each.json);
    const Ran ran = run({"agents", "--agents-file", file, "-"});
    EXPECT_EQ(ran.status, 2) << each.json;
    EXPECT_EQ(ran.out, "");
    EXPECT_NE(ran.err.find("robotrules agents: " + file + " "), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find(each.said), std::string::npos) << ran.err;
  }
}

TEST_F(Agents, AreSelectedByNameAndKind) {
  const std::string_view robots = "User-agent: FooBot\nDisallow: /\n";
  const auto names = [&](const std::vector<std::string>& words) {
    std::vector<std::string> all{"--json"};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<std::string> found;
    const Json document = Json::parse(agents(robots, all).out);
    for (const Json& crawler : document["crawlers"]) found.push_back(crawler["name"]);
    return found;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names({"--agent", "foobot"}), (Names{"FooBot"}));
  EXPECT_EQ(names({"-a", "Big Long Spider", "-a", "Bar"}), (Names{"Bar", "Big Long Spider"}));
  EXPECT_EQ(names({"--kind", "search"}), (Names{"Bar", "Big Long Spider"}));
  EXPECT_EQ(names({"--kind", "search", "--kind", "train"}), (Names{"FooBot", "Bar", "Big Long Spider"}));
  EXPECT_EQ(names({"--kind", "search, train"}), (Names{"FooBot", "Bar", "Big Long Spider"}));
  EXPECT_EQ(names({"--kind", "train", "--agent", "Bar"}), (Names{"FooBot", "Bar"}));
  EXPECT_EQ(agents(robots, {"--kind=train"}).out,
            "train: learns\n"
            "  FooBot  nowhere  FooBot (line 1)\n"
            "\n"
            "/ is allowed for\n"
            "  train  0 of 1\n"
            "\n"
            "1 crawler: 0 everywhere, 0 partly, 1 nowhere\n");
  const Ran header = agents(robots, {"--agent", "Mozilla/5.0 (compatible; FooBot/1.0)"});
  EXPECT_NE(header.out.find("  FooBot  nowhere"), std::string::npos) << header.out;
  EXPECT_NE(header.err.find("is read as the robot FooBot"), std::string::npos) << header.err;
}

TEST_F(Agents, UnknownNamesAndKindsAreErrors) {
  const auto said = [&](const std::vector<std::string>& words) {
    const Ran ran = agents("", words);
    EXPECT_EQ(ran.status, 2);
    EXPECT_EQ(ran.out, "");
    return ran.err;
  };
  EXPECT_EQ(said({"--kind", "trian"}),
            "robotrules agents: unknown kind \"trian\"; use one of search, train, none; did you mean train?\n");
  EXPECT_EQ(said({"--agent", "FoBot"}), "robotrules agents: the list has no crawler \"FoBot\"; did you mean FooBot?\n");
  EXPECT_EQ(
      said({"--agent", "Unheard-Of"}),
      "robotrules agents: the list has no crawler \"Unheard-Of\"; robotrules check --agent asks about any robot\n");
  // The name of one's own robot in a variable is not meant for this list.
  ::setenv("ROBOTRULES_AGENT", "Unheard-Of", 1);
  EXPECT_EQ(agents("").status, 0);
  ::unsetenv("ROBOTRULES_AGENT");
}

TEST_F(Agents, PreferencesOfTheFileAreListed) {
  const std::string file = folder_.file("preferences.txt", "User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n");
  EXPECT_TRUE(run({"agents", file}).out.ends_with("\nContent-Signal for *: ai-train=no\n"));
  const Json document = Json::parse(run({"agents", "--json", file}).out);
  EXPECT_EQ(document["preferences"][0]["value"], "ai-train=no");
  EXPECT_EQ(document["preferences"][0]["agents"], Json::array({"*"}));
  const std::string latin = folder_.file("latin.txt", "User-agent: *\nContent-Signal: caf\xE9=no\n");
  EXPECT_EQ(Json::parse(run({"agents", "--json", latin}).out)["preferences"][0]["value_b64"], "Y2Fm6T1ubw==");
}

TEST_F(Agents, InputErrorsAreStatus2) {
  EXPECT_EQ(run({"agents"}).status, 2);
  EXPECT_EQ(run({"agents", folder_.path() + "/none"}).status, 2);
  EXPECT_EQ(run({"agents", "--agents-file", folder_.path() + "/none", "-"}).status, 2);
  EXPECT_EQ(run({"agents", "--agents-file", "-", "-"}).status, 2);
  EXPECT_EQ(run({"agents", "https://example.org/robots.txt"}).status, 2);
  EXPECT_EQ(run({"agents", "-"}, "<html>\n").status, 0);
}

TEST_F(Agents, EscapesWhatComesFromTheFiles) {
  const std::string evil = folder_.file(
      "evil.json", R"({"kinds": {"a\u001b": "b\u202e"}, "crawlers": [{"name": "X\u001b[2J", "kind": "a\u001b"}]})");
  const Ran ran = run({"agents", "--agents-file", evil, "-"}, "User-agent: X\x1B[2J\nDisallow: /\n");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.out.find('\x1B'), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("\xE2\x80\xAE"), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
