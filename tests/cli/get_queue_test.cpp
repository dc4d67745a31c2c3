// What get and db say about the queue of a job: URLs that are removed, repeated or have failed, and lost outputs.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "cli/get_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

class GetQueue : public GetRig {
 protected:
  GetQueue() { page("/*", reply("a page")); }
  std::string db() const { return in_folder("c.db"); }
  Ran go(Words words) const {
    words.insert(words.begin(), {"--db", db(), "--job", "j"});
    return get(std::move(words));
  }
  Ran queue(Words words) const {
    words.insert(words.begin(), {"db", db(), "queue"});
    return run(words);
  }
};

TEST_F(GetQueue, ADeviceTakesBodiesAndBelongsToNoJob) {
  for (const char* job : {"one", "two"}) {
    const Ran ran = get({"--db", db(), "--job", job, "-o", "/dev/null", url("/1")});
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_TRUE(holds(ran.err, "/dev/null")) << ran.err;
  }
  EXPECT_EQ(times("/1"), 2U);
  const Ran full = get({"-o", "/dev/full", url("/1")});
  EXPECT_EQ(full.status, 2);
  EXPECT_TRUE(holds(full.err, "/dev/full cannot be written: No space left on device")) << full.err;

  const std::string pipe = in_folder("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  EXPECT_EQ(get({"-o", pipe, url("/1")}).status, 0);
  std::string body(64, '\0');
  body.resize(static_cast<std::size_t>(std::max<ssize_t>(::read(reader, body.data(), body.size()), 0)));
  ::close(reader);
  EXPECT_EQ(body, "a page");
}

TEST_F(GetQueue, AFolderThatIsGoneIsNamed) {
  const std::string folder = in_folder("tree/");
  ASSERT_EQ(go({"-o", folder, url("/1"), url("/2")}).status, 0);
  EXPECT_FALSE(holds(go({"-o", folder, url("/1")}).err, "missing"));
  std::filesystem::remove_all(folder);
  const Ran ran = go({"-o", folder, url("/1")});
  EXPECT_EQ(ran.status, 0);
  EXPECT_TRUE(
      holds(ran.err, "the folder " + folder + " of this job is missing, with the pages of 2 URLs that are done"))
      << ran.err;
  EXPECT_FALSE(holds(go({"-o", in_folder("other/"), url("/1")}).err, "missing")) << "another folder is a new one";
}

TEST_F(GetQueue, LinesWithTheSameURLAndOtherHeadersAreCounted) {
  const auto with = [&](const std::string& path, const std::string& value) {
    return R"({"url":")" + url(path) + R"(","headers":{"X":")" + value + "\"}}";
  };
  const std::string input = list({with("/1", "a"), with("/1", "b"), with("/1", "a"), url("/1"), url("/2"), url("/2"),
                                  R"({"url":")" + url("/2") + R"(","method":"HEAD"})"});
  const Ran ran = go({"-i", input, "-o", in_folder("a.ndjson")});
  EXPECT_TRUE(holds(ran.err, "2 lines have URLs of an earlier line or run, but other headers")) << ran.err;
  EXPECT_EQ(times("/1"), 1U);
  EXPECT_EQ(times("/2"), 2U) << "another method is another request";
  const Ran again = go({"-i", list({with("/1", "a"), url("/2")}), "-o", in_folder("a.ndjson")});
  EXPECT_FALSE(holds(again.err, "other headers")) << again.err;
  const Ran quiet = go({"-i", list({url("/1")}), "-o", in_folder("a.ndjson"), "-q"});
  EXPECT_EQ(quiet.err, "");
}

TEST_F(GetQueue, URLsAreRemovedFromAJob) {
  ASSERT_EQ(go({"-o", in_folder("a.ndjson"), url("/1"), url("/2"), url("/3")}).status, 0);
  const Ran unknown = queue({"rm", "--job", "j", url("/1"), url("/4")});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_TRUE(holds(unknown.err, "the job j does not have the URL " + url("/4") + "; nothing was removed"))
      << unknown.err;
  EXPECT_EQ(list_jobs(db()).value().at(0).counts.done, 3U);

  const Ran removed = queue({"rm", "--job", "j", url("/1") + "#part", url("/2")});
  EXPECT_EQ(removed.status, 0) << removed.err;
  EXPECT_EQ(removed.err, "robotrules db: removed 2 URLs from the job j; pages in its outputs stay\n");
  EXPECT_EQ(list_jobs(db()).value().at(0).counts, (QueueCounts{.done = 1}));
  ASSERT_EQ(go({"-o", in_folder("a.ndjson"), url("/1"), url("/3")}).status, 0);
  EXPECT_EQ(times("/1"), 2U);
  EXPECT_EQ(times("/3"), 1U);
  EXPECT_EQ(run({"db", db(), "check"}).status, 0);

  EXPECT_EQ(queue({"rm", url("/1")}).status, 2) << "the job must be named";
  EXPECT_EQ(queue({"ls", url("/1")}).status, 2);
  EXPECT_EQ(run({"db", db(), "show", "https://a.test", "https://b.test"}).status, 2);
}

TEST_F(GetQueue, TheQueueKeepsWhyAURLFailed) {
  server.on("b.localhost:" + std::to_string(port), "/robots.txt", status(500));
  const Words words{"-o", in_folder("a.ndjson"), "--tries", "1", "--max-wait", "1s", url("/1", "b"), url("/gone")};
  page("/gone", status(404));
  ASSERT_EQ(go(words).status, 3);
  const auto failed = [&] { return queue({"ls", "--state", "failed"}).out; };
  const std::string first = failed();
  EXPECT_TRUE(holds(first, "\t" + url("/1", "b") + "\t" + url("/1", "b") + ": robots.txt cannot be fetched")) << first;
  EXPECT_TRUE(holds(first, "failed\t404\tserver\t" + url("/gone") + "\n")) << first;
  EXPECT_TRUE(holds(queue({"export", "--state", "failed"}).out, R"("warning":")" + url("/1", "b")))
      << "for get --input";
}

TEST_F(GetQueue, AFailureThatIsNotTriedAgainKeepsItsCause) {
  const std::string dead = url_of(server.refuse(), "/1");
  const Words words{"-o", in_folder("a.ndjson"), "--tries", "1", "--max-wait", "1s", dead};
  ASSERT_EQ(go(words).status, 3);
  const std::string first = queue({"ls"}).out;
  EXPECT_TRUE(holds(first, "robots.txt cannot be fetched (")) << first;
  Words again = words;
  again.emplace_back("--retry");
  const Ran ran = go(again);
  EXPECT_TRUE(holds(ran.err, "too early")) << ran.err;
  EXPECT_EQ(queue({"ls"}).out, first);
}

TEST_F(GetQueue, TheSummaryCountsFailuresOfEarlierRuns) {
  page("/gone", status(404));
  ASSERT_EQ(go({"-o", in_folder("a.ndjson"), url("/gone")}).status, 3);
  const Ran ran = go({"-o", in_folder("a.ndjson"), url("/1")});
  EXPECT_EQ(ran.status, 3);
  EXPECT_TRUE(holds(ran.err, "earlier               1   failed, cut or left out in earlier runs of the job"))
      << ran.err;
  EXPECT_TRUE(holds(ran.err, "--retry")) << ran.err;
}

TEST_F(GetQueue, AReadOnlyDatabaseIsRead) {
  if (geteuid() == 0) GTEST_SKIP() << "root can write everywhere; store_tests read such files as another user";
  ASSERT_EQ(go({"-o", in_folder("a.ndjson"), url("/1")}).status, 0);
  ASSERT_EQ(chmod(db().c_str(), 0400), 0);
  ASSERT_EQ(chmod(folder.path().c_str(), 0500), 0);
  const Words actions[] = {{"ls"},          {"show", url("/")}, {"stats"}, {"jobs"},
                           {"queue", "ls"}, {"why", url("/")},  {"export"}};
  for (const Words& action : actions) {
    Words words{"db", db()};
    words.insert(words.end(), action.begin(), action.end());
    const Ran ran = run(words);
    EXPECT_EQ(ran.status, 0) << action.front() << ": " << ran.err;
    EXPECT_NE(ran.out, "") << action.front();
  }
  ASSERT_EQ(chmod(folder.path().c_str(), 0700), 0);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
