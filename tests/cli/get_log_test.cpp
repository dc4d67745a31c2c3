// The log of robotrules get beside its output: whatever ends a run, each URL is in both once.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "cli/get_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

namespace fs = std::filesystem;
using test::reply;
using test::status;

class Logged : public GetRig {
 protected:
  Logged() { page("/*", reply("a page")); }

  Ran crawl(const std::vector<std::string>& urls, const std::string& out) const {
    Words words = urls;
    words.insert(words.end(),
                 {"--output", in_folder(out), "--log", log, "--db", db, "--job", std::string(default_job)});
    return get(words);
  }
  // What a run leaves behind that was killed after it had written these pages and before it settled any.
  void was_killed(const std::vector<std::string>& urls, const std::string& out) const {
    Words words = urls;
    words.insert(words.end(), {"--output", in_folder(out), "--log", log});
    ASSERT_EQ(get(words).status, 0);
    const auto queue = open_url_queue(db);
    ASSERT_TRUE(queue.ok());
    std::vector<QueuedUrl> queued;
    for (const std::string& one : urls) queued.push_back({one, "GET", {}, 0});
    ASSERT_TRUE(queue.value()->add(queued).ok());
    ASSERT_TRUE(queue.value()->settle({}, OutputPosition{in_folder(out), 0}).ok());
    ASSERT_TRUE(queue.value()->settle({}, OutputPosition{log, 0}).ok());
  }
  std::vector<std::string> logged() const {
    std::vector<std::string> urls;
    for (const Json& line : json_lines(log)) urls.push_back(line.at("url"));
    std::sort(urls.begin(), urls.end());
    return urls;
  }

  const std::string log = in_folder("log.ndjson");
  const std::string db = in_folder("c.db");
};

TEST_F(Logged, APageWhoseLineCannotBeWrittenIsInTheOutputOnceAndGetsItsLineLater) {
  for (const std::string out : {"a.warc", "a.warc.gz", "a.ndjson"}) {
    fs::remove(log);
    fs::remove(db);
    const std::vector<std::string> urls{url("/1?" + out), url("/2?" + out)};
    fs::create_symlink("/dev/full", log);
    const Ran full = crawl(urls, out);
    EXPECT_EQ(full.status, 2);
    EXPECT_NE(full.err.find(log + " cannot be written: No space left on device"), std::string::npos) << full.err;
    fs::remove(log);
    EXPECT_EQ(crawl(urls, out).status, 0);
    EXPECT_EQ(logged(), urls);
    if (out == "a.ndjson") {
      EXPECT_EQ(json_lines(in_folder(out)).size(), 2U);
    } else {
      EXPECT_EQ(pages_in(in_folder(out), out == "a.warc" ? Packing::none : Packing::gzip).pages, urls);
    }
    EXPECT_EQ(times("/1?" + out), 1U);
  }
}

TEST_F(Logged, AResumedCrawlNamesNoURLTwice) {
  for (const std::string out : {"tree/", "a.warc", "a.ndjson"}) {
    fs::remove(log);
    fs::remove(db);
    const std::string first = url("/1?" + out.substr(0, 4));
    const std::string second = url("/2?" + out.substr(0, 4));
    was_killed({first}, out);
    EXPECT_EQ(crawl({first, second}, out).status, 0);
    EXPECT_EQ(logged(), (std::vector<std::string>{first, second}));
    EXPECT_EQ(times("/1?" + out.substr(0, 4)), 1U);
  }
}

TEST_F(Logged, ALineThatWasBeingWrittenIsCutOff) {
  const std::string first = url("/1");
  was_killed({first}, "tree/");
  std::ofstream(log, std::ios::app) << R"({"url":"http://a.localhost/torn)";
  EXPECT_EQ(crawl({first, url("/2")}, "tree/").status, 0);
  EXPECT_EQ(logged(), (std::vector<std::string>{first, url("/2")}));
}

TEST_F(Logged, APageThatOnlyTheOutputHasGetsALineWithWhatIsKnown) {
  const std::string first = url("/1");
  was_killed({first}, "a.warc");
  fs::resize_file(log, 0);
  EXPECT_EQ(crawl({first}, "a.warc").status, 0);
  const Json line = line_of(log, first);
  EXPECT_EQ(line["status"], 200);
  EXPECT_EQ(line["method"], "GET");
  EXPECT_EQ(line["why"], "server");
  EXPECT_EQ(line["bytes"], 6);
  EXPECT_EQ(line["recovered"], true);
  EXPECT_TRUE(line.contains("received_at"));
  EXPECT_EQ(times("/1"), 1U);
}

TEST_F(Logged, LinesThatAnotherCrawlWroteSettleNothing) {
  EXPECT_EQ(crawl({url("/1")}, "tree/").status, 0);
  EXPECT_EQ(get({url("/2"), "--output", in_folder("other/"), "--log", log}).status, 0);
  EXPECT_EQ(crawl({url("/1"), url("/2")}, "tree/").status, 0);
  EXPECT_EQ(times("/2"), 2U);
}

TEST_F(Logged, TheLogCanBeStandardOutput) {
  page("/gone", test::status(404));
  const Words words = {url("/1"), url("/gone"), "--output", in_folder("tree/"), "--log", "-", "--db", db};
  const Ran ran = get(words);
  EXPECT_EQ(ran.status, 3) << ran.err;
  const auto lines = lines_of(ran.out);
  ASSERT_EQ(lines.size(), 2U) << ran.out;
  EXPECT_EQ(Json::parse(lines[0])["url"], url("/1"));
  EXPECT_EQ(Json::parse(lines[0])["status"], 200);
  EXPECT_EQ(Json::parse(lines[1])["status"], 404);
  EXPECT_NE(ran.err.find("fetched "), std::string::npos) << ran.err;
  EXPECT_FALSE(fs::exists("-"));
  const Ran again = get(words);  // a log that cannot be resumed, and a job that can
  EXPECT_EQ(again.status, 3) << again.err;
  EXPECT_EQ(again.out, "");
  EXPECT_EQ(times("/1"), 1U);
}

TEST_F(Logged, TheLogAndThePagesDoNotShareStandardOutput) {
  for (const Words& output : {Words{}, Words{"--output", "-"}}) {
    Words words = {url("/1"), "--log", "-"};
    words.insert(words.end(), output.begin(), output.end());
    const Ran ran = get(words);
    EXPECT_EQ(ran.status, 2);
    EXPECT_NE(ran.err.find("--log - and the pages cannot both go to standard output"), std::string::npos) << ran.err;
    EXPECT_EQ(ran.out, "");
  }
  EXPECT_EQ(times("/1"), 0U);
}

TEST_F(Logged, WithoutAReaderOfTheLogTheRunEnds) {
  const test::Gate gate;
  page("/slow", test::Script().wait(gate).send(reply("slow")).keep());
  Running process(line({url("/slow"), "--output", in_folder("tree/"), "--log", "-"}));
  process.close_out();
  gate.open();
  EXPECT_EQ(process.finish().status, 141);
}

TEST_F(Logged, ALogThatWasPutAsideBeginsAnew) {
  EXPECT_EQ(crawl({url("/1")}, "tree/").status, 0);
  fs::remove(log);
  EXPECT_EQ(crawl({url("/1"), url("/2")}, "tree/").status, 0);
  EXPECT_EQ(logged(), std::vector<std::string>{url("/2")});
}

TEST_F(Logged, NamesTheFilesOfATree) {
  page("/*", reply("."));
  get({url("/p/1"), url("/p"), "--output", in_folder("tree/"), "--log", log});
  for (const char* path : {"/p/1", "/p"}) {
    const std::string file = line_of(log, url(path))["file"];
    EXPECT_TRUE(fs::is_regular_file(in_folder("tree/") + file)) << file;
  }
  EXPECT_NE(line_of(log, url("/p"))["file"], line_of(log, url("/p/1"))["file"]);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
