// robotrules get --dry-run: robots.txt files are fetched, pages are not.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "cli/get_site.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

class GetDryRun : public GetSite {
 protected:
  static std::vector<std::string> cells(const std::string& line) {
    std::vector<std::string> found;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, '\t');) found.push_back(cell);
    return found;
  }
  // All but the time, which hangs on when the robots.txt came.
  static std::string but_the_time(const std::string& line) { return line.substr(0, line.rfind('\t')); }
};

TEST_F(GetDryRun, SaysOfEachSiteWhatWouldBeAndAsksForNoPage) {
  server_.on("b.localhost", "/robots.txt", test::reply("User-agent: *\nCrawl-delay: 20\nRequest-rate: 1/10\n"));
  server_.on("c.localhost", "/robots.txt", test::status(500));
  server_.on("d.localhost", "/robots.txt", test::status(403));
  server_.on("e.localhost", "/robots.txt", test::reply("User-agent: TestBot\nRequest-rate: 1/30\n"));
  const Ran ran =
      run(get({"-n", "-w", "10", "-o", in_folder("o.warc"), url("a", "/1"), url("a", "/2"), url("a", "/3"),
               url("a", "/no/1"), url("b", "/1"), url("b", "/2"), url("c", "/1"), url("d", "/no/1"), url("e", "/1")}));
  EXPECT_EQ(ran.status, 3) << ran.err;
  const auto lines = lines_of(ran.out);
  ASSERT_EQ(lines.size(), 7U) << ran.out;
  EXPECT_EQ(lines[0], "site\tto fetch\tdenied\tfailed\tleft out\tdelay\tseconds");
  EXPECT_EQ(but_the_time(lines[1]), url("a", "") + "\t3\t1\t0\t0\t10");
  EXPECT_EQ(but_the_time(lines[2]), url("b", "") + "\t2\t0\t0\t0\t20");
  EXPECT_EQ(but_the_time(lines[3]), url("c", "") + "\t0\t0\t1\t0\t10");
  EXPECT_EQ(but_the_time(lines[4]), url("d", "") + "\t1\t0\t0\t0\t10");
  EXPECT_EQ(but_the_time(lines[5]), url("e", "") + "\t1\t0\t0\t0\t30");
  EXPECT_EQ(but_the_time(lines[6]), "total\t7\t1\t1\t0\t-");
  const auto time = [&](std::size_t line) { return std::stol(cells(lines[line]).at(6)); };
  EXPECT_TRUE(time(1) >= 20 && time(1) <= 30) << lines[1];
  EXPECT_TRUE(time(2) >= 20 && time(2) <= 40) << lines[2];
  EXPECT_EQ(time(3), 0) << lines[3];
  EXPECT_EQ(time(6), std::max({time(1), time(2), time(5)}));
  EXPECT_NE(ran.err.find("9 URLs of 5 sites: 7 would be fetched, 1 denied, 1 would fail, 0 left out; in 0:"),
            std::string::npos)
      << ran.err;
  EXPECT_EQ(pages_asked(), 0U);
  EXPECT_FALSE(std::filesystem::exists(in_folder("o.warc")));
}

TEST_F(GetDryRun, IsContentWhereAllMayBeFetched) {
  const Ran ran = run(get({"-n", "-q", url("a", "/1")}));
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err, "");
}

// The statuses have one order, and a dry run ends with that of the crawl: failed 3, left out 4, denied 1, else 0.
TEST_F(GetDryRun, TheStatusIsThatOfTheCrawl) {
  server_.on("", "/*", test::reply("page"));
  server_.on("b.localhost", "/robots.txt", test::status(500));
  server_.on("c.localhost", "/robots.txt", test::status(429, {{"Retry-After", "7200"}}));
  const std::string good = url("a", "/1"), denied = url("a", "/no/1"), failed = url("b", "/1"), left = url("c", "/1");
  const struct {
    Words words;
    int status;
  } cases[] = {{{good}, 0},
               {{good, denied}, 0},
               {{"--fail-on", "denied", good}, 0},
               {{"--fail-on", "denied", good, denied}, 1},
               {{good, left}, 4},
               {{"--fail-on", "denied", left, denied}, 4},
               {{good, failed}, 3},
               {{"--fail-on", "denied", left, denied, failed}, 3}};
  for (const auto& one : cases) {
    for (const bool dry : {true, false}) {
      Words words{"-q", "-w", "0", "--tries", "1", "-o", in_folder("o.ndjson")};
      if (dry) words.emplace_back("-n");
      words.insert(words.end(), one.words.begin(), one.words.end());
      const Ran ran = run(get(words));
      EXPECT_EQ(ran.status, one.status) << dry << ::testing::PrintToString(one.words) << ran.err;
    }
  }
}

// With a job, the status is that of all its URLs, as after the run.
TEST_F(GetDryRun, TheStatusCountsWhatTheJobHasAlready) {
  server_.on("", "/bad", test::status(404));
  server_.on("", "/1", test::reply("page"));
  const Words job{"-q", "-w", "0", "--db", in_folder("c.db"), "--job", "mine", "-o", in_folder("o.ndjson")};
  const auto with = [&job](Words more) {
    more.insert(more.end(), job.begin(), job.end());
    return run(get(more)).status;
  };
  ASSERT_EQ(with({url("a", "/bad")}), 3);
  EXPECT_EQ(with({"-n", url("a", "/1")}), 3);
  EXPECT_EQ(with({}), 3);
}

TEST_F(GetDryRun, ExplainsWhatIsDenied) {
  server_.on("b.localhost", "/robots.txt", test::status(500));
  const Ran ran = run(get({"-n", "-q", "--explain", url("a", "/no/x"), url("a", "/yes"), url("b", "/1")}));
  EXPECT_EQ(ran.status, 3);
  EXPECT_NE(ran.err.find("robotrules get: " + url("a", "/no/x") +
                         ": disallowed by \"Disallow: /no\" in line 2, of the group for every robot (*), line 1 [" +
                         url("a", "/robots.txt") + "]\n"),
            std::string::npos)
      << ran.err;
  EXPECT_NE(ran.err.find(url("b", "/1") + ": robots.txt cannot be fetched"), std::string::npos) << ran.err;
  EXPECT_EQ(lines_of(ran.err).size(), 2U) << ran.err;
}

TEST_F(GetDryRun, MakesNoJobAndKeepsRobotsTxt) {
  server_.on("", "/page", test::reply("page"));
  const std::string db = in_folder("c.db");
  const Words urls{url("a", "/page"), url("b", "/page")};
  ASSERT_EQ(run(get({"-n", "--db", db, urls[0], urls[1]})).status, 0);
  EXPECT_EQ(pages_asked(), 0U);
  EXPECT_EQ(run({"db", db, "jobs"}).out, "");
  const Ran ran = run(get({"-w", "0", "--db", db, "-o", in_folder("o.ndjson"), urls[0], urls[1]}));
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(pages_asked(), 2U);
  EXPECT_EQ(server_.witness().requests("/robots.txt").size(), 2U);  // still fresh
}

TEST_F(GetDryRun, AddsItsUrlsToAJobThatExists) {
  server_.on("", "/*", test::reply("page"));
  const Words job{"-w", "0", "--db", in_folder("c.db"), "--job", "mine", "-o", in_folder("o.ndjson")};
  const auto with = [&job](Words more) {
    more.insert(more.end(), job.begin(), job.end());
    return run(get(more));
  };
  ASSERT_EQ(with({url("a", "/1")}).status, 0);
  ASSERT_EQ(with({"-n", url("a", "/2")}).status, 0);
  EXPECT_EQ(pages_asked(), 1U);
  EXPECT_EQ(with({}).status, 0);
  EXPECT_EQ(pages_asked(), 2U);
}

TEST_F(GetDryRun, AsksManySitesAtOnceAndEachOnce) {
  constexpr std::size_t sites = 300;
  const test::Gate gate;
  server_.on("s0.localhost", "/robots.txt", test::Script().wait(gate).send(test::reply("")).keep());
  std::string urls;
  for (std::size_t page = 0; page < 40; ++page) {
    for (std::size_t i = 0; i < sites; ++i) urls += url("s" + std::to_string(i), "/" + std::to_string(page)) + "\n";
  }
  Running process(get({"-n", "-c", "100", "-i", folder_.file("urls", urls)}));
  ASSERT_TRUE(server_.witness().wait_for(sites));  // the first is not waited for
  gate.open();
  std::string out;
  char buffer[4'096];
  for (ssize_t count = 0; (count = ::read(process.out(), buffer, sizeof buffer)) > 0;) {
    out.append(buffer, static_cast<std::size_t>(count));
  }
  Ran ran;
  process.wait(ran);
  EXPECT_EQ(ran.status, 0);
  const auto lines = lines_of(out);
  ASSERT_EQ(lines.size(), sites + 2);
  for (std::size_t i = 0; i < sites; ++i) {  // in the order they were given in
    EXPECT_EQ(but_the_time(lines[i + 1]), url("s" + std::to_string(i), "") + "\t40\t0\t0\t0\t1");
  }
  EXPECT_EQ(server_.witness().request_count(), sites);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
