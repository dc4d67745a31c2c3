// robotrules check --agent: several robots, and robots of the list of crawlers.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <robotrules/dialect.hpp>

#include "cli/command.hpp"
#include "support/server/server.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using Json = nlohmann::json;

constexpr std::string_view robots =
    "User-agent: *\n"          // 1
    "Disallow: /\n"            // 2
    "\n"                       // 3
    "User-agent: Googlebot\n"  // 4
    "Disallow: /x\n";          // 5

class CheckAgents : public ::testing::Test {
 protected:
  Ran check(std::vector<std::string> words) {
    words.insert(words.begin(), {"check", "--robots", file_});
    return run(words);
  }
  TemporaryFolder folder_;
  std::string file_ = folder_.file("robots.txt", robots);
};

TEST_F(CheckAgents, ACrawlerOfTheListObeysTheGroupsThatTheListSays) {
  const Ran image = check({"--agent", "Googlebot-Image", "/x", "/y"});
  EXPECT_EQ(image.out, "disallowed\t/x\nallowed\t/y\n");
  EXPECT_EQ(image.err,
            "robotrules check: note: Googlebot-Image obeys the groups of Googlebot if no group names it; "
            "--exact-agent compares only the name\n");
  const Ran ads = check({"--agent", "AdsBot-Google (+http://www.google.com/adsbot.html)", "/x"});
  EXPECT_EQ(ads.out, "allowed\t/x\n");
  EXPECT_NE(ads.err.find("note: AdsBot-Google ignores the groups for \"*\"; --exact-agent"), std::string::npos)
      << ads.err;
  EXPECT_EQ(check({"--robot", "applebot", "/y"}).out, "allowed\t/y\n");
}

TEST_F(CheckAgents, OnlyRobotstxtRbComparesTheHeaderAsItIs) {
  const std::string file = folder_.file("version.txt", "User-agent: FooBot/1.0\nDisallow: /\n");
  for (const Dialect& dialect : Dialect::presets()) {
    const std::string name(dialect.name);
    const bool closed = dialect.agent_match != Dialect::AgentMatch::name_contains_value;
    for (const char* agent : {"FooBot/1.0", "Mozilla/5.0 (compatible; FooBot/1.0)"}) {
      const Ran ran = run({"check", "--robots", file, "--dialect", name, "--agent", agent, "--json", "/x"});
      const Json answer = Json::parse(ran.out);
      EXPECT_EQ(answer["access"], closed ? "disallowed" : "allowed") << name << ", " << agent;
      EXPECT_EQ(answer["agent"], "FooBot");
    }
    const Ran other = run({"check", "--robots", file, "--dialect", name, "--agent", "FooBot/2.0", "/x"});
    EXPECT_EQ(other.out.starts_with("disallowed"), closed && !dialect.whole_header) << name;
  }
}

TEST_F(CheckAgents, ExactAgentComparesOnlyTheName) {
  for (const std::string agent : {"Googlebot-Image", "AdsBot-Google", "FooBot"}) {
    const Ran ran = check({"--exact-agent", "--agent", agent, "/y"});
    EXPECT_EQ(ran.out, "disallowed\t/y\n") << agent;
    EXPECT_EQ(ran.err, "");
  }
}

TEST_F(CheckAgents, ANameThatNoCrawlerHasIsNoted) {
  const struct {
    std::string agent, says;
  } cases[] = {
      {"ChatGPT",
       "robotrules check: note: \"ChatGPT\" is not a known robot; \"GPTBot\", \"OAI-SearchBot\" and \"ChatGPT-User\" "
       "are.\n"},
      {"Gogglebot", "robotrules check: note: \"Gogglebot\" is not a known robot; \"Googlebot\" is.\n"},
      {"FooBot", ""},
  };
  for (const auto& c : cases) {
    const Ran ran = check({"--agent", c.agent, "/y"});
    EXPECT_EQ(ran.out, "disallowed\t/y\n") << c.agent;
    EXPECT_EQ(ran.err, c.says);
  }
}

TEST_F(CheckAgents, AListThatIsTakenForAPathIsNoted) {
  const std::filesystem::path before = std::filesystem::current_path();
  folder_.file("urls", "/x\n");
  std::filesystem::current_path(folder_.path());
  const Ran list = check({"urls"}), path = check({"other"});
  std::filesystem::current_path(before);
  EXPECT_EQ(list.out, "disallowed\t/urls\n");
  EXPECT_NE(list.err.find("note: \"urls\" is read as a path of the site"), std::string::npos) << list.err;
  EXPECT_EQ(path.err, "");
}

TEST_F(CheckAgents, UnreadableContentIsNoted) {
  const std::string rule = "User-agent: *\nDisallow: /\n";
  std::string utf16 = "\xFF\xFE";
  for (const char c : rule) utf16 += {c, '\0'};
  const struct {
    std::string bytes, says;
  } cases[] = {
      {utf16, "is UTF-16; most robots find no rules in it"},
      {rule + std::string(600'000, '#') + "\nDisallow: /a\n", "bytes that the dialect rfc9309 reads"},
      {"<!DOCTYPE html><html><body>", "is an HTML page"},
  };
  for (const auto& c : cases) {
    const std::string file = folder_.file("content.txt", c.bytes);
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"check", "--robots", file, "/a"}, {"agents", file}, {"diff", file, file}}) {
      EXPECT_NE(run(words).err.find(c.says), std::string::npos) << words[0] << ": " << c.says;
    }
  }
}

TEST_F(CheckAgents, AFetcherThatMayIgnoreRobotsTxtIsNoted) {
  EXPECT_EQ(check({"--agent", "ChatGPT-User", "/y"}).err,
            "robotrules check: note: ChatGPT-User may ignore robots.txt, says OpenAI\n");
  const Ran ran = check({"--json", "--agent", "Perplexity-User", "/y"});
  EXPECT_EQ(ran.err, "robotrules check: note: Perplexity-User ignores robots.txt, says Perplexity\n");
  EXPECT_EQ(Json::parse(ran.out)["obeys_robots"], "no");
}

TEST_F(CheckAgents, ExplainAndJsonTellTheGroupThatWasUsed) {
  const Ran image = check({"--explain", "--agent", "Googlebot-Image", "/x"});
  EXPECT_NE(image.out.find(":4: User-agent: Googlebot (no group names Googlebot-Image)\n"), std::string::npos)
      << image.out;
  const Ran ads = check({"--explain", "--agent", "AdsBot-Google", "/x"});
  EXPECT_NE(ads.out.find("none applies to AdsBot-Google, which ignores the groups for \"*\"\n"), std::string::npos)
      << ads.out;
  const Json object = Json::parse(check({"--json", "--agent", "Googlebot-Image", "/x"}).out);
  EXPECT_EQ(object["agent"], "Googlebot-Image");
  EXPECT_EQ(object["tokens"], Json({"Googlebot-Image", "Googlebot"}));
  EXPECT_EQ(object["ignores_star"], false);
  EXPECT_EQ(object["line"], 5);
  EXPECT_FALSE(Json::parse(check({"--json", "--agent", "Googlebot", "/x"}).out).contains("tokens"));
}

TEST_F(CheckAgents, SeveralRobotsHaveALineEach) {
  const Ran ran = check({"--agent", "Googlebot", "--agent", "FooBot/1.0", "/y", "/x"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.out,
            "allowed\t/y\tGooglebot\n"
            "disallowed\t/y\tFooBot\n"
            "disallowed\t/x\tGooglebot\n"
            "disallowed\t/x\tFooBot\n");
  const auto lines = lines_of(check({"--json", "--agent", "Googlebot", "--agent", "FooBot", "/y"}).out);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(Json::parse(lines[1])["agent"], "FooBot");
  const auto all = lines_of(check({"--dialect", "all", "--agent", "Googlebot", "--agent", "FooBot", "/y"}).out);
  ASSERT_EQ(all.size(), 14u);
  EXPECT_EQ(all[7], "disallowed\t/y\tFooBot");
  const Ran two_names = check({"--agent", "Googlebot", "--agent", "FooBot", "--robot", "Foo", "/y"});
  EXPECT_EQ(two_names.status, 2);
  EXPECT_NE(two_names.err.find("--robot is the name of one robot"), std::string::npos) << two_names.err;
}

TEST_F(CheckAgents, SeveralRobotsAskASiteOnce) {
  ScriptedServer server;
  const std::uint16_t port = server.listen();
  server.on("", "/robots.txt", reply(std::string(robots)));
  const std::string url = url_of(port, "/y");
  const std::string db = folder_.path() + "/rules.db";
  const std::vector<std::string> agents = {"--agent", "Googlebot-Image", "--agent",
                                           "FooBot",  "--agent",         "AdsBot-Google"};
  const std::string expected =
      "allowed\t" + url + "\tGooglebot-Image\ndisallowed\t" + url + "\tFooBot\nallowed\t" + url + "\tAdsBot-Google\n";
  std::vector<std::string> words = {"check", "--allow-address", "127.0.0.0/8", "--db", db, url};
  words.insert(words.end(), agents.begin(), agents.end());
  const Ran ran = run(words);
  EXPECT_EQ(ran.status, 1) << ran.err;
  EXPECT_EQ(ran.out, expected);
  EXPECT_EQ(server.witness().request_count(), 1U);
  EXPECT_EQ(server.witness().requests().front().header("User-Agent"), "Googlebot-Image");
  words.insert(words.end(), "--offline");
  EXPECT_EQ(run(words).out, expected);
}

// A program that asks names the robot whose rules it wants, so batch compares this name alone.
TEST_F(CheckAgents, BatchComparesTheNameAlone) {
  for (const std::string agent : {"Googlebot-Image", "AdsBot-Google", "FooBot"}) {
    const Json question{{"url", "/x"}, {"agent", agent}, {"robots", std::string(robots)}};
    const Ran batch = run({"batch"}, question.dump() + "\n");
    EXPECT_EQ(Json::parse(batch.out)["access"], "disallowed") << agent;
    EXPECT_EQ(Json::parse(batch.out)["line"], 2) << agent;
    EXPECT_EQ(batch.err, "");
  }
}

TEST_F(CheckAgents, ShowKnowsTheListToo) {
  const Ran shown = run({"show", "--agent", "Googlebot-Image", file_});
  EXPECT_NE(shown.out.find("\nFor Googlebot-Image\n  group at line 4, because no group names Googlebot-Image\n"
                           "     5  Disallow: /x\n"),
            std::string::npos)
      << shown.out;
  EXPECT_EQ(shown.err,
            "robotrules show: note: Googlebot-Image obeys the groups of Googlebot if no group names it; "
            "--exact-agent compares only the name\n");
  const Ran exact = run({"show", "--exact-agent", "--agent", "Googlebot-Image", file_});
  EXPECT_NE(exact.out.find("  group at line 1, for every robot that no group names\n"), std::string::npos) << exact.out;
  EXPECT_EQ(exact.err, "");
  EXPECT_NE(run({"show", "--agent", "AdsBot-Google", file_}).out.find("  no group applies: everything is allowed\n"),
            std::string::npos);
  const Json object = Json::parse(run({"show", "--json", "--agent", "Googlebot-Image", file_}).out)["for"];
  EXPECT_EQ(object.value("groups", Json()), Json({4}));
  EXPECT_EQ(object.value("tokens", Json()), Json({"Googlebot-Image", "Googlebot"}));
  EXPECT_EQ(object.value("ignores_star", Json()), false);
  EXPECT_FALSE(Json::parse(run({"show", "--json", "--agent", "FooBot", file_}).out)["for"].contains("tokens"));
  EXPECT_NE(run({"show", "--dialects", "--agent", "Googlebot-Image", file_}).out.find("may Googlebot-Image fetch"),
            std::string::npos);
}

struct Urlish {
  const char* name;
  std::string given;
  std::string out;
};

class CheckUrlish : public ::testing::TestWithParam<Urlish> {};

TEST_P(CheckUrlish, IsReadAsTheUrlOrPathThatItMeans) {
  const TemporaryFolder folder;
  const std::string file =
      folder.file("robots.txt", "User-agent: *\nDisallow: /x\nDisallow: /foo.html\nDisallow: /?q\n");
  EXPECT_EQ(run({"check", "--robots", file, "--", GetParam().given}).out, GetParam().out);
  EXPECT_EQ(run({"check", "--robots", file, "-"}, GetParam().given + "\n").out, GetParam().out);
}

INSTANTIATE_TEST_SUITE_P(
    Table, CheckUrlish,
    ::testing::Values(Urlish{"file", "foo.html", "disallowed\t/foo.html\n"},
                      Urlish{"file_with_a_query", "foo.html?a=b", "disallowed\t/foo.html?a=b\n"},
                      Urlish{"query", "?q=1", "disallowed\t/?q=1\n"}, Urlish{"relative_path", "a/x", "allowed\t/a/x\n"},
                      Urlish{"host_and_path", "example.org/x", "disallowed\thttps://example.org/x\n"},
                      Urlish{"host_and_port", "example.org:8080/x", "disallowed\thttps://example.org:8080/x\n"},
                      Urlish{"path", "/x", "disallowed\t/x\n"},
                      Urlish{"url", "http://example.org/x", "disallowed\thttp://example.org/x\n"},
                      Urlish{"other_scheme", "mailto:a@b", ""}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace robotrules::test::THIS_FILE
