// What get says of sites that must be left alone, and of runs with very many of them.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "cli/get_rig.hpp"
#include "support/archive/fetched.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

class GetWaits : public GetRig {
 protected:
  GetWaits() { page("/*", reply("a page")); }
  void rules(const std::string& lines) { page("/robots.txt", reply("User-agent: *\n" + lines)); }
  // "HHMM" of a time that many minutes from now.
  static std::string clock(std::chrono::minutes from_now) {
    const auto now = std::chrono::floor<std::chrono::minutes>(std::chrono::system_clock::now()) + from_now;
    const auto minutes = (now - std::chrono::floor<std::chrono::days>(now)).count();
    std::string text = std::to_string(10'000 + minutes / 60 * 100 + minutes % 60);
    return text.substr(1);
  }
  static std::size_t count(std::string_view text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
    return found;
  }
};

// The message, the log and the dry run give the cause; the dry run has the same numbers and the same status.
TEST_F(GetWaits, AVisitTimeThatIsTooFarIsNamed) {
  const std::string from = clock(300min), to = clock(360min);
  rules("Visit-time: " + from + "-" + to + "\n");
  const std::string window = "its Visit-time, " + from.substr(0, 2) + ":" + from.substr(2) + " to " + to.substr(0, 2) +
                             ":" + to.substr(2) + " UTC, does not begin until ";
  const Ran ran = get({url("/1"), url("/2"), "--log", in_folder("log"), "-o", in_folder("o.ndjson")});
  EXPECT_EQ(ran.status, 4) << ran.err;
  EXPECT_EQ(count(ran.err, " is left out: " + url("") + " must be left alone: " + window), 1U) << ran.err;
  EXPECT_EQ(ran.err.find("the delay after the last request"), std::string::npos) << ran.err;
  EXPECT_EQ(asked(), std::vector<std::string>());
  for (const char* path : {"/1", "/2"}) {
    const Json line = line_of(in_folder("log"), url(path));
    EXPECT_EQ(line["why"], "parked");
    EXPECT_EQ(line["waited_for"], "visit-time");
    EXPECT_NE(line["try_again_at"].get<std::string>().find(from.substr(0, 2) + ":" + from.substr(2)), std::string::npos)
        << line.dump();
  }
  const Ran dry = get({"-n", url("/1"), url("/2")});
  EXPECT_EQ(dry.status, 4) << dry.err;
  EXPECT_NE(dry.out.find(url("") + "\t0\t0\t0\t2\t0\t0\n"), std::string::npos) << dry.out;
  EXPECT_NE(dry.err.find(url("") + " would be left out: " + window), std::string::npos) << dry.err;
}

TEST_F(GetWaits, ACrawlDelayThatIsTooLongLeavesTheRestOut) {
  rules("Crawl-delay: 7200\n");
  const Words words{url("/1"), url("/2"), url("/3")};
  Words real = words;
  real.insert(real.end(), {"--log", in_folder("log"), "-o", in_folder("o.ndjson")});
  const Ran ran = get(real);
  EXPECT_EQ(ran.status, 4) << ran.err;
  EXPECT_EQ(asked(), std::vector<std::string>{"/1"});
  EXPECT_EQ(count(ran.err, "its Crawl-delay of 7200 s after the last request is not over until "), 1U) << ran.err;
  EXPECT_EQ(line_of(in_folder("log"), url("/3"))["waited_for"], "crawl-delay");
  Words dry = words;
  dry.emplace_back("-n");
  const Ran foretold = get(dry);
  EXPECT_EQ(foretold.status, 4) << foretold.err;
  EXPECT_NE(foretold.out.find(url("") + "\t1\t0\t0\t2\t7200\t0\n"), std::string::npos) << foretold.out;
  EXPECT_NE(foretold.err.find(url("") + ": 2 URLs would be left out: its Crawl-delay of 7200 s"), std::string::npos)
      << foretold.err;
}

TEST_F(GetWaits, TheLogHasEachWaitThatTheSiteAskedFor) {
  rules("Crawl-delay: 0.2\n");
  get({"-o", in_folder("o.ndjson"), "--log", in_folder("log"), url("/1"), url("/2")});
  EXPECT_EQ(line_of(in_folder("log"), url("/1")).count("waited_for"), 0U);
  const Json line = line_of(in_folder("log"), url("/2"));
  EXPECT_EQ(line["waited_for"], "crawl-delay") << line.dump();
  EXPECT_GE(line["waited_ms"].get<int>(), 100) << line.dump();
  rules("");
  get({"-o", in_folder("p.ndjson"), "--log", in_folder("plain"), "--delay", "0.2", url("/1"), url("/2")});
  EXPECT_EQ(line_of(in_folder("plain"), url("/2")).count("waited_for"), 0U) << "the delay of the crawl itself";
}

// As the answer for a page does. Its URLs had failed.
TEST_F(GetWaits, ARobotsTxtThatAsksForALongPauseLeavesItsSiteOut) {
  for (const int code : {429, 503}) {
    const std::string host = "r" + std::to_string(code);
    server.on(host + ".localhost", "/robots.txt", test::status(code, {{"Retry-After", "7200"}}));
    const std::string log = in_folder(host);
    const Ran ran = get({url("/1", host), url("/2", host), "--log", log, "-o", in_folder(host + ".ndjson")});
    EXPECT_EQ(ran.status, 4) << ran.err;
    EXPECT_EQ(count(ran.err, url("", host) + " is left out: robots.txt cannot be fetched: the server answers " +
                                 std::to_string(code) + "; --retry tries it again, from "),
              1U)
        << ran.err;
    EXPECT_NE(ran.err.find("left out              2   their sites ask for a longer wait"), std::string::npos)
        << ran.err;
    const Json line = line_of(log, url("/2", host));
    EXPECT_EQ(line["why"], "parked") << line.dump();
    EXPECT_EQ(line.count("try_again_at"), 1U) << line.dump();
    const Ran dry = get({"-n", url("/1", host), url("/2", host)});
    EXPECT_EQ(dry.status, 4) << dry.err;
    EXPECT_NE(dry.err.find(url("", host) + " would be left out: robots.txt cannot be fetched: the server answers " +
                           std::to_string(code) + "; it may be asked again from "),
              std::string::npos)
        << dry.err;
  }
  EXPECT_EQ(asked(), std::vector<std::string>());
}

TEST_F(GetWaits, OfVeryManySitesThatFailTenAreNamed) {
  std::vector<std::string> urls;
  for (int i = 0; i < 30; ++i) urls.push_back("http://s" + std::to_string(i) + ".localhost:1/");
  for (int i = 0; i < 11; ++i) urls.push_back(url("/busy", "b" + std::to_string(i)));
  page("/busy", status(503, {{"Retry-After", "7200"}}));
  const Ran ran = get({"-i", list(urls), "--log", in_folder("log"), "-o", in_folder("o.ndjson")});
  EXPECT_EQ(ran.status, 3);
  EXPECT_EQ(count(ran.err, ".localhost:1: "), 10U) << ran.err;
  EXPECT_EQ(count(ran.err, "further sites with this message (port-refused) are counted but not reported\n"), 1U);
  EXPECT_EQ(count(ran.err, "robotrules get: 30 sites in all: port-refused\n"), 1U) << ran.err;
  EXPECT_EQ(count(ran.err, " is left out: "), 10U) << ran.err;
  EXPECT_EQ(count(ran.err, "robotrules get: 11 sites in all: left out\n"), 1U) << ran.err;
  EXPECT_EQ(json_lines(in_folder("log")).size(), urls.size());
  const Ran dry = get({"-n", "-i", list(urls)});
  EXPECT_EQ(count(dry.err, ".localhost:1: "), 10U) << dry.err;
  EXPECT_EQ(count(dry.err, "robotrules get: 30 sites in all: port-refused\n"), 1U) << dry.err;
}

TEST_F(GetWaits, ARefusedStartLeavesNoFile) {
  const std::string db = in_folder("new.db");
  const std::string queue = in_folder("queue.db");
  const Words refused[] = {{"--db", db, "-i", in_folder("nosuch"), "-o", in_folder("a.warc")},
                           {"--db", db, "-o", "/nosuch/a.warc", url("/1")},
                           {"--db", "sqlite:" + db, "-o", "/nosuch/a.warc", url("/1")},
                           {"--db", db, "-o", in_folder("a.warc"), "--log", "/nosuch/log", url("/1")},
                           {"--db", db, "-o", in_folder("site/"), "--log", "/nosuch/log", url("/1")},
                           {"--db", db, "-o", in_folder("a.warc"), "--metrics-file", "/nosuch/x.prom", url("/1")},
                           {"--db", db, "--queue", queue, "-o", "/nosuch/a.warc", url("/1")},
                           {"--db", db, "--queue", "/nosuch/q.db", "-o", in_folder("a.warc"), url("/1")},
                           {"--db", db, "-n", "-i", in_folder("nosuch")}};
  for (const Words& words : refused) {
    const Ran ran = get(words);
    EXPECT_EQ(ran.status, 2) << ran.err;
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << ::testing::PrintToString(words);
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) std::filesystem::remove_all(entry);
  }
  // A log whose database was moved away belongs to it.
  std::ofstream(db + "-wal") << "a log";
  EXPECT_EQ(get({"--db", db, "-o", "/nosuch/a.warc", url("/1")}).status, 2);
  EXPECT_EQ(contents(db + "-wal"), "a log");
  std::filesystem::remove(db + "-wal");
  // A database that was there stays, with the jobs of other runs.
  ASSERT_EQ(get({"--db", db, "--job", "mine", "-o", in_folder("a.ndjson"), url("/1")}).status, 0);
  EXPECT_EQ(get({"--db", db, "--job", "other", "-o", "/nosuch/a.warc", url("/1")}).status, 2);
  EXPECT_EQ(get({"--db", db, "--job", "mine"}).status, 0);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
