// Requests that fail without an answer: which are tried again, and what is said of them meanwhile.
#include <netdb.h>

#include <algorithm>

#include "cli/get_rig.hpp"
#include "cli/terminal.hpp"
#include "http/curl/name_check.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

class GetFailures : public GetRig {
 protected:
  static std::size_t count(std::string_view text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
    return found;
  }
};

// Without --allow-address. Each of these runs would take three minutes if the failure were taken for a temporary one.
TEST_F(GetFailures, ARefusedAddressIsFinalAndTheFlagIsNamed) {
  const std::string site = "http://127.0.0.1:" + std::to_string(port);
  const Ran ran = run({"get", "--from", "me@example.org", "--log", in_folder("log"), site + "/x", site + "/y"});
  EXPECT_EQ(count(ran.err, "robotrules get: " + site + ": robots.txt cannot be fetched: the address 127.0.0.1:" +
                               std::to_string(port) + " is not allowed; --allow-address permits it\n"),
            1U)
      << ran.err;
  EXPECT_NE(ran.err.find("failed                2   2 address-refused\n"), std::string::npos) << ran.err;
  EXPECT_EQ(ran.err.find("retried"), std::string::npos) << ran.err;
  for (const char* page : {"/x", "/y"}) {
    const Json line = line_of(in_folder("log"), site + page);
    EXPECT_EQ(line["why"], "address-refused");
    EXPECT_EQ(line["warning"].get<std::string>().find("--allow-address"), std::string::npos) << line.dump();
  }
  EXPECT_EQ(server.witness().request_count(), 0U);
}

TEST_F(GetFailures, TheNextRunWithTheFlagAsksAtOnce) {
  const std::string page_url = "http://127.0.0.1:" + std::to_string(port) + "/x";
  page("/x", reply("x"));
  const Words words{"get", "--from", "me@example.org", "--db", in_folder("db"), "--delay", "0"};
  Words first = words;
  first.push_back(page_url);
  run(first);
  Words again = words;
  again.insert(again.end(), {"--retry", "--allow-address", "127.0.0.0/8"});
  const Ran ran = run(again);
  EXPECT_EQ(ran.out, "x") << ran.err;
  EXPECT_EQ(ran.err.find("next try in"), ran.err.find("next try in 0:0")) << ran.err;
}

TEST_F(GetFailures, ARedirectToARefusedAddressDoesNotBlameItsOwnSite) {
  page("/x", test::redirect(302, "http://10.0.0.1/x"));
  const Ran ran = get({url("/x")});
  EXPECT_NE(ran.err.find("robotrules get: " + url("") +
                         ": a page is redirected to http://10.0.0.1: robots.txt cannot be "
                         "fetched: the address 10.0.0.1:80 is not allowed; --allow-address permits it\n"),
            std::string::npos)
      << ran.err;
  EXPECT_NE(ran.err.find("1 address-refused\n"), std::string::npos) << ran.err;
}

// The second run asks nothing: the database knows how long the server wants to be left alone.
TEST_F(GetFailures, AURLThatIsLeftOutAgainKeepsTheStatusOfItsServer) {
  page("/busy", test::status(503, {{"Retry-After", "7200"}}));
  const Words words{"--db", in_folder("c.db"), "--job", "j", "-o", in_folder("a.warc"), url("/busy"), url("/2")};
  const Words list{"db", in_folder("c.db"), "queue", "export", "--job", "j"};
  EXPECT_EQ(get(words).status, 4);
  const auto busy = [&] {
    for (const std::string& one : lines_of(run(list).out)) {
      Json item = Json::parse(one);
      if (item["url"] == url("/busy")) return item;
    }
    return Json();
  };
  const Json first = busy();
  EXPECT_EQ(first["status"], 503) << first.dump();
  Words again = words;
  again.emplace_back("--retry");
  EXPECT_EQ(get(again).status, 4);
  EXPECT_EQ(times("/busy"), 1U);
  const Json second = busy();
  for (const char* member : {"status", "at", "bytes"}) EXPECT_EQ(second[member], first[member]) << second.dump();
  EXPECT_NE(second["warning"].get<std::string>().find(url("/busy")), std::string::npos) << second.dump();
}

// A site that gives no answer pauses for 5 s and longer.
TEST_F(GetFailures, APageWithoutAnAnswerFailsAtOnceIfNoPauseIsWaitedFor) {
  page("/torn", test::Script().send("HTTP/1.1 200 OK\r\n").reset());
  const std::pair<const char*, Words> runs[] = {{"a", {"--tries", "1"}}, {"b", {"--max-wait", "1"}}};
  for (const auto& [site, flags] : runs) {
    Words words = flags;
    words.push_back(url("/torn", site));
    const Ran ran = get(words);
    EXPECT_EQ(ran.status, 3) << ran.err;
    EXPECT_NE(ran.err.find("1 network\n"), std::string::npos) << ran.err;
  }
  EXPECT_EQ(times("/torn"), 2U);
}

TEST_F(GetFailures, ACertificateThatDoesNotVerifyIsFinal) {
  const std::uint16_t secure = server.open({.tls = test::TlsOptions{}});
  const Ran ran = get({test::url_of(secure, "/x", "a.localhost", "https")});
  EXPECT_NE(ran.err.find("1 certificate-not-verified\n"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find(": robots.txt cannot be fetched: SSL certificate problem"), std::string::npos) << ran.err;
  EXPECT_EQ(ran.err.find("retried"), std::string::npos) << ran.err;
}

TEST_F(GetFailures, AnUnknownNameIsFinal) {
  if (agent::name_lookup(AddressFamily::any)("nosuch.invalid") != EAI_NONAME)
    GTEST_SKIP() << "this machine has no name server";
  const Ran ran = get({"http://nosuch.invalid/x"});
  EXPECT_NE(ran.err.find("robotrules get: http://nosuch.invalid: robots.txt cannot be fetched: the host nosuch.invalid "
                         "does not exist or has no address\n"),
            std::string::npos)
      << ran.err;
  EXPECT_NE(ran.err.find("1 name-unknown\n"), std::string::npos) << ran.err;
  EXPECT_EQ(ran.err.find("retried"), std::string::npos) << ran.err;
}

TEST_F(GetFailures, ADryRunSaysWhyToo) {
  const std::string site = "http://127.0.0.1:" + std::to_string(port);
  const Ran ran = run({"get", "--dry-run", "--from", "me@example.org", site + "/x", site + "/y"});
  EXPECT_EQ(count(ran.err, "is not allowed; --allow-address permits it\n"), 1U) << ran.err;
}

TEST_F(GetFailures, EveryLineOfTheLogHasAnAccess) {
  const std::string odd = "http://a.localhost:1/x";
  get({odd, "--log", in_folder("log"), "-o", in_folder("o.ndjson")});
  EXPECT_EQ(line_of(in_folder("log"), odd)["why"], "port-refused");
  EXPECT_EQ(line_of(in_folder("log"), odd)["access"], "unknown");
}

TEST_F(GetFailures, ExplainSaysThatAnUnreachableSiteIsNotFetched) {
  server.on("a.localhost", "/robots.txt", Reply{.status = 503});
  const Ran ran = get({url("/x"), "--explain", "--max-wait", "1"});
  EXPECT_NE(ran.err.find("(the server answers 503), so no page of the site is fetched ["), std::string::npos)
      << ran.err;
}

TEST_F(GetFailures, TheUserAgentIsAgent) {
  const Ran ran = get({url("/x"), "--user-agent", "Bot/1"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("unknown option --user-agent; did you mean --agent?"), std::string::npos) << ran.err;
}

TEST_F(GetFailures, QuietSaysOnlyHowManyThereAre) {
  page("/good", reply("a page"));
  page("/bad", status(404));
  page("/busy", status(429, {{"Retry-After", "7200"}}));
  server.on("b.localhost", "/robots.txt", reply("User-agent: *\nDisallow: /\n"));
  const std::string db = in_folder("quiet.db");
  const Words words{"--quiet", "--db", db, "--job", "j", "-o", in_folder("quiet.ndjson"), url("/good")};
  const auto with = [&words](Words more) {
    more.insert(more.begin(), words.begin(), words.end());
    return get(more);
  };
  EXPECT_EQ(with({}).err, "");
  const Ran denied = with({url("/x", "b"), "--fail-on", "denied"});
  EXPECT_EQ(denied.status, 1);
  EXPECT_EQ(denied.err, "robotrules get: job j: 2 URLs: 1 fetched, 1 denied\n");
  EXPECT_EQ(with({}).err, "");
  const Ran left_out = with({url("/busy", "c")});
  EXPECT_EQ(left_out.status, 4);
  EXPECT_EQ(left_out.err, "robotrules get: job j: 3 URLs: 1 fetched, 1 denied, 1 left out\n");
  const std::string all = "robotrules get: job j: 4 URLs: 1 fetched, 1 denied, 1 failed, 1 left out\n";
  EXPECT_EQ(with({url("/bad")}).err, all);
  EXPECT_EQ(get({"--quiet", "--db", db, "--job", "j"}).err, all);  // nothing is to go
  const std::string site = "http://127.0.0.1:" + std::to_string(port);
  const Ran refused = run({"get", "--quiet", "--from", "me@example.org", site + "/x"});
  EXPECT_EQ(refused.err, "robotrules get: 1 URL: 0 fetched, 1 failed\n");
}

// Before the first page has come, the delay between the pages of a site tells the least time.
TEST_F(GetFailures, TheFirstTimeLeftCountsTheDelay) {
  const test::Gate gate;
  page("/*", Script().wait(gate).send(reply("x")).keep());
  Words words = line({"-o", in_folder("o.ndjson"), "--delay", "100"});
  for (int i = 0; i < 20; ++i) words.push_back(url("/" + std::to_string(i)));
  std::string first;
  run_on_terminal(words, 80, 24, [&](const Screen& screen) {
    const std::string text = screen.text();
    if (!first.empty() || text.find(" left\n") == std::string::npos) return "";
    first = text;
    gate.open();
    return "\x03";
  });
  EXPECT_NE(first.find("0 of 20 URLs, 31:40 left\n"), std::string::npos) << first;
}

// A robots.txt that answers 503 is tried again after a minute: the display says so, and the time left counts it.
TEST_F(GetFailures, TheDisplaySaysWhatIsWaitedFor) {
  server.on("a.localhost", "/robots.txt", Reply{.status = 503});
  const std::string site = "http://a.localhost:" + std::to_string(port);
  const std::string told =
      "robotrules get: " + site + ": robots.txt cannot be fetched: the server answers 503; next try in 1:0";
  for (const std::size_t columns : {80U, 120U}) {
    const Words words = line({"-o", in_folder("o" + std::to_string(columns) + ".ndjson"), site + "/x", site + "/y"});
    bool seen = false;
    const OnTerminal ran = run_on_terminal(words, columns, 24, [&](const Screen& screen) {
      const std::string text = screen.text();
      std::string joined = text;
      joined.erase(std::remove(joined.begin(), joined.end(), '\n'), joined.end());
      if (seen || text.find(" until the next try of ") == std::string::npos ||
          text.find(" left\n") == std::string::npos) {
        return "";
      }
      EXPECT_NE(joined.find(told), std::string::npos) << text;
      EXPECT_NE(text.find(" until the next try of " + site + "/robots.txt"), std::string::npos) << text;
      EXPECT_TRUE(text.find("1:0") != std::string::npos) << text;
      seen = true;
      return "\x03";
    });
    EXPECT_TRUE(seen) << ran.written;
    EXPECT_EQ(ran.status, 130) << ran.written;
    EXPECT_FALSE(ran.screen.confused()) << ran.written;
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
