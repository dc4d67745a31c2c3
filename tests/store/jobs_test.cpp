// Jobs: several crawls in one file, each with its own URLs, outputs and claim.
#include <gtest/gtest.h>

#include <filesystem>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "store/sql.hpp"
#include "support/folder.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

constexpr Timestamp noon{std::chrono::days{20'000}};

class Jobs : public testing::Test {
 protected:
  std::unique_ptr<UrlQueue> open(const std::string& job) {
    auto opened = open_url_queue(path, job);
    EXPECT_TRUE(opened.ok()) << opened.error().message;
    return opened.ok() ? std::move(opened).value() : nullptr;
  }
  static std::uint64_t add(UrlQueue& queue, const std::vector<std::string>& urls) {
    std::vector<QueuedUrl> list(urls.size());
    for (std::size_t i = 0; i < urls.size(); ++i) list[i].url = urls[i];
    return queue.add(list).value().added;
  }
  static FinishedUrl failed(std::int64_t id) { return {id, UrlState::failed, {500, "", "", "", noon, 0}}; }
  static std::vector<std::string> urls_of(const UrlQueue& queue) {
    std::vector<std::string> urls;
    EXPECT_TRUE(queue.for_each(std::nullopt, [&](const QueueItem& item) {
      urls.push_back(item.request.url);
      return true;
    }));
    return urls;
  }
  std::string path = new_folder() + "/store.db";
  const std::string page = "https://example.org/1";
  const std::string other_page = "https://example.org/2";
};

TEST_F(Jobs, EachHasItsOwnUrls) {
  const auto one = open("one");
  const auto two = open("two");
  EXPECT_EQ(add(*one, {page, other_page}), 2U);
  EXPECT_EQ(add(*two, {page}), 1U) << "a URL of another job is new";
  EXPECT_EQ(add(*two, {page}), 0U);
  EXPECT_EQ(urls_of(*one), (std::vector{page, other_page}));
  EXPECT_EQ(urls_of(*two), (std::vector{page}));
  EXPECT_EQ(one->counts().value().pending, 2U);
  EXPECT_EQ(two->counts().value().pending, 1U);
  EXPECT_EQ(two->find("GET", other_page).value(), std::nullopt);

  const auto sites = two->sites({}, 10).value();
  ASSERT_EQ(sites.size(), 1U);
  EXPECT_EQ(sites[0].pending, 1U);
  EXPECT_EQ(two->peek(sites[0].id, {}, 10).value().size(), 1U);
  EXPECT_EQ(one->peek(sites[0].id, {}, 10).error().code, "unknown-site");
  EXPECT_TRUE(check_sqlite_store(path).value().problems.empty());
}

TEST_F(Jobs, SettleAndRetryChangeOneJobAlone) {
  const auto one = open("one");
  const auto two = open("two");
  add(*one, {page});
  add(*two, {page});
  const auto mine = one->find("GET", page).value()->id;
  EXPECT_EQ(two->settle(std::vector{failed(mine)}, {}).error().code, "unknown-url");
  ASSERT_TRUE(one->settle(std::vector{failed(mine)}, {}));
  EXPECT_EQ(two->counts().value(), (QueueCounts{.pending = 1}));
  EXPECT_EQ(two->retry_failed().value(), 0U);
  EXPECT_EQ(two->revisit(std::nullopt).value(), 0U);
  EXPECT_EQ(one->counts().value(), (QueueCounts{.failed = 1}));
  EXPECT_EQ(one->retry_failed().value(), 1U);
  EXPECT_EQ(one->counts().value(), (QueueCounts{.pending = 1}));
  EXPECT_TRUE(check_sqlite_store(path).value().problems.empty());
}

TEST_F(Jobs, AnOutputBelongsToOneJob) {
  const auto one = open("one");
  const auto two = open("two");
  ASSERT_TRUE(one->settle({}, OutputPosition{"/a.warc", 7}));
  EXPECT_EQ(two->output_position("/a.warc").value(), std::nullopt);
  const auto refused = two->settle({}, OutputPosition{"/a.warc", 9});
  EXPECT_EQ(refused.error().code, "output-taken");
  EXPECT_NE(refused.error().message.find("job one"), std::string::npos) << refused.error().message;
  EXPECT_EQ(one->output_position("/a.warc").value(), 7U);
  ASSERT_TRUE(two->settle({}, OutputPosition{"/b.warc", 9}));
}

TEST_F(Jobs, EachIsClaimedByItself) {
  const auto one = open("one");
  const auto again = open("one");
  const auto two = open("two");
  ASSERT_TRUE(one->claim());
  EXPECT_TRUE(two->claim());
  EXPECT_EQ(again->claim().error().code, "queue-claimed");
}

// As after a file system has lost the lock: the file -crawl is another file now.
TEST_F(Jobs, SettlesNothingAfterAnotherClaim) {
  const auto one = open("one");
  add(*one, {page});
  ASSERT_TRUE(one->claim());
  std::filesystem::remove(path + "-crawl");
  const auto other = open("one");
  ASSERT_TRUE(other->claim());
  const auto id = one->find("GET", page).value()->id;
  EXPECT_EQ(one->settle(std::vector{failed(id)}, {}).error().code, "claim-lost");
  EXPECT_TRUE(other->settle(std::vector{failed(id)}, {}));
}

TEST_F(Jobs, AreListedWithTheirCountsOutputsAndNotes) {
  const auto one = open("one");
  add(*one, {page, other_page});
  ASSERT_TRUE(one->settle(std::vector{failed(1)}, OutputPosition{"/a.warc", 7}));
  ASSERT_TRUE(one->set_note("delay = 2\n"));
  ASSERT_TRUE(one->claim());
  static_cast<void>(open("two"));
  const auto jobs = list_jobs(path).value();
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(jobs[0].name, "one");
  EXPECT_EQ(jobs[0].counts, (QueueCounts{.pending = 1, .failed = 1}));
  EXPECT_EQ(jobs[0].outputs, std::vector<std::string>{"/a.warc"});
  EXPECT_EQ(jobs[0].note, "delay = 2\n");
  EXPECT_TRUE(jobs[0].is_claimed);
  EXPECT_EQ(jobs[1].name, "two");
  EXPECT_EQ(jobs[1].counts, QueueCounts{});
  EXPECT_FALSE(jobs[1].is_claimed);
  EXPECT_EQ(list_jobs(path + "x").error().code, "store-missing");
}

TEST_F(Jobs, HaveNamesWithoutSpaces) {
  for (const std::string& name : {std::string(), std::string("a b"), std::string("a\n"), std::string("\xFF"),
                                  std::string(201, 'a'), std::string("a#b")}) {
    EXPECT_EQ(open_url_queue(path, name).error().code, "invalid-job") << name;
  }
  EXPECT_TRUE(open_url_queue(path, std::string(200, 'a')).ok());
}

TEST_F(Jobs, AnOlderQueueBecomesTheFirst) {
  {
    const auto queue = open(std::string(default_job));
    add(*queue, {page, other_page});
    ASSERT_TRUE(queue->settle(std::vector{failed(1)}, OutputPosition{"/a.warc", 7}));
  }
  run_sql(path, back_to_version_5);
  EXPECT_TRUE(check_sqlite_store(path).value().problems.empty());
  const auto jobs = list_jobs(path).value();
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_EQ(jobs[0].name, default_job);
  const auto queue = open(std::string(default_job));
  EXPECT_EQ(queue->counts().value(), (QueueCounts{.pending = 1, .failed = 1}));
  EXPECT_EQ(queue->output_position("/a.warc").value(), 7U);
  EXPECT_EQ(add(*queue, {page, other_page}), 0U);
  EXPECT_EQ(add(*open("new"), {page}), 1U);
  EXPECT_TRUE(check_sqlite_store(path).value().problems.empty());
}

TEST_F(Jobs, AreRescuedFromADamagedFile) {
  {
    const auto one = open("one");
    const auto two = open("two");
    add(*one, {page, other_page});
    add(*two, {page});
    ASSERT_TRUE(one->settle(std::vector{failed(1)}, {}));
    ASSERT_TRUE(one->set_note("mine"));
  }
  run_sql(path, "UPDATE queue_site SET pending = 7");
  EXPECT_FALSE(check_sqlite_store(path).value().problems.empty());
  ASSERT_TRUE(check_sqlite_store(path, true).ok());
  EXPECT_TRUE(check_sqlite_store(path).value().problems.empty());
  EXPECT_EQ(open("one")->counts().value(), (QueueCounts{.pending = 1, .failed = 1}));
  EXPECT_EQ(open("one")->note().value(), "mine");
  EXPECT_EQ(open("two")->counts().value(), (QueueCounts{.pending = 1}));
  EXPECT_EQ(list_jobs(path).value().size(), 2U);

  run_sql(path, "UPDATE job SET name = '' WHERE name = 'two'");
  EXPECT_FALSE(check_sqlite_store(path).value().problems.empty());
  EXPECT_EQ(open_url_queue(path, "one").value()->counts().value().failed, 1U);
  ASSERT_TRUE(check_sqlite_store(path, true).ok());
  EXPECT_EQ(open("job-2")->counts().value(), (QueueCounts{.pending = 1}));
}

// --- removal ---------------------------------------------------------------------------------------------------------

std::string problems_of(const std::string& path) {
  std::string all;
  for (const std::string& problem : check_sqlite_store(path).value().problems) all += problem + "\n";
  return all;
}

TEST_F(Jobs, ARemovedOneLeavesTheOthersAsTheyAre) {
  const auto before = open("before");
  const auto after = open("after");
  {
    const auto queue = open("removed");
    add(*before, {page});
    add(*queue, {page, other_page});
    add(*after, {page});
    add(*queue, {"https://b.example/1"});
    ASSERT_TRUE(queue->settle(std::vector{failed(2)}, OutputPosition{"/a.warc", 7}));
    ASSERT_TRUE(queue->set_note("mine"));
  }
  const auto removed = remove_job(path, "removed");
  ASSERT_TRUE(removed.ok()) << removed.error().message;
  EXPECT_EQ(removed.value().name, "removed");
  EXPECT_EQ(removed.value().counts, (QueueCounts{.pending = 2, .failed = 1}));
  EXPECT_EQ(removed.value().outputs, std::vector<std::string>{"/a.warc"});
  EXPECT_EQ(removed.value().note, "mine");
  EXPECT_FALSE(removed.value().is_claimed);
  EXPECT_EQ(problems_of(path), "");
  EXPECT_EQ(list_jobs(path).value().size(), 2U);
  EXPECT_EQ(remove_job(path, "removed").error().code, "unknown-job");

  const auto reopened = open("before");
  for (UrlQueue* const other : {before.get(), after.get(), reopened.get()}) {
    EXPECT_EQ(urls_of(*other), std::vector{page});
    EXPECT_EQ(add(*other, {page}), 0U);
  }
  EXPECT_EQ(add(*before, {other_page}), 1U);
  EXPECT_EQ(add(*open("after"), {page, other_page}), 1U);
  EXPECT_TRUE(after->settle({}, OutputPosition{"/a.warc", 1})) << "its outputs belong to no job";
  EXPECT_EQ(problems_of(path), "");
}

TEST_F(Jobs, ARemovedOneCanBeMadeAgain) {
  const auto stale = open("one");
  add(*stale, {page});
  ASSERT_TRUE(remove_job(path, "one"));
  const auto again = open("one");
  EXPECT_EQ(again->counts().value(), QueueCounts{});
  EXPECT_EQ(add(*again, {page, other_page}), 2U);
  EXPECT_EQ(problems_of(path), "");

  // An object that still has the removed one changes nothing.
  const QueuedUrl url{page};
  EXPECT_EQ(stale->add({&url, 1}).error().code, "unknown-job");
  EXPECT_EQ(stale->claim().error().code, "unknown-job");
  EXPECT_EQ(stale->counts().error().code, "unknown-job");
  EXPECT_EQ(stale->set_note("x").error().code, "unknown-job");
  EXPECT_EQ(stale->settle({}, OutputPosition{"/a.warc", 7}).error().code, "unknown-job");
  EXPECT_EQ(again->counts().value().pending, 2U);
  EXPECT_EQ(problems_of(path), "");
}

TEST_F(Jobs, OneWithAWorkerIsNotRemoved) {
  auto queue = open("one");
  add(*queue, {page});
  ASSERT_TRUE(queue->claim());
  EXPECT_EQ(remove_job(path, "one").error().code, "queue-claimed");
  EXPECT_EQ(queue->counts().value().pending, 1U);
  queue.reset();
  EXPECT_TRUE(remove_job(path, "one"));
  EXPECT_EQ(remove_job(path + "x", "one").error().code, "store-missing");
}

TEST_F(Jobs, ALargeOneIsRemovedInPartsAndTheRestIsMended) {
  auto other = open("other");
  std::vector<std::string> urls;
  for (int i = 0; i < 30'000; ++i) {
    urls.push_back("https://s" + std::to_string(i % 50) + ".example/" + std::to_string(i));
  }
  {
    const auto queue = open("large");
    EXPECT_EQ(add(*queue, urls), urls.size());
    add(*other, {page});
    EXPECT_EQ(add(*queue, {page}), 1U);
  }
  EXPECT_EQ(remove_job(path, "large").value().counts.pending, urls.size() + 1);
  EXPECT_EQ(add(*other, {page, other_page}), 1U);
  EXPECT_EQ(problems_of(path), "");
  other.reset();
  run_sql(path, "UPDATE queue_site SET pending = 7");
  ASSERT_TRUE(check_sqlite_store(path, true).ok());
  EXPECT_EQ(urls_of(*open("other")), (std::vector{page, other_page}));
  EXPECT_EQ(problems_of(path), "");
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
