// A whole User-Agent header as the robot's name: check, batch, show and get read the same name out of it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/get_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using Json = nlohmann::json;

struct HeaderCase {
  std::string header;
  std::string robot;
};

const std::vector<HeaderCase>& header_cases() {
  static const std::vector<HeaderCase> cases = {
      {"Mozilla/5.0 (compatible; FooBot/1.0; +https://foo.example/)", "FooBot"},
      {"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.1; +https://openai.com/gptbot",
       "GPTBot"},
      {"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 "
       "Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)",
       "Applebot"},
      {"Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) "
       "Chrome/126.0.6478.126 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
       "Googlebot"},
      {"Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Firefox/115.0", "Mozilla"},
      {"MJ12bot/v1.4.8 (http://mj12bot.com/)", "MJ12bot"},
  };
  return cases;
}

// Lets in everybody but the robot that is meant, and keeps "Mozilla" out where it is not.
std::string robots_for(const std::string& robot) {
  std::string robots = "User-agent: " + robot + "\nDisallow: /own/\n\n";
  if (robot != "Mozilla") robots += "User-agent: Mozilla\nDisallow: /mozilla/\n";
  return robots;
}

class AgentHeader : public GetRig {};

TEST_F(AgentHeader, MeansTheSameRobotToCheckBatchShowAndGet) {
  for (const auto& [header, robot] : header_cases()) {
    const std::string robots = robots_for(robot);
    const std::string file = folder.file("robots.txt", robots);
    const Ran check = run({"check", "--robots", file, "--agent", header, "/own/", "/mozilla/"});
    EXPECT_EQ(check.out, "disallowed\t/own/\nallowed\t/mozilla/\n") << header;
    EXPECT_NE(check.err.find("is read as the robot " + robot), std::string::npos) << check.err;

    const Json question = {{"url", "/own/"}, {"agent", header}, {"robots", robots}};
    const Ran batch = run({"batch"}, question.dump() + "\n");
    const Json answer = Json::parse(batch.out);
    EXPECT_EQ(answer["access"], "disallowed") << header;
    EXPECT_EQ(answer["robot"], robot);
    EXPECT_EQ(answer["agent"], header);
    EXPECT_EQ(batch.err, "");

    const Ran show = run({"show", "--json", "--agent", header, file});
    EXPECT_EQ(Json::parse(show.out)["for"]["agent"], robot);
  }
}

TEST_F(AgentHeader, IsSentAsItIsByGetWhichObeysItsRobot) {
  const std::string header = header_cases().front().header;
  server.on("", "/robots.txt", test::reply(robots_for("FooBot")));
  page("/own/x", test::reply("own"));
  page("/mozilla/x", test::reply("mozilla"));
  const Ran ran = get({"--agent", header, url("/own/x"), url("/mozilla/x"), "--db", in_folder("a.db")});
  EXPECT_EQ(ran.out, "mozilla") << ran.err;
  EXPECT_NE(ran.err.find("is read as the robot FooBot"), std::string::npos) << ran.err;
  for (const test::SeenRequest& seen : server.witness().requests()) EXPECT_EQ(seen.header("User-Agent"), header);
}

TEST_F(AgentHeader, MayBeOfARobotThatIsNamedApart) {
  server.on("", "/robots.txt", test::reply("User-agent: MJ12bot\nDisallow: /own/\n"));
  page("/own/x", test::reply("own"));
  page("/x", test::reply("page"));
  const Ran ran = get({"--agent", "Majestic/2 (crawler)", "--robot", "MJ12bot", url("/own/x"), url("/x")});
  EXPECT_EQ(ran.out, "page") << ran.err;
  EXPECT_EQ(server.witness().requests().back().header("User-Agent"), "Majestic/2 (crawler)");

  const std::string file = folder.file("robots.txt", "User-agent: 360Spider\nDisallow: /\n");
  EXPECT_EQ(run({"check", "--robots", file, "--robot", "360Spider", "/"}).out, "disallowed\t/\n");
  EXPECT_EQ(Json::parse(run({"show", "--json", "--robot", "360Spider", file}).out)["for"]["agent"], "360Spider");
}

TEST_F(AgentHeader, ThatNamesNoRobotIsRefused) {
  const std::string file = folder.file("robots.txt", "User-agent: *\nDisallow: /\n");
  for (const std::string agent : {"", "*", "(+https://foo.example/)"}) {
    const std::vector<std::vector<std::string>> lines = {
        {"check", "--robots", file, "--agent", agent, "/"},
        {"check", "--agent", agent, url("/")},
        {"batch", "--agent", agent},
        {"show", "--agent", agent, file},
        {"get", "--from", "me@example.org", "--agent", agent, url("/")},
        {"diff", "--agent", agent, file, file},
        {"check", "--robots", file, "--robot", agent + "*", "/"}};
    for (const auto& line : lines) {
      const Ran ran = run(line);
      EXPECT_EQ(ran.status, 2) << line[0] << " " << agent;
      EXPECT_EQ(ran.out, "");
      EXPECT_NE(ran.err.find("contains no robot name"), std::string::npos) << ran.err;
    }
    const Json question = {{"url", "/"}, {"agent", agent}, {"robots", "User-agent: *\nDisallow: /\n"}};
    const Ran batch = run({"batch"}, question.dump() + "\n");
    EXPECT_EQ(batch.status, 2);
    EXPECT_NE(Json::parse(batch.out)["error"].get<std::string>().find("contains no robot name"), std::string::npos);
  }
  EXPECT_EQ(server.witness().connection_count(), 0U);
}

TEST_F(AgentHeader, WithAVersionAloneIsNothingToSpeakOf) {
  const std::string file = folder.file("robots.txt", "User-agent: FooBot\nDisallow: /\n");
  const Ran ran = run({"check", "--robots", file, "--agent", "FooBot/1.0", "/"});
  EXPECT_EQ(ran.out, "disallowed\t/\n");
  EXPECT_EQ(ran.err, "");
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
