// One vocabulary: `access` and `status` of a URL are the same in check, in get's log and in its NDJSON.
#include <csignal>

#include "cli/get_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

class GetAccess : public GetRig {
 protected:
  GetAccess() {
    page("/*", reply("a page"));
    server.on("rules.localhost", "/robots.txt", reply("User-agent: *\nDisallow: /no\n"));
    server.on("none.localhost", "/robots.txt", status(404));
    server.on("secret.localhost", "/robots.txt", status(403));
    server.on("down.localhost", "/robots.txt", status(503));
  }
};

TEST_F(GetAccess, IsTheSameInCheckAndGet) {
  for (const char* policy : {"rfc9309", "strict", "robotstxt-rb"}) {
    const std::string log = in_folder(std::string("log-") + policy);
    const std::string out = in_folder(std::string(policy) + ".ndjson");
    const Words urls{url("/yes", "rules"), url("/no", "rules"), url("/x", "none"), url("/x", "secret"),
                     url("/x", "down")};
    Words words = urls;
    words.insert(words.end(), {"--policy", policy, "--max-wait", "1", "--log", log, "-o", out});
    get(words);
    for (const std::string& one : urls) {
      const Ran checked = run({"check", "--json", "--policy", policy, "--allow-address", "127.0.0.0/8", one});
      const Json access = Json::parse(checked.out).at("access");
      EXPECT_EQ(line_of(log, one)["access"], access) << policy << ' ' << one;
      EXPECT_EQ(line_of(out, one)["access"], access) << policy << ' ' << one;
      const bool fetched = line_of(log, one)["why"] == "server";
      EXPECT_TRUE(!fetched || access == "allowed") << policy << ' ' << one;
      EXPECT_EQ(line_of(log, one)["status"], fetched ? 200 : 0) << policy << ' ' << one;
    }
  }
}

TEST_F(GetAccess, ASiteThatAsksToBeLeftAloneIsInTheLogWithItsAnswer) {
  page("/busy", status(429, {{"Retry-After", "7200"}}));
  for (const char* out : {"o.ndjson", "o.warc"}) {
    const std::string log = in_folder(std::string(out) + ".log");
    const std::string site = std::string("a") + out[2];
    const Ran ran = get({url("/busy", site), url("/x", site), "--log", log, "-o", in_folder(out), "--db",
                         in_folder(std::string(out) + ".db")});
    const Json first = line_of(log, url("/busy", site));
    EXPECT_EQ(first["status"], 429) << first.dump();
    EXPECT_EQ(first["why"], "parked");
    EXPECT_EQ(first["access"], "allowed");
    const Json second = line_of(log, url("/x", site));
    EXPECT_EQ(second["status"], 0) << second.dump();
    EXPECT_EQ(second["why"], "parked");
    EXPECT_EQ(second["access"], "allowed");
    EXPECT_NE(ran.err.find("left out              2"), std::string::npos) << ran.err;
    for (const Json& line : {first, second}) EXPECT_TRUE(line.contains("try_again_at")) << line.dump();
    const std::string warning = second["warning"];
    EXPECT_NE(warning.find(" must be left alone: it has asked for a pause until "), std::string::npos) << warning;
    EXPECT_NE(ran.err.find("robotrules get: http://" + site + ".localhost:" + std::to_string(port) +
                           " is left out: the server answers 429; --retry tries it again, from 2"),
              std::string::npos)
        << ran.err;
    EXPECT_NE(ran.err.find("the first until 2"), std::string::npos) << ran.err;
  }
  EXPECT_EQ(times("/busy"), 2U);
  EXPECT_EQ(times("/x"), 0U);
}

// Without Retry-After it is paused for a minute.
TEST_F(GetAccess, AMessageSaysThatASiteIsPaused) {
  page("/busy", status(503));
  const std::string site = "http://a.localhost:" + std::to_string(port);
  Running process(line({url("/busy"), url("/x", "b")}));
  const std::string err = process.read_err_until("no page is requested; next try in ");
  EXPECT_NE(err.find("robotrules get: " + site + ": the server answers 503, so no page is requested; next try in "),
            std::string::npos)
      << err;
  process.signal(SIGINT);
  EXPECT_EQ(process.finish().status, 128 + SIGINT);
}

// One that asks for a wait that the crawl can wait for is tried again.
TEST_F(GetAccess, AShortPauseParksNothing) {
  page("/busy", in_turn({status(429, {{"Retry-After", "1"}}), reply("here")}));
  const Ran ran = get({url("/busy"), "--log", in_folder("log")});
  EXPECT_EQ(ran.out, "here") << ran.err;
  EXPECT_EQ(line_of(in_folder("log"), url("/busy"))["status"], 200);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
