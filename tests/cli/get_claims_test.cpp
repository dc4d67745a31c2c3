// A crawl works only on sites that it has claimed, and gives them back.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include <robotrules/crawl.hpp>
#include <robotrules/open_store.hpp>
#include <robotrules/robot_ua.hpp>

#include "cli/crawl_rig.hpp"
#include "support/queue_decorator.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using std::chrono::seconds;

// Passes all calls on, and notes the sites that are claimed.
class Witness final : public QueueDecorator {
 public:
  using QueueDecorator::QueueDecorator;

  bool is_shared() const noexcept override { return is_shared_queue; }
  Result<std::vector<QueueSite>> claim_sites(const QueueClaim& claim, std::size_t count) override {
    auto sites = queue_.claim_sites(claim, count);
    if (on_claim && sites && !sites.value().empty()) on_claim();
    const std::lock_guard lock(mutex_);
    most_at_once_ = std::max(most_at_once_, count);
    if (!sites) return sites;
    for (const QueueSite& site : sites.value()) {
      EXPECT_TRUE(claimed_.insert(site.id).second) << site.origin;
      ++claims_;
    }
    if (returns_twice && !sites.value().empty()) {
      const QueueSite last = sites.value().back();
      if (last_ && claimed_.contains(last_->id)) {
        sites.value().push_back(*last_);
        ++twice_;
      }
      last_ = last;
    }
    return sites;
  }
  Result<std::vector<QueueItem>> take(const QueueClaim& claim, std::int64_t site, std::optional<QueuePlace> after,
                                      std::size_t count) override {
    if (lose_at_take > 0 && --lose_at_take == 0) return Error{"claim-lost", "another worker has the site"};
    return queue_.take(claim, site, after, count);
  }
  using QueueDecorator::settle;
  Result<void> release(const QueueClaim& claim, std::span<const std::int64_t> sites) override {
    const std::lock_guard lock(mutex_);
    for (const std::int64_t site : sites) EXPECT_EQ(claimed_.erase(site), 1U);
    return queue_.release(claim, sites);
  }

  Result<void> settle(std::span<const FinishedUrl>, const std::optional<OutputPosition>&) override {
    return Error{"not-claimed", "settled without the claim"};
  }
  Result<std::vector<QueueSite>> sites(std::optional<QueuePlace>, std::size_t) const override {
    return Error{"not-claimed", "sites() was called"};
  }
  Result<std::vector<QueueItem>> peek(std::int64_t, std::optional<QueuePlace>, std::size_t) const override {
    return Error{"not-claimed", "peek() was called"};
  }

  std::function<void()> on_claim;  // called when sites were claimed
  bool is_shared_queue = false;
  bool returns_twice = false;  // claim_sites() also returns a site of the call before, if the crawl has it still
  int lose_at_take = 0;        // the call of take() that fails, counted from 1

  struct Seen {
    std::size_t claims = 0;
    std::size_t claimed_now = 0;
    std::size_t most_at_once = 0;  // sites that one call claimed
    std::size_t twice = 0;         // sites that were returned although they were claimed
  };
  Seen seen() const {
    const std::lock_guard lock(mutex_);
    return {claims_, claimed_.size(), most_at_once_, twice_};
  }

 private:
  mutable std::mutex mutex_;
  std::set<std::int64_t> claimed_;
  std::optional<QueueSite> last_;
  std::size_t claims_ = 0;
  std::size_t most_at_once_ = 0;
  std::size_t twice_ = 0;
};

class Claims : public CrawlRig {
 protected:
  void add(const std::vector<std::string>& urls) {
    std::vector<QueuedUrl> list;
    for (const std::string& one : urls) list.push_back({one});
    ASSERT_TRUE(queue->add(list).ok());
  }
  std::unique_ptr<Crawl> start() { return std::make_unique<Crawl>(robot, witness, output, nullptr, options); }

  RobotUA robot = make_robot();
  std::unique_ptr<UrlQueue> queue = open_url_queue(in_folder("c.db")).value();
  Witness witness{*queue};
  CountedOutput output;
  CrawlOptions options;
};

TEST_F(Claims, EachSiteIsClaimedOnceAndReleasedWithItsResults) {
  std::vector<std::string> urls;
  for (int site = 0; site < 10; ++site) {
    for (const char* path : {"/1", "/2", "/3"}) urls.push_back(url(path, "s" + std::to_string(site)));
  }
  add(urls);
  options.max_sites = 2;
  const auto crawl = start();
  crawl->urls_added(false);
  wait(*crawl);
  EXPECT_TRUE(crawl->result().ok()) << crawl->result().error().message;
  EXPECT_EQ(queue->counts().value().done, urls.size());
  EXPECT_EQ(witness.seen().claims, 10U);
  EXPECT_EQ(witness.seen().claimed_now, 0U);
  EXPECT_LE(witness.seen().most_at_once, options.max_sites);
}

// The worker has lost one site, for example because it has released it twice, and its claim is still valid.
TEST_F(Claims, ACrawlThatBeginsAnewFetchesAlsoTheSitesThatItHad) {
  for (const char* site : {"a", "b", "c"}) add({url("/1", site), url("/2", site)});
  witness.is_shared_queue = true;
  witness.lose_at_take = 3;
  const auto crawl = start();
  crawl->urls_added(false);
  wait(*crawl);
  EXPECT_TRUE(crawl->result().ok()) << crawl->result().error().message;
  EXPECT_EQ(witness.lose_at_take, 0);
  EXPECT_EQ(queue->counts().value(), (QueueCounts{.done = 6}));
}

// After the answer to a release was lost, the queue may return a site that the crawl has.
TEST_F(Claims, ASiteThatIsClaimedTwiceIsFetchedOnce) {
  add({url("/slow", "s0")});
  for (int site = 0; site < 9; ++site) {
    for (const char* path : {"/1", "/2", "/3"}) add({url(path, "s" + std::to_string(site))});
  }
  const test::Gate gate;  // the crawl has the first site when it claims the next
  page("/slow", test::Script().wait(gate).send(test::reply("slow")).keep());
  witness.is_shared_queue = witness.returns_twice = true;
  options.max_sites = 3;
  const auto crawl = start();
  crawl->urls_added(false);
  while (witness.seen().twice == 0 && !crawl->wait_for(std::chrono::milliseconds(0))) std::this_thread::yield();
  gate.open();
  wait(*crawl);
  EXPECT_TRUE(crawl->result().ok()) << crawl->result().error().message;
  EXPECT_EQ(queue->counts().value(), (QueueCounts{.done = 28}));
  EXPECT_EQ(output.position(), 28U);
  EXPECT_GT(witness.seen().twice, 0U);
}

TEST_F(Claims, AStoppedCrawlLeavesAllSitesToTheNext) {
  const test::Gate gate;
  page("/slow", test::Script().wait(gate).send(test::reply("slow")).keep());
  add({url("/slow", "a"), url("/2", "a"), url("/1", "b"), url("/2", "b")});
  {
    const auto crawl = start();
    crawl->urls_added(false);
    ASSERT_TRUE(gate.wait_reached(1));
    crawl->stop();
    gate.open();
    wait(*crawl);
    EXPECT_TRUE(crawl->result().ok()) << crawl->result().error().message;
    EXPECT_EQ(witness.seen().claimed_now, 0U) << "also before the crawl is destroyed";
  }
  EXPECT_GT(queue->counts().value().pending, 0U);
  const auto crawl = start();
  crawl->urls_added(false);
  wait(*crawl);
  EXPECT_EQ(queue->counts().value().done, 4U);
  EXPECT_EQ(witness.seen().claimed_now, 0U);
  EXPECT_EQ(asked().size(), 4U) << ::testing::PrintToString(asked());
}

TEST_F(Claims, ACrawlThatIsStoppedWhileItClaimsReleasesTheSites) {
  Crawl* stopped = nullptr;
  witness.on_claim = [&] { stopped->stop(); };
  const auto crawl = start();  // nothing can be claimed yet
  stopped = crawl.get();
  add({url("/1", "a"), url("/1", "b")});
  crawl->urls_added(true);
  wait(*crawl);
  EXPECT_TRUE(crawl->result().ok()) << crawl->result().error().message;
  EXPECT_EQ(witness.seen().claims, 2U);
  EXPECT_EQ(witness.seen().claimed_now, 0U);
  EXPECT_EQ(queue->counts().value().pending, 2U);
}

TEST_F(Claims, NewUrlsOfASiteThatHasEndedAreFetched) {
  add({url("/1")});
  const auto crawl = start();
  crawl->urls_added(true);
  while (witness.seen().claims == 0 || witness.seen().claimed_now > 0) std::this_thread::yield();
  EXPECT_EQ(queue->counts().value().done, 1U);
  add({url("/2"), url("/1", "b")});
  crawl->urls_added(false);
  wait(*crawl);
  EXPECT_EQ(queue->counts().value().done, 3U);
  EXPECT_EQ(witness.seen().claims, 3U);
}

TEST_F(Claims, ACrawlWhoseClaimIsLostEndsAndSettlesNothing) {
  const test::Gate gate;
  page("/slow", test::Script().wait(gate).send(test::reply("slow")).keep());
  add({url("/slow"), url("/2")});
  const auto crawl = start();
  crawl->urls_added(false);
  ASSERT_TRUE(gate.wait_reached(1));
  std::filesystem::remove(in_folder("c.db-crawl"));  // as a file system that loses the lock
  const auto other = open_url_queue(in_folder("c.db")).value();
  ASSERT_TRUE(other->claim().ok());
  gate.open();
  wait(*crawl);
  ASSERT_FALSE(crawl->result().ok());
  EXPECT_EQ(crawl->result().error().code, "claim-lost");
  EXPECT_EQ(other->counts().value().pending, 2U);
}

TEST_F(Claims, ACrawlOfAJobThatHasAWorkerEnds) {
  add({url("/1")});
  const auto other = open_url_queue(in_folder("c.db")).value();
  ASSERT_TRUE(other->claim().ok());
  const auto crawl = start();
  crawl->urls_added(false);
  wait(*crawl);
  ASSERT_FALSE(crawl->result().ok());
  EXPECT_EQ(crawl->result().error().code, "queue-claimed");
  EXPECT_EQ(asked().size(), 0U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
