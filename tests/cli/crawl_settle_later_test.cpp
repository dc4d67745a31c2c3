// CrawlOptions::settle_later: a page stays pending until the program ends it, from any thread.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include <robotrules/open_store.hpp>

#include "cli/crawl_rig.hpp"
#include "support/queue_decorator.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

// The pages that on_page got, for another thread.
class Inbox {
 public:
  void put(const FetchedPage& page) {
    {
      const std::lock_guard lock(mutex_);
      pages_.emplace_back(page.id, page.url);
    }
    changed_.notify_all();
  }
  // Waits until on_page has got so many pages. Returns them.
  std::vector<std::pair<std::uint64_t, std::string>> wait(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return pages_.size() >= count; });
    return pages_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::pair<std::uint64_t, std::string>> pages_;
};

// A queue whose calls a test counts, follows or lets fail.
class SeenQueue final : public QueueDecorator {
 public:
  using QueueDecorator::QueueDecorator;
  using QueueDecorator::settle;
  bool is_shared() const noexcept override { return shared; }
  Result<void> settle(const QueueClaim& claim, std::span<const FinishedUrl> settled,
                      const std::optional<OutputPosition>& output, std::span<const QueuedUrl> links) override {
    if (loses_claim.exchange(false)) return Error{"claim-lost", "another worker has the site"};
    if (on_settle) std::exchange(on_settle, {})();
    return QueueDecorator::settle(claim, settled, output, links);
  }
  Result<void> settle(std::span<const FinishedUrl> settled, const std::optional<OutputPosition>& output) override {
    if (on_position && output) on_position(*output);
    return QueueDecorator::settle(settled, output);
  }
  Result<void> release(const QueueClaim& claim, std::span<const std::int64_t> sites) override {
    released += static_cast<int>(sites.size());
    return QueueDecorator::release(claim, sites);
  }
  std::atomic<int> released = 0;
  std::atomic<bool> loses_claim = false;  // at the next settle()
  std::function<void()> on_settle;        // called at the next settle()
  std::function<void(const OutputPosition&)> on_position;
  bool shared = false;
};

// Its disk is full for some calls of flush().
class FullOutput final : public CountedOutput {
 public:
  Result<void> flush() override {
    return full > 0 && full-- > 0 ? Error{"disk-full", "no space"} : CountedOutput::flush();
  }
  std::atomic<int> full = 0;
};

class SettleLater : public CrawlRig {
 protected:
  SettleLater() {
    options.settle_later = true;
    options.on_page = [this](const FetchedPage& page) { inbox.put(page); };
  }
  void add(int count, std::string_view site = "a") {
    std::vector<QueuedUrl> urls;
    for (int i = 1; i <= count; ++i) urls.push_back({url("/" + std::to_string(i), site)});
    EXPECT_TRUE(stored->add(urls).ok());
  }
  QueueCounts counts() { return stored->counts().value(); }

  RobotUA robot = make_robot();
  std::unique_ptr<UrlQueue> stored = open_url_queue("").value();
  SeenQueue queue{*stored};
  CountedOutput output;
  CrawlOptions options;
  Inbox inbox;
};

TEST_F(SettleLater, APageStaysPendingUntilItIsSettledAndThenItsLinksAreFetched) {
  add(1);
  Crawl crawl(robot, queue, output, options);
  crawl.urls_added(false);
  const auto first = inbox.wait(1).front();
  EXPECT_FALSE(crawl.wait_for(std::chrono::milliseconds(0))) << "a page is not settled";
  EXPECT_EQ(counts(), (QueueCounts{.pending = 1}));
  EXPECT_EQ(queue.released, 0);
  const QueuedUrl links[] = {{url("/2")}, {url("/1")}, {url("/1", "b")}};
  ASSERT_TRUE(crawl.settle(first.first, links).ok());
  for (const auto& [id, page] : inbox.wait(3)) {
    if (id != first.first) {
      EXPECT_TRUE(crawl.settle(id).ok());
    }
  }
  wait(crawl);
  EXPECT_TRUE(crawl.result().ok());
  EXPECT_EQ(counts(), (QueueCounts{.done = 3}));
  EXPECT_GE(queue.released, 2);
  EXPECT_EQ(crawl.counts().done, 3U);
}

TEST_F(SettleLater, MayBeSettledInOnPageTogetherWithLinksThatItAdded) {
  add(1);
  std::atomic<Crawl*> running = nullptr;
  options.on_page = [&](const FetchedPage& page) {
    running.wait(nullptr);
    if (page.url == url("/1")) {
      EXPECT_TRUE(page.add({{url("/2")}}));
    }
    EXPECT_TRUE(running.load()->settle(page.id));
    EXPECT_EQ(running.load()->settle(page.id).error().code, "unknown-page");
  };
  Crawl crawl(robot, queue, output, options);
  running = &crawl;
  running.notify_all();
  crawl.urls_added(false);
  wait(crawl);
  EXPECT_EQ(counts(), (QueueCounts{.done = 2}));
}

TEST_F(SettleLater, ASecondCallIsAnErrorAndOneWithABadLinkChangesNothing) {
  add(1);
  Crawl crawl(robot, queue, output, options);
  crawl.urls_added(false);
  const std::uint64_t id = inbox.wait(1).front().first;
  EXPECT_EQ(crawl.settle(id + 1).error().code, "unknown-page");
  EXPECT_EQ(crawl.settle(0).error().code, "unknown-page");
  const QueuedUrl bad[] = {{url("/2")}, {"mailto:me@example.org"}};
  EXPECT_EQ(crawl.settle(id, bad).error().code, "invalid-url");
  EXPECT_TRUE(crawl.settle(id).ok());
  EXPECT_EQ(crawl.settle(id).error().code, "unknown-page");
  wait(crawl);
  EXPECT_EQ(crawl.settle(id).error().code, "unknown-page");
  EXPECT_EQ(counts(), (QueueCounts{.done = 1}));
}

TEST_F(SettleLater, NoMorePagesAreOutThanMaxUnsettled) {
  for (const char* site : {"a", "b", "c"}) add(10, site);
  options.max_unsettled = 4;
  std::atomic<int> out = 0;
  std::atomic<int> most = 0;
  options.on_page = [&](const FetchedPage& page) {
    most = std::max(most.load(), ++out);
    inbox.put(page);
  };
  Crawl crawl(robot, queue, output, options);
  crawl.urls_added(false);
  std::size_t seen = 4;
  std::size_t settled = 0;
  while (settled < 30) {
    const auto pages = inbox.wait(seen);
    EXPECT_LE(server.witness().requests().size(), 3U + settled + 4U + 3U) << "3 files, and one under way for each site";
    for (; settled < seen; ++settled) {
      --out;
      EXPECT_TRUE(crawl.settle(pages[settled].first).ok());
    }
    seen = std::min<std::size_t>(30, settled + 4);
  }
  wait(crawl);
  EXPECT_EQ(most, 4);
  EXPECT_EQ(counts(), (QueueCounts{.done = 30}));
}

TEST_F(SettleLater, StopDoesNotWaitAndLeavesTheRestPending) {
  add(3);
  options.max_unsettled = 2;
  Crawl crawl(robot, queue, output, options);
  crawl.urls_added(false);
  const auto pages = inbox.wait(2);
  ASSERT_TRUE(crawl.settle(pages[0].first).ok());
  inbox.wait(3);
  crawl.stop();
  wait(crawl);
  EXPECT_TRUE(crawl.result().ok());
  EXPECT_EQ(crawl.counts().pending, 2U);
  EXPECT_EQ(counts(), (QueueCounts{.pending = 2, .done = 1}));
  EXPECT_EQ(crawl.settle(pages[1].first).error().code, "unknown-page");
}

TEST_F(SettleLater, APageThatIsSettledWhileRequestsEndAfterStopIsDone) {
  const Gate other;
  page("/slow", Script().wait(other).send(reply("slow")).keep());
  const Gate own;
  page("/soon", Script().wait(own).send(reply("soon")).keep());
  const std::vector<QueuedUrl> urls{{url("/soon", "a")}, {url("/slow", "b")}};
  ASSERT_TRUE(stored->add(urls).ok());
  Crawl crawl(robot, queue, output, options);
  crawl.urls_added(false);
  ASSERT_TRUE(own.wait_reached(1));
  ASSERT_TRUE(other.wait_reached(1));
  crawl.stop();
  own.open();
  EXPECT_TRUE(crawl.settle(inbox.wait(1).front().first).ok());
  while (counts().done == 0 && !crawl.wait_for(std::chrono::milliseconds(0))) std::this_thread::yield();
  other.open();
  wait(crawl);
  EXPECT_TRUE(crawl.result().ok()) << crawl.result().error().message;
  EXPECT_EQ(counts(), (QueueCounts{.pending = 1, .done = 1}));
}

TEST_F(SettleLater, PagesThatWereSettledBeforeStopAreDone) {
  add(3);
  Crawl crawl(robot, queue, output, options);
  crawl.urls_added(false);
  const auto pages = inbox.wait(3);
  queue.on_settle = [&] {
    EXPECT_TRUE(crawl.settle(pages[1].first).ok());
    crawl.stop();
  };
  ASSERT_TRUE(crawl.settle(pages[0].first).ok());
  wait(crawl);
  EXPECT_TRUE(crawl.result().ok());
  EXPECT_EQ(counts(), (QueueCounts{.pending = 1, .done = 2}));
  EXPECT_EQ(crawl.counts().pending, 1U);
}

// 0 counts as 1, so that the crawl goes on.
TEST_F(SettleLater, OnePageMayBeOutAtLeast) {
  for (const std::size_t limit : {0U, 1U}) {
    const auto own = open_url_queue("").value();
    const std::vector<QueuedUrl> urls{{url("/1")}, {url("/2")}, {url("/3")}};
    ASSERT_TRUE(own->add(urls).ok());
    options.max_unsettled = limit;
    std::atomic<int> out = 0;
    Inbox pages;
    options.on_page = [&](const FetchedPage& page) {
      EXPECT_EQ(++out, 1);
      pages.put(page);
    };
    Crawl crawl(robot, *own, output, options);
    crawl.urls_added(false);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto id = pages.wait(i + 1)[i].first;
      --out;
      EXPECT_TRUE(crawl.settle(id).ok());
    }
    wait(crawl);
    EXPECT_EQ(own->counts().value(), (QueueCounts{.done = 3}));
  }
}

// Another worker may have the site.
TEST_F(SettleLater, PagesThatAreOutWhenTheClaimIsLostComeAgain) {
  add(2);
  queue.shared = true;
  Crawl crawl(robot, queue, output, options);
  crawl.urls_added(false);
  const auto first = inbox.wait(2);
  queue.loses_claim = true;
  EXPECT_TRUE(crawl.settle(first[0].first).ok());
  const auto pages = inbox.wait(4);
  EXPECT_EQ(crawl.settle(first[1].first).error().code, "unknown-page");
  EXPECT_EQ(counts(), (QueueCounts{.pending = 2}));
  EXPECT_TRUE(crawl.settle(pages[2].first).ok());
  EXPECT_TRUE(crawl.settle(pages[3].first).ok());
  wait(crawl);
  EXPECT_TRUE(crawl.result().ok());
  EXPECT_EQ(counts(), (QueueCounts{.done = 2}));
  EXPECT_EQ(crawl.counts().pending, 0U);
}

TEST_F(SettleLater, AFullDiskKeepsThePagesThatAreOut) {
  add(3);
  FullOutput disk;
  options.output_path = "disk";
  options.disk_full_wait = std::chrono::milliseconds(1);
  std::atomic<bool> waits = false;
  options.on_disk_full = [&](std::string_view sentence) {
    if (sentence.empty()) return;
    waits = true;
    waits.notify_all();
  };
  Crawl crawl(robot, queue, disk, options);
  crawl.urls_added(false);
  const auto pages = inbox.wait(3);
  disk.full = 2;
  EXPECT_TRUE(crawl.settle(pages[1].first).ok());
  waits.wait(false);
  EXPECT_TRUE(crawl.settle(pages[0].first).ok());
  EXPECT_TRUE(crawl.settle(pages[2].first).ok());
  wait(crawl);
  EXPECT_TRUE(crawl.result().ok());
  EXPECT_EQ(counts(), (QueueCounts{.done = 3}));
}

// The queue must not say that a file has more than a crash of the machine leaves of it.
TEST_F(SettleLater, ThePositionThatIsStoredAtTheStartIsSynced) {
  const Response before;
  ASSERT_TRUE(output.write({.response = before, .url = "", .method = "GET"}).ok());
  options.output_path = "disk";
  std::atomic<std::uint64_t> position = 0;
  queue.on_position = [&](const OutputPosition& stored_now) {
    if (position == 0) {
      EXPECT_GE(output.flushed(), stored_now.position);
    }
    position = stored_now.position;
  };
  Crawl crawl(robot, queue, output, options);
  crawl.urls_added(false);
  wait(crawl);
  EXPECT_EQ(position, 1U);
}

TEST_F(SettleLater, APageWhoseCallbackThrewIsNotOut) {
  add(1);
  std::atomic<std::uint64_t> id = 0;
  options.on_page = [&](const FetchedPage& page) {
    id = page.id;
    throw std::runtime_error("no more paper");
  };
  Crawl crawl(robot, queue, output, options);
  crawl.urls_added(false);
  wait(crawl);
  EXPECT_EQ(crawl.result().error().code, "callback-failed");
  EXPECT_EQ(crawl.settle(id).error().code, "unknown-page");
  EXPECT_EQ(counts(), (QueueCounts{.pending = 1}));
}

TEST_F(SettleLater, DoesNothingWithoutOnPage) {
  add(2);
  options.on_page = {};
  Crawl crawl(robot, queue, output, options);
  crawl.urls_added(false);
  wait(crawl);
  EXPECT_EQ(counts(), (QueueCounts{.done = 2}));
}

// URLs that are added to a site whose pages are all out need no settled page.
TEST_F(SettleLater, UrlsThatAreAddedMeanwhileAreFetched) {
  add(1);
  Crawl crawl(robot, queue, output, options);
  crawl.urls_added(true);
  inbox.wait(1);
  add(2);
  crawl.urls_added(false);
  for (const auto& [id, page] : inbox.wait(2)) EXPECT_TRUE(crawl.settle(id).ok());
  wait(crawl);
  EXPECT_EQ(counts(), (QueueCounts{.done = 2}));
}

// The position in the queue stays before the first page that is out, so resume() finds it and all that follow.
TEST_F(SettleLater, ThePositionIsThatOfTheFirstPageThatIsOut) {
  add(3);
  options.output_path = "disk";
  Crawl crawl(robot, queue, output, options);
  crawl.urls_added(false);
  const auto pages = inbox.wait(3);
  ASSERT_TRUE(crawl.settle(pages[0].first).ok());
  ASSERT_TRUE(crawl.settle(pages[2].first).ok());
  crawl.stop();
  wait(crawl);
  EXPECT_EQ(counts(), (QueueCounts{.pending = 1, .done = 2}));
  EXPECT_EQ(stored->output_position("disk").value(), 1U) << "after the first page";
}

TEST_F(SettleLater, TheLogIsReopenedWhilePagesAreOut) {
  add(2);
  options.log_path = in_folder("log");
  auto log = open_log(options.log_path).value();
  std::atomic<bool> reopened = false;
  options.on_log_reopened = [&](const Result<void>& done) {
    EXPECT_TRUE(done.ok());
    reopened = true;
    reopened.notify_all();
  };
  Crawl crawl(robot, queue, output, log.get(), options);
  crawl.urls_added(false);
  const auto pages = inbox.wait(2);
  ASSERT_TRUE(crawl.settle(pages[0].first).ok());
  std::filesystem::rename(options.log_path, options.log_path + ".1");
  crawl.reopen_log();
  reopened.wait(false);
  EXPECT_EQ(counts(), (QueueCounts{.pending = 1, .done = 1}));
  EXPECT_EQ(stored->output_position(options.log_path).value(), 0U) << "of the new file";
  ASSERT_TRUE(crawl.settle(pages[1].first).ok());
  wait(crawl);
  EXPECT_EQ(counts(), (QueueCounts{.done = 2}));
  EXPECT_EQ(stored->output_position(options.log_path).value(), 0U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
