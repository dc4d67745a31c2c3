// Jobs of robotrules get: several crawls in one database, each with its own URLs and outputs.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <functional>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "cli/get_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using test::reply;
using test::Script;

class GetJob : public GetRig {
 protected:
  GetJob() { page("/*", reply(".")); }
  std::string db() const { return in_folder("c.db"); }
  Ran go(Words words) const {
    words.insert(words.begin(), {"--db", db()});
    return get(std::move(words));
  }
  std::vector<std::string> pages(const std::string& output) const {
    return pages_in(in_folder(output), Packing::none).pages;
  }
  std::vector<QueueJob> jobs() const { return list_jobs(db()).value(); }
};

TEST_F(GetJob, PagesOfOneJobDoNotGoIntoTheOutputOfAnother) {
  const test::Gate gate;
  page("/slow", Script().wait(gate).send(reply("slow")).keep());
  const Words first = line({"--db", db(), "-o", in_folder("a.warc"), url("/slow"), url("/1"), url("/2")});
  Running process(first);
  ASSERT_TRUE(gate.wait_reached(1));
  process.signal(SIGKILL);
  process.finish();
  gate.open();

  const Ran other = go({"-o", in_folder("b.warc"), url("/3")});
  EXPECT_EQ(other.status, 0) << other.err;
  EXPECT_EQ(pages("b.warc"), std::vector<std::string>{url("/3")});
  EXPECT_EQ(other.err.find("of an earlier run"), std::string::npos) << other.err;

  const Ran again = run(first);
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_NE(again.err.find("3 URLs of an earlier run are to go (job a.localhost_"), std::string::npos) << again.err;
  EXPECT_EQ(pages("a.warc"), (std::vector<std::string>{url("/slow"), url("/1"), url("/2")}));
  ASSERT_EQ(jobs().size(), 2U);
}

TEST_F(GetJob, TwoProcessesCrawlTwoJobsOfOneDatabase) {
  const test::Gate gate;
  page("/slow", Script().wait(gate).send(reply("slow")).keep());
  Running process(line({"--db", db(), "-o", in_folder("a.warc"), url("/slow")}));
  ASSERT_TRUE(gate.wait_reached(1));
  EXPECT_TRUE(jobs().at(0).is_claimed);
  EXPECT_EQ(go({"-o", in_folder("b.warc"), url("/1", "b")}).status, 0);
  const Ran same = go({"-o", in_folder("a.warc"), url("/slow")});
  EXPECT_EQ(same.status, 2);
  EXPECT_NE(same.err.find("Another process is crawling this job"), std::string::npos) << same.err;
  gate.open();
  EXPECT_EQ(process.finish().status, 0);
  EXPECT_EQ(pages("a.warc"), std::vector<std::string>{url("/slow")});
  EXPECT_EQ(pages("b.warc"), std::vector<std::string>{url("/1", "b")});
  EXPECT_FALSE(jobs().at(0).is_claimed);
}

TEST_F(GetJob, AnotherOutputIsAnotherJob) {
  EXPECT_EQ(go({"-o", in_folder("a.warc"), url("/1")}).status, 0);
  EXPECT_EQ(go({"-o", in_folder("b.warc"), url("/1")}).status, 0);
  EXPECT_EQ(pages("b.warc"), std::vector<std::string>{url("/1")});
  EXPECT_EQ(times("/1"), 2U);
}

TEST_F(GetJob, GoesOnWithAnotherOutputIfItsOwnIsLost) {
  EXPECT_EQ(go({"--job", "mine", "-o", in_folder("a.warc"), url("/1")}).status, 0);
  std::filesystem::remove(in_folder("a.warc"));
  const Ran lost = go({"--job", "mine", "-o", in_folder("a.warc"), url("/2")});
  EXPECT_EQ(lost.status, 2);
  EXPECT_NE(lost.err.find("a.warc is missing, but "), std::string::npos) << lost.err;
  EXPECT_NE(lost.err.find("--job NAME"), std::string::npos) << lost.err;
  EXPECT_EQ(go({"--job", "mine", "-o", in_folder("b.warc"), url("/2")}).status, 0);
  EXPECT_EQ(go({"--job", "mine", url("/3")}).status, 0);
  EXPECT_EQ(times("/1"), 1U);
  EXPECT_EQ(pages("b.warc"), std::vector<std::string>{url("/2")});
}

TEST_F(GetJob, AnOutputOfAnotherJobIsRefusedWithItsName) {
  EXPECT_EQ(go({"--job", "mine", "-o", in_folder("a.warc"), url("/1")}).status, 0);
  const Ran refused = go({"--job", "other", "-o", in_folder("a.warc"), url("/2")});
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("belongs to the job mine"), std::string::npos) << refused.err;
  EXPECT_EQ(pages("a.warc"), std::vector<std::string>{url("/1")});
  EXPECT_EQ(times("/2"), 0U);
}

TEST_F(GetJob, TheOutputNamesTheJob) {
  EXPECT_EQ(go({"--job", "mine", "-o", in_folder("a.warc"), url("/1")}).status, 0);
  EXPECT_EQ(go({"-o", in_folder("a.warc"), url("/2")}).status, 0);
  EXPECT_EQ(pages("a.warc"), (std::vector<std::string>{url("/1"), url("/2")}));
  EXPECT_EQ(jobs().size(), 1U);
}

TEST_F(GetJob, GoesOnByItsNameAloneWithTheFlagsThatItKeeps) {
  const test::Gate gate;
  page("/slow", Script().wait(gate).send(reply("slow")).keep());
  Running process(line({"--db", db(), "--job", "mine", "-o", in_folder("a.warc"), "--log", in_folder("a.log"),
                        url("/slow"), url("/2")}));
  ASSERT_TRUE(gate.wait_reached(1));
  process.signal(SIGKILL);
  process.finish();
  gate.open();
  const Ran ran = run({"get", "--db", db(), "--job", "mine"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(pages("a.warc"), (std::vector<std::string>{url("/slow"), url("/2")}));
  EXPECT_EQ(json_lines(in_folder("a.log")).size(), 2U);
  EXPECT_EQ(run({"get", "--db", db()}).status, 0) << "the only job of the database";
}

TEST_F(GetJob, OneUrlIsToGo) {
  const test::Gate gate;
  page("/slow", Script().wait(gate).send(reply("slow")).keep());
  const Words words = line({"--db", db(), "--job", "mine", "-o", in_folder("a.warc"), url("/slow")});
  Running process(words);
  ASSERT_TRUE(gate.wait_reached(1));
  process.signal(SIGKILL);
  process.finish();
  gate.open();
  const Ran ran = run(words);
  EXPECT_NE(ran.err.find("1 URL of an earlier run is to go (job mine)"), std::string::npos) << ran.err;
}

TEST_F(GetJob, TheSummarySaysTheCommandThatGoesOn) {
  page("/gone", test::status(404));
  const Ran ran = go({"--job", "it's", "-o", in_folder("a.warc"), url("/gone")});
  EXPECT_NE(ran.err.find("robotrules get --db " + db() + " --job 'it'\\''s' --retry"), std::string::npos) << ran.err;
}

TEST_F(GetJob, ARepeatedRunSaysWhatFetchesItsURLsAgain) {
  const Words words{"--job", "mine", "-o", in_folder("a.warc"), url("/1"), url("/2")};
  const std::string sentence = "2 URLs were done in earlier runs; --revisit fetches them again.";
  EXPECT_EQ(go(words).err.find(sentence), std::string::npos);
  const Ran again = go(words);
  EXPECT_EQ(again.status, 0);
  EXPECT_NE(again.err.find(sentence), std::string::npos) << again.err;
  EXPECT_EQ(times("/1"), 1U);
  const Ran by_name = go({"--job", "mine"});
  EXPECT_NE(by_name.err.find("nothing is to go in the job mine; --revisit fetches its URLs again"), std::string::npos)
      << by_name.err;
  Words revisit = words;
  revisit.emplace_back("--revisit");
  EXPECT_EQ(go(revisit).err.find("in earlier runs"), std::string::npos);
  EXPECT_EQ(times("/1"), 2U);
}

TEST_F(GetJob, OneThatDoesNotExistIsNotMadeByItsName) {
  EXPECT_EQ(go({"--job", "mine", "-o", in_folder("a.warc"), url("/1")}).status, 0);
  const Ran ran = run({"get", "--db", db(), "--job", "mien"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("has no job mien; it has: mine"), std::string::npos) << ran.err;
  EXPECT_EQ(jobs().size(), 1U);

  EXPECT_EQ(go({"--job", "other", "-o", in_folder("b.warc"), url("/1")}).status, 0);
  const Ran which = run({"get", "--db", db()});
  EXPECT_EQ(which.status, 2);
  EXPECT_NE(which.err.find("choose one with --job: mine, other"), std::string::npos) << which.err;
  EXPECT_EQ(run({"get", "--job", "mine", url("/1")}).status, 2);
  EXPECT_EQ(go({"--job", "two words", url("/1")}).status, 2);
}

TEST_F(GetJob, OneThatIsDoneMakesNoEmptyOutput) {
  EXPECT_EQ(go({"--job", "mine", "-o", in_folder("a.warc"), url("/1")}).status, 0);
  const Ran ran = go({"--job", "mine", "-o", in_folder("b.warc.gz")});
  EXPECT_EQ(ran.status, 0);
  EXPECT_NE(ran.err.find("nothing is to go in the job mine"), std::string::npos) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(in_folder("b.warc.gz")));
}

TEST_F(GetJob, ARunWithNothingToDoSaysWhyItsStatusIs3) {
  page("/gone", test::status(404));
  const Words words{"--job", "mine", "-o", in_folder("a.warc"), url("/1"), url("/gone")};
  const std::string total = "robotrules get: job mine: 2 URLs: 1 fetched, 1 failed\n";
  EXPECT_EQ(go(words).err.find(total), std::string::npos) << "the summary of the first run has all";
  const Ran again = go(words);
  EXPECT_EQ(again.status, 3);
  EXPECT_NE(again.err.find(total), std::string::npos) << again.err;
  const Ran named = run({"get", "--db", db(), "--job", "mine"});
  EXPECT_EQ(named.status, 3);
  EXPECT_NE(named.err.find(total), std::string::npos) << named.err;
  EXPECT_NE(
      named.err.find("To fetch failed, cut and left-out URLs: robotrules get --db " + db() + " --job mine --retry"),
      std::string::npos)
      << named.err;
}

TEST_F(GetJob, TheQueueOfAJobIsListedByState) {
  page("/gone", test::status(404));
  go({"--job", "mine", "-o", in_folder("a.warc"), url("/gone"), url("/1")});
  go({"--job", "other", "-o", in_folder("b.warc"), url("/3")});

  const Ran all = run({"db", db(), "jobs"});
  EXPECT_EQ(all.status, 0);
  EXPECT_EQ(all.out, "mine\tfinished\t0 pending\t1 done\t0 denied\t1 failed\t0 left out\t0 cut\t" +
                         in_folder("a.warc") +
                         "\nother\tfinished\t0 pending\t1 done\t0 denied\t0 failed\t0 left out\t0 cut\t" +
                         in_folder("b.warc") + "\n");
  const std::string json = run({"db", db(), "jobs", "--json"}).out;
  const Json first = Json::parse(json.substr(0, json.find('\n')));
  EXPECT_EQ(first["urls"]["failed"], 1);
  EXPECT_EQ(first["flags"]["output"], in_folder("a.warc"));

  EXPECT_EQ(run({"db", db(), "queue", "ls", "--job", "mine", "--state", "failed"}).out,
            "failed\t404\tserver\t" + url("/gone") + "\n");
  const Ran lines = run({"db", db(), "queue", "export", "--job", "other"});
  EXPECT_EQ(Json::parse(lines.out)["url"], url("/3"));
  EXPECT_EQ(Json::parse(lines.out)["state"], "done");
  EXPECT_NE(run({"db", db(), "stats"}).out.find("jobs: 2\nurls: 3\n"), std::string::npos);

  const Ran which = run({"db", db(), "queue", "ls"});
  EXPECT_EQ(which.status, 2);
  EXPECT_NE(which.err.find("choose one with --job: mine, other"), std::string::npos) << which.err;
  const Ran state = run({"db", db(), "queue", "ls", "--job", "mine", "--state", "lost"});
  EXPECT_EQ(state.status, 2);
  EXPECT_NE(state.err.find("use one of pending, done, denied, failed, parked, cut"), std::string::npos) << state.err;
  EXPECT_EQ(run({"db", db(), "queue", "tree"}).status, 2);
  EXPECT_EQ(run({"db", in_folder("none.db"), "jobs"}).status, 2);
}

TEST_F(GetJob, AUrlWithoutAResponseHasNoBytes) {
  server.on("none.localhost", "/robots.txt", reply("User-agent: *\nDisallow: /\n"));
  go({"--job", "mine", "-o", in_folder("a.warc"), url("/x", "none")});
  const Json exported = Json::parse(run({"db", db(), "queue", "export"}).out);
  EXPECT_EQ(exported["state"], "denied");
  EXPECT_FALSE(exported.contains("bytes")) << exported.dump();
  EXPECT_FALSE(exported.contains("status")) << exported.dump();
}

TEST_F(GetJob, ARunThatCannotBeginLeavesNothing) {
  const std::string nowhere = in_folder("none/");
  const std::string address = "127.0.0.1:" + std::to_string(port);  // the server of the test listens there
  const std::vector<Words> refused{{"-o", nowhere + "a.warc", "--log", in_folder("a.log")},
                                   {"-o", in_folder("a.warc"), "--log", nowhere + "a.log"},
                                   {"-o", in_folder("tree/"), "--log", nowhere + "a.log"},
                                   {"-o", in_folder("a.warc"), "--metrics", address, "--log", in_folder("a.log")},
                                   {"-o", in_folder("a.warc"), "--metrics-file", nowhere + "a.prom"}};
  for (Words words : refused) {
    words.push_back(url("/1"));
    const Ran ran = go(words);
    EXPECT_EQ(ran.status, 2) << ran.err;
    EXPECT_EQ(run({"db", db(), "jobs"}).out, "") << ran.err;
    for (const char* name : {"a.warc", "a.log", "tree"})
      EXPECT_FALSE(std::filesystem::exists(in_folder(name))) << ran.err;
  }
  EXPECT_EQ(go({"--job", "mine", "-o", in_folder("a.warc"), url("/1")}).status, 0);
  EXPECT_EQ(go({"--job", "mine", "-o", in_folder("none/") + "a.warc", url("/2")}).status, 2);
  ASSERT_EQ(jobs().size(), 1U) << "one that has begun stays";
  EXPECT_EQ(jobs()[0].counts.done, 1U);
}

TEST_F(GetJob, AFileThatIsMovedOrDeletedDuringTheRunIsAnError) {
  namespace fs = std::filesystem;
  struct Case {
    std::string file;
    std::function<void(const std::string& path)> change;
  };
  const auto move = [](const std::string& path) { fs::rename(path, path + ".moved"); };
  const auto replace = [](const std::string& path) {
    fs::copy(path, path + ".copy"), fs::rename(path + ".copy", path);
  };
  const auto remove = [](const std::string& path) { fs::remove(path); };
  const Case cases[] = {{"c.db", move},     {"c.db", replace},     {"c.db", remove},    {"a.warc", move},
                        {"a.warc", remove}, {"a.ndjson", replace}, {"a.ndjson", remove}};
  for (const auto& [file, change] : cases) {
    const std::string own = in_folder("own");
    fs::remove_all(own);
    fs::create_directory(own);
    const test::Gate gate;
    page("/slow", Script().wait(gate).send(reply("slow")).keep());
    const std::string output = own + (file == "c.db" ? "/a.warc" : "/" + file);
    Running process(line({"-q", "--db", own + "/c.db", "-o", output, url("/1"), url("/slow")}));
    ASSERT_TRUE(gate.wait_reached(1));
    change(own + "/" + file);
    gate.open();
    const Ran ran = process.finish();
    EXPECT_EQ(ran.status, 2) << file << ran.err;
    EXPECT_NE(ran.err.find(file + " is no longer the file that was opened"), std::string::npos) << file << ran.err;
  }
}

TEST_F(GetJob, AnOutputThatIsMovedBackLosesNoPage) {
  const test::Gate gate;
  page("/slow", Script().wait(gate).send(reply("slow")).keep());
  const Words words = line({"--db", db(), "-o", in_folder("a.warc"), url("/slow")});
  Running process(words);
  ASSERT_TRUE(gate.wait_reached(1));
  std::filesystem::rename(in_folder("a.warc"), in_folder("b.warc"));
  gate.open();
  EXPECT_EQ(process.finish().status, 2);
  std::filesystem::rename(in_folder("b.warc"), in_folder("a.warc"));
  EXPECT_EQ(run(words).status, 0);
  EXPECT_EQ(pages("a.warc"), std::vector<std::string>{url("/slow")});
  EXPECT_EQ(times("/slow"), 1U);
}

TEST_F(GetJob, OneIsRemovedByItsName) {
  page("/gone", test::status(404));
  go({"--job", "mine", "-o", in_folder("a.warc"), url("/gone"), url("/1")});
  go({"--job", "other", "-o", in_folder("b.warc"), url("/1")});
  for (const Words& words : std::vector<Words>{{}, {"--job", "mien"}, {"--job", "mine", "--state", "failed"}}) {
    Words line{"db", db(), "queue", "rm"};
    line.insert(line.end(), words.begin(), words.end());
    EXPECT_EQ(run(line).status, 2);
    EXPECT_EQ(jobs().size(), 2U);
  }
  const Ran removed = run({"db", db(), "queue", "rm", "--job", "mine"});
  EXPECT_EQ(removed.status, 0) << removed.err;
  EXPECT_EQ(removed.out,
            "mine\tfinished\t0 pending\t1 done\t0 denied\t1 failed\t0 left out\t0 cut\t" + in_folder("a.warc") + "\n");
  EXPECT_NE(removed.err.find("removed the job mine with 2 URLs; the files of its outputs stay"), std::string::npos)
      << removed.err;
  EXPECT_EQ(pages("a.warc").size(), 2U);
  ASSERT_EQ(jobs().size(), 1U);
  EXPECT_EQ(jobs()[0].name, "other");
  EXPECT_EQ(run({"db", db(), "check"}).status, 0);
}

TEST_F(GetJob, ARunningOneIsNotRemoved) {
  const test::Gate gate;
  page("/slow", Script().wait(gate).send(reply("slow")).keep());
  Running process(line({"--db", db(), "--job", "mine", "-o", in_folder("a.warc"), url("/slow")}));
  ASSERT_TRUE(gate.wait_reached(1));
  const Ran refused = run({"db", db(), "queue", "rm", "--job", "mine"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("Another process is crawling this job"), std::string::npos) << refused.err;
  gate.open();
  EXPECT_EQ(process.finish().status, 0);
  EXPECT_EQ(pages("a.warc"), std::vector<std::string>{url("/slow")});
}

TEST_F(GetJob, AnExportedQueueIsAListForAnotherCrawl) {
  page("/gone", test::status(404));
  const std::string odd =
      "{\"url\":\"" + url("/gone") + "\",\"method\":\"HEAD\",\"headers\":{\"Accept\":\"a/b\"},\"priority\":7}\n";
  EXPECT_EQ(get({"--db", db(), "--job", "mine", "-o", in_folder("a.warc"), "--input", "-"}, odd + url("/1")).status, 3);
  const Ran failed = run({"db", db(), "queue", "export", "--job", "mine", "--state", "failed"});
  page("/gone", reply("back"));
  const Ran again = go({"--job", "again", "-o", in_folder("b.warc"), "--input", list({failed.out})});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(pages("b.warc"), std::vector<std::string>{url("/gone")});

  const auto strip = [](const std::string& line) {
    Json object = Json::parse(line);
    for (const char* result : {"state", "status", "why", "at", "bytes"}) object.erase(result);
    return object;
  };
  const Ran exported = run({"db", db(), "queue", "export", "--job", "again"});
  EXPECT_EQ(strip(exported.out), strip(failed.out)) << "method, header fields and priority are the same";
  EXPECT_NE(get({"--input", "-"}, "{\"url\":\"" + url("/1") + "\",\"prioriti\":7}\n").err.find("prioriti"),
            std::string::npos);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
