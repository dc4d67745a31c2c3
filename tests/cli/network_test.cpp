// The command on the network: what it fetches, by which name, and what it says of what it can't have.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "support/long_utf16.hpp"
#include "support/sanitized.hpp"
#include "support/server/server.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using Json = nlohmann::json;
using test::ScriptedServer;
using test::SeenRequest;

using Words = std::vector<std::string>;

class Network : public ::testing::Test {
 protected:
  Network() {
    for (const char* name : {"http_proxy", "all_proxy", "ALL_PROXY"}) ::unsetenv(name);
  }
  std::string url(std::string_view path, std::string_view host = "127.0.0.1") const {
    return test::url_of(port_, path, host);
  }
  void robots(test::Handler handler) { server_.on("", "/robots.txt", std::move(handler)); }
  static Ran online(Words words, std::string_view input = {}) {
    words.insert(words.begin() + 1, {"--allow-address", "127.0.0.0/8"});
    return run(words, input);
  }
  std::size_t asked() const { return server_.witness().requests("/robots.txt").size(); }

  ScriptedServer server_;
  std::uint16_t port_ = server_.listen();
  TemporaryFolder folder_;
};

const std::string no_x = "User-agent: *\nDisallow: /x\n";

TEST_F(Network, CheckFetchesTheRobotsTxtOfEachSiteOnce) {
  server_.open({.address = "127.0.0.2", .port = port_});
  server_.on("127.0.0.1", "/robots.txt", test::reply(no_x));
  server_.on("127.0.0.2", "/robots.txt", test::reply("User-agent: *\nDisallow: /y\n"));
  const Ran ran = online({"check", url("/x"), url("/x", "127.0.0.2"), url("/y"), url("/y", "127.0.0.2")});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.out, "disallowed\t" + url("/x") + "\nallowed\t" + url("/x", "127.0.0.2") + "\nallowed\t" + url("/y") +
                         "\ndisallowed\t" + url("/y", "127.0.0.2") + "\n");
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(server_.witness().request_count(), 2U);
}

TEST_F(Network, ItCallsItselfByItsOwnNameUnlessToldOtherwise) {
  robots(test::reply(no_x));
  EXPECT_EQ(online({"check", url("/")}).status, 0);
  EXPECT_EQ(online({"check", "--agent", "FooBot", "--from", "me@foo.example", url("/")}).status, 0);
  EXPECT_EQ(online({"check", "--agent", "Mozilla/5.0 (compatible; FooBot/1.0)", url("/")}).status, 0);
  EXPECT_EQ(online({"lint", url("/robots.txt")}).status, 0);
  const std::vector<SeenRequest> seen = server_.witness().requests();
  ASSERT_EQ(seen.size(), 4U);
  EXPECT_EQ(seen[0].header("User-Agent")->rfind("robotrules/", 0), 0U);
  EXPECT_EQ(seen[0].header("From"), std::nullopt);
  EXPECT_EQ(seen[1].header("User-Agent"), "FooBot");
  EXPECT_EQ(seen[1].header("From"), "me@foo.example");
  EXPECT_EQ(seen[2].header("User-Agent"), "Mozilla/5.0 (compatible; FooBot/1.0)");
  EXPECT_EQ(seen[3].header("User-Agent"), seen[0].header("User-Agent"));
}

struct Outcome {
  int status;
  Words flags;
  const char* access;
  const char* outcome;
  const char* why;
};

class NetworkOutcome : public Network, public ::testing::WithParamInterface<Outcome> {};

TEST_P(NetworkOutcome, IsJudgedByThePolicyAndTold) {
  robots(test::status(GetParam().status));
  Words words{"check", "--json", "--explain", url("/page")};
  words.insert(words.begin() + 1, GetParam().flags.begin(), GetParam().flags.end());
  const Ran ran = online(words);
  const Json answer = Json::parse(ran.out);
  EXPECT_EQ(answer["access"], GetParam().access);
  EXPECT_EQ(ran.status, answer["access"] == "allowed" ? 0 : 1);
  EXPECT_EQ(answer["why"], GetParam().why);
  EXPECT_NE(answer["explanation"].get<std::string>().find(std::to_string(GetParam().status)), std::string::npos)
      << answer;
  EXPECT_EQ(answer["line"], 0);
  EXPECT_EQ(answer["robots"]["outcome"], GetParam().outcome);
  EXPECT_EQ(answer["robots"]["status"], GetParam().status);
  EXPECT_EQ(answer["robots"]["url"], url("/robots.txt"));
}

INSTANTIATE_TEST_SUITE_P(
    Table, NetworkOutcome,
    ::testing::Values(Outcome{404, {}, "allowed", "unavailable", "robots-unavailable"},
                      Outcome{403, {}, "allowed", "unavailable", "robots-unavailable"},
                      Outcome{403, {"--strict"}, "disallowed", "unavailable", "robots-unavailable"},
                      Outcome{401, {"--policy", "robotstxt-rb"}, "disallowed", "unavailable", "robots-unavailable"},
                      Outcome{503, {}, "disallowed", "unreachable", "robots-unreachable"},
                      Outcome{429, {"--policy", "lwp-fixed"}, "disallowed", "unreachable", "robots-unreachable"},
                      Outcome{500, {"--policy", "robotstxt-rb"}, "allowed", "unreachable", "robots-unreachable"}));

TEST_F(Network, JsonTellsOfTheFileThatWasFetched) {
  server_.on("", "/robots.txt", test::redirect(301, "/moved.txt"));
  server_.on("", "/moved.txt", test::reply(no_x));
  const Json answer = Json::parse(online({"check", "--json", url("/x")}).out);
  EXPECT_EQ(answer["access"], "disallowed");
  EXPECT_EQ(answer["why"], "rule");
  EXPECT_EQ(answer["line"], 2);
  EXPECT_EQ(answer["robots"]["outcome"], "rules");
  EXPECT_EQ(answer["robots"]["status"], 200);
  EXPECT_EQ(answer["robots"]["url"], url("/moved.txt"));
  EXPECT_EQ(answer["robots"]["fetched_at"].get<std::string>().size(),
            std::string("2026-11-21T15:04:05.000000Z").size());
}

TEST_F(Network, ExplainSaysWhereTheRulesCameFrom) {
  robots(test::reply(no_x));
  const Ran ran = online({"check", "--explain", url("/x")});
  EXPECT_NE(ran.out.find("    robots.txt " + url("/robots.txt") + " (rules, 200, fetched "), std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("    rule       " + url("/robots.txt") + ":2: Disallow: /x\n"), std::string::npos) << ran.out;
  const std::uint16_t dead = server_.refuse();
  const Ran closed = online({"check", "--explain", test::url_of(dead, "/x")});
  EXPECT_EQ(closed.status, 1);
  EXPECT_EQ(closed.out.rfind("disallowed\t", 0), 0U) << closed.out;
  EXPECT_NE(closed.out.find("robots.txt cannot be fetched ("), std::string::npos) << closed.out;
  EXPECT_NE(closed.out.find("so by the policy rfc9309 the whole site is disallowed [robots-unreachable]"),
            std::string::npos)
      << closed.out;
}

TEST_F(Network, RobotsTxtItselfMayAlwaysBeFetchedAndIsNotAskedFor) {
  EXPECT_EQ(online({"check", url("/robots.txt")}).out, "allowed\t" + url("/robots.txt") + "\n");
  EXPECT_EQ(asked(), 0U);
}

TEST_F(Network, AddressesOffThePublicInternetAreNotConnectedTo) {
  const Ran ran = run({"check", "--explain", url("/x")});
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.out.find("the address 127.0.0.1:" + std::to_string(port_) + " is not allowed"), std::string::npos)
      << ran.out;
  const Ran shown = run({"show", url("/robots.txt")});
  EXPECT_EQ(shown.status, 2);
  EXPECT_NE(shown.err.find("--allow-address"), std::string::npos) << shown.err;
  EXPECT_EQ(server_.witness().connection_count(), 0U);
}

TEST_F(Network, WhySitesDoNotAnswerIsPrintedOnceForEach) {
  robots(test::status(503));
  const std::string dead = test::url_of(server_.refuse(), "");
  const Ran ran = online({"check", dead + "/x", dead + "/y", url("/x")});
  EXPECT_EQ(ran.status, 1);
  const auto lines = lines_of(ran.err);
  ASSERT_EQ(lines.size(), 1U) << ran.err;  // a server error is an answer
  EXPECT_EQ(lines[0].rfind("robotrules check: " + dead + ": robots.txt cannot be fetched (", 0), 0U) << lines[0];
  EXPECT_TRUE(lines[0].ends_with("so by the policy rfc9309 the whole site is disallowed")) << lines[0];
  EXPECT_EQ(online({"check", "--explain", dead + "/x"}).err, "");  // the answer has the reason
  const Ran refused = run({"check", url("/x")});
  EXPECT_NE(refused.err.find("is not allowed; --allow-address permits it)"), std::string::npos) << refused.err;
  EXPECT_EQ(lines_of(refused.out).size(), 1U);
  std::string many;
  for (int i = 1; i <= 12; ++i) many += "http://127.0.1." + std::to_string(i) + "/\n";
  const auto reported = lines_of(run({"check", "-"}, many).err);
  ASSERT_EQ(reported.size(), 11U);
  EXPECT_NE(reported[10].find("further sites that cannot be reached are not reported"), std::string::npos);
}

TEST_F(Network, AHostNameWithoutASchemeIsAUrl) {
  const Ran ran = run({"check", "foo.localhost", "foo.localhost/x"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.out, "disallowed\thttps://foo.localhost\ndisallowed\thttps://foo.localhost/x\n");
  EXPECT_NE(ran.err.find("robotrules check: https://foo.localhost: robots.txt cannot be fetched ("), std::string::npos)
      << ran.err;
}

// In place of a file too, if no file has that name. A file name that may be a host gets a hint only.
TEST_F(Network, AHostNameWithAPathInPlaceOfAFileIsAUrl) {
  const std::string file = folder_.file("robots.txt", no_x);
  const std::vector<Words> commands = {{"show"}, {"lint"}, {"agents"}, {"diff", file}, {"check", "/x", "--robots"}};
  for (const Words& command : commands) {
    const auto with = [&](const std::string& source) {
      Words words = command;
      words.push_back(source);
      return run(words);
    };
    const std::string prefix = "robotrules " + command.front() + ": ";
    for (const std::string source : {"foo.localhost/robots.txt", "foo.localhost:8080"}) {
      const Ran ran = with(source);
      EXPECT_EQ(ran.status, 2) << command.front();
      EXPECT_TRUE(ran.err.starts_with(prefix + "note: no file has the name " + source + ", so https://" + source +
                                      " is read\n" + prefix + "https://foo.localhost"))
          << ran.err;
      EXPECT_NE(ran.err.find(" not allowed; --allow-address permits it"), std::string::npos) << ran.err;
    }
    EXPECT_EQ(lines_of(with("foo.localhost").err).front(),
              prefix +
                  "foo.localhost: No such file or directory; check the name, or write https://foo.localhost for "
                  "the site");
    EXPECT_EQ(lines_of(with("robots.txt").err).front(),
              prefix + "robots.txt: No such file or directory; check the name");
  }
  EXPECT_EQ(lines_of(run({"check", "--offline", "--robots", "foo.localhost/x", "/x"}).err).front(),
            "robotrules check: foo.localhost/x: No such file or directory; check the name, or write "
            "https://foo.localhost/x for the site");
}

// Wrong values are errors also for commands that fetch nothing.
TEST_F(Network, ValuesAreCheckedAlsoIfNothingIsFetched) {
  const std::string file = folder_.file("robots.txt", no_x);
  const std::vector<Words> commands = {
      {"check", "--robots", file, "/x"}, {"show", file}, {"lint", file}, {"agents", file}, {"diff", file, file}};
  const std::pair<Words, const char*> flags[] = {{{"--policy", "stict"}, "did you mean strict?"},
                                                 {{"--timeout", "soon"}, "give a time from 1ms to 1h"},
                                                 {{"--allow-address", "everywhere"}, "--allow-address"},
                                                 {{"--allow-port", "0"}, "from 1 to 65535"},
                                                 {{"--from", "me"}, "\"@\""}};
  for (const Words& command : commands) {
    for (const auto& [flag, said] : flags) {
      Words words = command;
      words.insert(words.begin() + 1, flag.begin(), flag.end());
      const Ran ran = run(words);
      EXPECT_EQ(ran.status, 2) << command[0] << " " << flag[0];
      EXPECT_EQ(ran.out, "") << command[0] << " " << flag[0];
      EXPECT_NE(ran.err.find(said), std::string::npos) << ran.err;
    }
  }
  EXPECT_EQ(run({"batch", "--policy", "stict"}).status, 2);
}

TEST_F(Network, WhatHasNoAnswerIsUnknownAndEndsWith1) {
  robots(test::reply(no_x));
  const Ran ran = online({"check", url("/" + std::string(9'000, 'a')), url("/a")});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.out.rfind("unknown\t", 0), 0U);
  EXPECT_NE(ran.err.find("robotrules check: "), std::string::npos) << ran.err;
  const Ran relative = online({"check", "/a", url("/a")});
  EXPECT_EQ(relative.status, 2) << relative.err;
  EXPECT_EQ(relative.out, "allowed\t" + url("/a") + "\n");
  EXPECT_NE(relative.err.find("has no http or https site"), std::string::npos) << relative.err;
}

TEST_F(Network, TimeoutEndsAFetch) {
  robots(test::Script().read_to_end());
  const Ran ran = online({"check", "--timeout", "0.3", "--explain", url("/x")});
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.out.find("unreachable"), std::string::npos) << ran.out;
}

// A hundred sites, of which none answers before all have been asked.
TEST_F(Network, ManySitesAreAskedAtOnceAndAnswersKeepTheOrder) {
  constexpr int sites = 100;
  const test::Gate gate;
  robots(test::Script().wait(gate).send(test::reply(no_x)));
  std::string input;
  std::string expected;
  for (int i = 1; i <= sites; ++i) {
    const std::string host = "127.0.1." + std::to_string(i);
    server_.open({.address = host, .port = port_});
    input += url(i % 2 == 0 ? "/x" : "/y", host) + "\n";
    expected += (i % 2 == 0 ? "disallowed\t" + url("/x", host) : "allowed\t" + url("/y", host)) + "\n";
  }
  Running process({"check", "--allow-address", "127.0.0.0/8", "-"});
  ASSERT_EQ(::write(process.in(), input.data(), input.size()), static_cast<ssize_t>(input.size()));
  process.close_in();
  EXPECT_TRUE(gate.wait_reached(sites));
  gate.open();
  std::string out;
  char piece[4096];
  for (ssize_t got; (got = ::read(process.out(), piece, sizeof piece)) > 0;)
    out.append(piece, static_cast<std::size_t>(got));
  Ran ran;
  process.wait(ran);
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(out, expected);
  EXPECT_EQ(asked(), static_cast<std::size_t>(sites));
}

TEST_F(Network, EachUrlIsAnsweredBeforeTheNextOneComes) {
  robots(test::reply(no_x));
  const Running process({"check", "--allow-address", "127.0.0.0/8", "-"});
  for (const std::string path : {"/x", "/y"}) {
    const std::string line = url(path) + "\n";
    ASSERT_EQ(::write(process.in(), line.data(), line.size()), static_cast<ssize_t>(line.size()));
    std::string answer;
    char c = 0;
    while (answer.find('\n') == std::string::npos && ::read(process.out(), &c, 1) == 1) answer += c;
    EXPECT_EQ(answer, (path == "/x" ? "disallowed\t" : "allowed\t") + line);
  }
}

TEST_F(Network, MemoryDoesNotGrowWithTheInput) {
  robots(test::reply(no_x));
  constexpr int urls = 100'000;
  int given = 0;
  std::size_t lines = 0;
  const Ran ran = run_stream(
      {"check", "--allow-address", "127.0.0.0/8", "-"},
      [&] {
        std::string piece;
        for (int i = 0; i < 1'000 && given < urls; ++i) {
          piece += url("/y/" + std::string(200, 'y') + std::to_string(given++)) + "\n";
        }
        return piece;
      },
      [&](std::string_view out) { lines += static_cast<std::size_t>(std::count(out.begin(), out.end(), '\n')); }, true);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(lines, static_cast<std::size_t>(urls));
  EXPECT_EQ(asked(), 1U);
  if (!test::sanitized) {
    EXPECT_LT(ran.max_rss_kib, 128 * 1024);  // the input has 25 MB, the output as many
  }
}

// --- with a database ------------------------------------------------------------------------------------------------

TEST_F(Network, WhatIsFetchedIsKeptInTheDatabaseAndUsedWhileFresh) {
  robots(test::reply(no_x));
  const std::string db = folder_.path() + "/rules.db";
  EXPECT_EQ(online({"check", "--db", db, "--agent", "FooBot", url("/x")}).status, 1);
  EXPECT_EQ(online({"check", "--db", db, url("/x")}).out, "disallowed\t" + url("/x") + "\n");
  EXPECT_EQ(run({"check", "--db", db, "--offline", url("/y")}).out, "allowed\t" + url("/y") + "\n");
  EXPECT_EQ(asked(), 1U);
}

TEST_F(Network, AskingForAnotherRobotClearsNothingOfTheDatabase) {
  robots(test::reply("User-agent: *\nDisallow: /x\n\nUser-agent: BarBot\nDisallow: /y\n"));
  const std::string db = folder_.path() + "/rules.db";
  EXPECT_EQ(online({"check", "--db", db, "--agent", "FooBot", url("/x")}).status, 1);
  const Ran other = online({"check", "--db", db, "--agent", "BarBot", url("/x"), url("/y")});
  EXPECT_EQ(other.out, "allowed\t" + url("/x") + "\ndisallowed\t" + url("/y") + "\n");
  EXPECT_EQ(asked(), 1U);
  EXPECT_EQ(Json::parse(run({"db", db, "stats", "--json"}).out)["agent"], "FooBot");
  server_.open({.address = "127.0.0.2", .port = port_});
  EXPECT_EQ(online({"check", "--db", db, "--agent", "BarBot", url("/y", "127.0.0.2")}).status, 1);
  EXPECT_EQ(server_.witness().requests().back().header("User-Agent"), "FooBot");
}

// Digits that mean an address as soon as they are brought to ASCII: what is kept is kept by that.
TEST_F(Network, AnotherRobotsRulesAreFoundByANameInUnicodeToo) {
  robots(test::reply("User-agent: *\nDisallow: /x\n\nUser-agent: BarBot\nDisallow: /y\n"));
  const std::string db = folder_.path() + "/rules.db";
  EXPECT_EQ(online({"check", "--db", db, "--agent", "FooBot", url("/x")}).status, 1);
  const std::string spelled = "\uFF11\uFF12\uFF17.0.0.1";
  const Ran other = online({"check", "--db", db, "--agent", "BarBot", url("/x", spelled), url("/y", spelled)});
  EXPECT_EQ(other.out, "allowed\t" + url("/x", spelled) + "\ndisallowed\t" + url("/y", spelled) + "\n") << other.err;
  EXPECT_EQ(asked(), 1U);
}

TEST_F(Network, CheckSaysWhereARobotsTxtWasCut) {
  const std::string limit(512'000, '#');
  for (const auto& [body, cut] : {std::pair{no_x, false}, {no_x + limit + "\n", true}}) {
    robots(test::reply(body));
    const Ran ran = online({"check", "--json", url("/y")});
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(Json::parse(ran.out)["robots"]["truncated"], cut);
  }
}

// --- commands that read one file ------------------------------------------------------------------------------------

TEST_F(Network, RobotsCanBeAUrl) {
  server_.on("", "/elsewhere.txt", test::reply(no_x));
  const Ran ran = online({"check", "--json", "--robots", url("/elsewhere.txt"), "/x", "https://other.example/y"});
  EXPECT_EQ(ran.status, 1) << ran.err;
  const auto lines = lines_of(ran.out);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(Json::parse(lines[0])["access"], "disallowed");
  EXPECT_EQ(Json::parse(lines[0])["robots"]["url"], url("/elsewhere.txt"));
  EXPECT_EQ(Json::parse(lines[0])["robots"]["truncated"], false);
  EXPECT_EQ(Json::parse(lines[1])["access"], "allowed");
  const Json all =
      Json::parse(online({"check", "--json", "--dialect", "all", "--robots", url("/elsewhere.txt"), "/x"}).out);
  EXPECT_EQ(all["robots"]["status"], 200);
}

TEST_F(Network, AUrlWithoutAPathMeansTheRobotsTxtOfTheSite) {
  robots(test::reply(no_x));
  for (const std::string& site : {url(""), url("/")}) {
    const Ran ran = online({"show", site});
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_NE(ran.out.find("Disallow: /x"), std::string::npos) << ran.out;
  }
  EXPECT_EQ(server_.witness().request_count(), 2U);
}

TEST_F(Network, LintDiffAndAgentsReadUrlsToo) {
  robots(test::reply("Disallow: /x\n"));
  const Ran lint = online({"lint", url("/robots.txt")});
  EXPECT_EQ(lint.status, 1);
  EXPECT_EQ(lint.out.rfind(url("/robots.txt") + ":1:1: error: ", 0), 0U) << lint.out;
  EXPECT_EQ(online({"diff", url("/robots.txt"), folder_.file("now", no_x)}).status, 1);
  EXPECT_EQ(online({"agents", url("/robots.txt")}).status, 0);
}

TEST_F(Network, WhatIsNoSuccessIsAnErrorThatSaysWhatItMeans) {
  const struct {
    int status;
    const char* said;
  } cases[] = {{404, "404 Not Found: a robot may then fetch everything (policy rfc9309)"},
               {503, "503 Service Unavailable: a robot waits until the file can be fetched"},
               {206, "206 Partial Content: a robot waits until the file can be fetched"}};
  for (const auto& each : cases) {
    robots(test::status(each.status));
    for (const Words& words : {Words{"check", "--robots", url("/robots.txt"), "/x"}, Words{"show", url("")},
                               Words{"agents", url("/robots.txt")}}) {
      const Ran ran = online(words);
      EXPECT_EQ(ran.status, 2);
      EXPECT_EQ(ran.out, "");
      EXPECT_NE(ran.err.find(each.said), std::string::npos) << ran.err;
    }
  }
  robots(test::status(403));
  const Ran strict = online({"show", "--strict", url("")});
  EXPECT_NE(strict.err.find("a robot may then fetch nothing (policy strict)"), std::string::npos) << strict.err;
}

TEST_F(Network, LintTakesEveryAnswerOfTheServerAsAnAnswer) {
  const struct {
    test::Handler answer;
    const char* code;
    int status;
  } cases[] = {{test::status(404), "[file-unavailable]", 0},
               {test::status(503), "[file-unreachable]", 1},
               {test::Reply{.status = 206, .body = no_x}, "[file-unreachable]", 1},
               {test::reply(no_x, "text/html"), "[wrong-content-type]", 0}};
  for (const auto& each : cases) {
    robots(each.answer);
    const Ran ran = online({"lint", url("")});
    EXPECT_EQ(ran.status, each.status) << ran.err;
    EXPECT_NE(ran.out.find(each.code), std::string::npos) << ran.out;
    EXPECT_EQ(lines_of(ran.out).size(), 2u) << "nothing is said about the body: " << ran.out;
  }
  robots(test::redirect(302, url("/elsewhere")));
  server_.on("", "/elsewhere", test::reply(no_x));
  const Ran moved = online({"lint", "--notes", url("")});
  EXPECT_NE(moved.out.find("[redirected-file]"), std::string::npos) << moved.out;
  EXPECT_EQ(moved.err.find("redirects to"), std::string::npos) << moved.err;
}

TEST_F(Network, AFileBeyondTheLimitIsCutAndThatIsSaid) {
  std::string big = "User-agent: *\nDisallow: /x\n";
  while (big.size() < 600'000) big += "Disallow: /some/path/that/is/long/enough/" + std::to_string(big.size()) + "\n";
  robots(test::reply(big));
  const Ran ran = online({"check", "--json", "--robots", url(""), "/x"});
  EXPECT_EQ(Json::parse(ran.out)["robots"]["truncated"], true);
  EXPECT_NE(ran.err.find("longer than 512000 bytes"), std::string::npos) << ran.err;
  EXPECT_NE(online({"lint", url("")}).out.find("[file-over-limit]"), std::string::npos);
}

TEST_F(Network, AFileInUtf16BeyondTheLimitIsCutAfterAWholeLine) {
  robots(test::reply(test::long_utf16_robots(512'000)));
  const std::string path = "/a\u0A05zzz";
  const Ran ran = online({"check", "--robots", url(""), path, "/x"});
  EXPECT_EQ(ran.out, "allowed\t" + path + "\ndisallowed\t/x\n") << ran.err;
}

TEST_F(Network, UsageErrorsAreStatus2AndAskNobody) {
  const struct {
    Words words;
    const char* said;
  } cases[] = {{{"check", "--timeout", "0", url("/")}, "give a time from 1ms to 1h"},
               {{"check", "--timeout", "soon", url("/")}, "give a time from 1ms to 1h"},
               {{"check", "--policy", "stict", url("/")}, "did you mean strict?"},
               {{"check", "--strict", "--policy", "rfc9309", url("/")}, "two policies"},
               {{"check", "--allow-address", "everywhere", url("/")}, "--allow-address"},
               {{"check", "--allow-address", "8.8.8.8/0", url("/")}, "write \"0.0.0.0/0\""},
               {{"check", "--allow-port", "0", url("/")}, "give a whole number from 1 to 65535"},
               {{"check", "--allow-port", "65536", url("/")}, "give a whole number from 1 to 65535"},
               {{"check", "--from", "me", url("/")}, "\"@\""},
               {{"check", "--agent", "*", url("/")}, "contains no robot name"},
               {{"check", "--offline", url("/")}, "--db"},
               {{"check", "--offline", "--robots", url(""), url("/")}, "--offline"},
               {{"check", "--dialect", "all", url("/")}, "--robots URL"},
               {{"lint", "--timeout=-1", url("/")}, "give a time from 1ms to 1h"}};
  for (const auto& each : cases) {
    const Ran ran = run(each.words);
    EXPECT_EQ(ran.status, 2) << each.said;
    EXPECT_EQ(ran.out, "") << each.said;
    EXPECT_NE(ran.err.find(each.said), std::string::npos) << ran.err;
  }
  EXPECT_EQ(server_.witness().connection_count(), 0U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
