// Workers of one job in PostgreSQL: leases, fences, servers that go away, and many of them at the same time.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include <robotrules/open_store.hpp>

#include "postgres/queue_place.hpp"
#include "store/queue_contract.hpp"
#include "support/eventually.hpp"
#include "support/postgres/cutting_proxy.hpp"
#include "support/postgres/postgres_server.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr Timestamp noon{std::chrono::days{20'000}};

class JobWorkers : public testing::Test {
 protected:
  void SetUp() override {
    if (!PostgresServer::is_installed()) GTEST_SKIP() << "PostgreSQL is not installed";
    place = new_queue_place();
  }
  void TearDown() override {
    if (!place.empty() && !testing::Test::IsSkipped()) {
      EXPECT_EQ(queue_problems(place), "");
    }
  }
  std::unique_ptr<UrlQueue> open(StoreOptions options = {}) const {
    options.server.timeout = 60s;  // many workers write the same rows
    auto opened = open_url_queue(place, "job", options);
    EXPECT_TRUE(opened.ok()) << opened.error().message;
    return opened.ok() ? std::move(opened).value() : nullptr;
  }
  // Opens it with a clock that the test sets.
  std::unique_ptr<UrlQueue> open_scripted() {
    StoreOptions options;
    options.server.clock = [this] { return Timestamp(std::chrono::microseconds(now.load())); };
    return open(options);
  }
  void pass(std::chrono::seconds time) { now += std::chrono::duration_cast<std::chrono::microseconds>(time).count(); }

  static std::string page(int site, int number) {
    return "http://s" + std::to_string(site) + ".example/" + std::to_string(number);
  }
  static void add(UrlQueue& queue, int sites, int urls) {
    std::vector<QueuedUrl> all;
    for (int site = 0; site < sites; ++site) {
      for (int i = 0; i < urls; ++i) all.push_back({page(site, i)});
    }
    ASSERT_EQ(queue.add(all).value().added, all.size());
  }
  static FinishedUrl done(std::int64_t id) { return {id, UrlState::done, {200, "", "", "", noon, 1}}; }

  std::string place;
  std::atomic<std::int64_t> now{noon.time_since_epoch().count()};
  const std::chrono::seconds lease = ServerStoreOptions().owner_lease;
};

TEST_F(JobWorkers, ASiteOfAWorkerWhoseLeaseHasEndedIsFree) {
  const auto first = open_scripted();
  const auto second = open_scripted();
  add(*first, 2, 2);
  const auto claim = first->claim().value();
  const auto other = second->claim().value();
  EXPECT_GT(other.fence, claim.fence);
  const auto sites = first->claim_sites(claim, 10).value();
  ASSERT_EQ(sites.size(), 2U);
  const auto items = first->take(claim, sites[0].id, {}, 10).value();
  pass(lease - 1s);
  EXPECT_TRUE(second->claim_sites(other, 10).value().empty());
  pass(2s);
  EXPECT_EQ(second->claim_sites(other, 10).value().size(), 2U) << "its own lease is not looked at";
  EXPECT_EQ(first->settle(claim, std::array{done(items[0].id)}, OutputPosition{"/a.warc", 7}).error().code,
            "claim-lost");
  EXPECT_EQ(first->take(claim, sites[0].id, {}, 1).error().code, "claim-lost");
  EXPECT_EQ(first->settle({}, OutputPosition{"/a.warc", 7}).error().code, "claim-lost");
  EXPECT_EQ(first->output_position("/a.warc").value(), std::nullopt);
  EXPECT_EQ(first->counts().value().pending, 4U);
  EXPECT_TRUE(second->settle(other, std::array{done(items[0].id)}, {}));
  EXPECT_GT(first->claim().value().fence, other.fence) << "it may begin anew";
}

TEST_F(JobWorkers, AWorkerGoesOnAfterItsLeaseIfNoOtherHasTakenItsSites) {
  const auto queue = open_scripted();
  add(*queue, 1, 1);
  const auto claim = queue->claim().value();
  const auto site = queue->claim_sites(claim, 1).value().at(0).id;
  pass(10 * lease);
  const auto id = queue->take(claim, site, {}, 1).value().at(0).id;
  EXPECT_TRUE(queue->settle(claim, std::array{done(id)}, {}));
}

TEST_F(JobWorkers, AProcessOfThisMachineThatHasEndedIsNotWaitedFor) {
  const auto first = open();
  add(*first, 1, 1);
  const auto claim = first->claim().value();
  ASSERT_EQ(first->claim_sites(claim, 1).value().size(), 1U);
  const pid_t ended = fork();
  if (ended == 0) _exit(0);
  ASSERT_EQ(waitpid(ended, nullptr, 0), ended);
  query_queue(place, "UPDATE queue_worker SET process = " + std::to_string(ended));
  const auto second = open();
  const auto other = second->claim().value();
  EXPECT_EQ(second->claim_sites(other, 1).value().size(), 1U);
  EXPECT_EQ(first->claim_sites(claim, 1).error().code, "claim-lost");
}

TEST_F(JobWorkers, ManySettleEachUrlOnce) {
  constexpr int sites = 30;
  constexpr int urls = 12;
  add(*open(), sites, urls);
  std::mutex mutex;
  std::map<std::int64_t, int> settled;
  std::set<std::int64_t> in_hand;
  std::atomic<bool> failed{false};
  const auto work = [&](unsigned number) {
    const auto queue = open();
    const auto claim = queue->claim().value();
    while (!failed && queue->counts().value().pending > 0) {
      const auto claimed = queue->claim_sites(claim, 1 + number % 3);
      if (!claimed) failed = true;
      if (!claimed) return;
      for (const QueueSite& site : claimed.value()) {
        {
          const std::lock_guard lock(mutex);
          if (!in_hand.insert(site.id).second) failed = true;
        }
        const auto items = queue->take(claim, site.id, {}, 5).value();  // a part of them
        std::vector<FinishedUrl> results;
        for (const QueueItem& item : items) results.push_back(done(item.id));
        std::size_t written = 0;
        {
          const std::lock_guard lock(mutex);
          written = settled.size();
        }
        if (!queue->settle(claim, results, OutputPosition{"/w" + std::to_string(number), written})) failed = true;
        {
          const std::lock_guard lock(mutex);
          for (const QueueItem& item : items) ++settled[item.id];
          in_hand.erase(site.id);
        }
        if (!queue->release(claim, std::array{site.id})) failed = true;
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 6; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(failed);
  EXPECT_EQ(settled.size(), std::size_t{sites * urls});
  for (const auto& [id, times] : settled) EXPECT_EQ(times, 1) << id;
  EXPECT_EQ(open()->counts().value(), (QueueCounts{.done = sites * urls}));
}

TEST_F(JobWorkers, AddersOfTheSameUrlsDoNotFail) {
  std::vector<std::thread> threads;
  std::atomic<std::uint64_t> added{0};
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      const auto queue = open();
      for (int round = 0; round < 5; ++round) {
        std::vector<QueuedUrl> urls;
        for (int i = 0; i < 100; ++i) urls.push_back({page((i * (thread + 1)) % 20, round * 20 + i % 40)});
        const auto done = queue->add(urls);
        ASSERT_TRUE(done.ok()) << done.error().message;
        added += done.value().added;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(open()->counts().value().pending, added);
}

TEST_F(JobWorkers, TellEachOtherThatTheyHaveNoSites) {
  const auto first = open();
  const auto second = open();
  EXPECT_TRUE(first->is_shared());
  const auto claim = first->claim().value();
  const auto other = second->claim().value();
  EXPECT_EQ(second->share(other, true).value().without_sites, 0U) << "it does not count itself";
  EXPECT_EQ(first->share(claim, false).value().without_sites, 1U);
  EXPECT_EQ(first->share(claim, false).value().all, 2U);
  EXPECT_EQ(second->share(other, false).value().all, 2U);
  EXPECT_EQ(first->share(claim, false).value().without_sites, 0U);
}

TEST_F(JobWorkers, EndWithTheirObjects) {
  auto first = open();
  add(*first, 1, 1);
  const auto claim = first->claim().value();
  ASSERT_EQ(first->claim_sites(claim, 1).value().size(), 1U);
  EXPECT_EQ(list_jobs(place).value().at(0).workers, 1U);
  EXPECT_EQ(list_jobs(place).value().at(0).claimed_sites, 1U);
  first.reset();
  EXPECT_EQ(list_jobs(place).value().at(0).workers, 0U);
  EXPECT_EQ(list_jobs(place).value().at(0).free_sites, 1U);
}

TEST_F(JobWorkers, AnOutputBelongsToAMachine) {
  const auto queue = open();
  ASSERT_TRUE(queue->settle({}, OutputPosition{"/a.warc", 7}));
  query_queue(place, "UPDATE queue_output SET machine = convert_to('elsewhere 1', 'UTF8')");
  EXPECT_EQ(queue->output_position("/a.warc").value(), std::nullopt);
  ASSERT_TRUE(queue->settle({}, OutputPosition{"/a.warc", 9}));
  EXPECT_EQ(queue->output_position("/a.warc").value(), 9U);
  EXPECT_EQ(list_jobs(place).value().at(0).outputs, (std::vector<std::string>{"elsewhere:/a.warc", "/a.warc"}));
  const auto other = open_url_queue(place, "other").value();
  EXPECT_EQ(other->settle({}, OutputPosition{"/a.warc", 1}).error().code, "output-taken");
}

TEST_F(JobWorkers, AJobWithAWorkerIsNotRemoved) {
  auto queue = open();
  add(*queue, 3, 3);
  const auto other = open_url_queue(place, "other").value();
  add(*other, 1, 1);
  const std::int64_t foreign = other->find("GET", page(0, 0)).value()->id;
  EXPECT_EQ(queue->settle(std::array{done(foreign)}, {}).error().code, "unknown-url") << "of another job";
  ASSERT_TRUE(queue->settle({}, OutputPosition{"/a.warc", 7}));
  ASSERT_TRUE(queue->claim());
  EXPECT_EQ(remove_job(place, "job").error().code, "queue-claimed");
  EXPECT_EQ(queue->counts().value().pending, 9U);
  queue.reset();
  const auto stale = open();
  const auto removed = remove_job(place, "job");
  ASSERT_TRUE(removed.ok()) << removed.error().message;
  EXPECT_EQ(removed.value().counts, (QueueCounts{.pending = 9}));
  EXPECT_EQ(removed.value().outputs, std::vector<std::string>{"/a.warc"});
  EXPECT_EQ(remove_job(place, "job").error().code, "unknown-job");
  EXPECT_EQ(stale->add({{page(1, 1)}}).error().code, "unknown-job");
  EXPECT_EQ(stale->claim().error().code, "unknown-job");
  EXPECT_EQ(stale->counts().error().code, "unknown-job");
  EXPECT_EQ(stale->set_note("x").error().code, "unknown-job");
  EXPECT_EQ(stale->settle({}, OutputPosition{"/a.warc", 7}).error().code, "unknown-job");
  EXPECT_EQ(other->counts().value().pending, 1U);
  EXPECT_EQ(list_jobs(place).value().size(), 1U);
  EXPECT_EQ(open()->counts().value(), QueueCounts{});
}

// --- servers that go away --------------------------------------------------------------------------------------------

class QueueServer : public testing::Test {
 protected:
  void SetUp() override {
    if (!PostgresServer::is_installed()) GTEST_SKIP() << "PostgreSQL is not installed";
    server.emplace();
  }
  std::unique_ptr<UrlQueue> open(std::chrono::milliseconds timeout = 5s) {
    StoreOptions options;
    options.server.timeout = timeout;
    return open_url_queue(server->uri("first_ever=1"), "job", options).value();
  }
  std::optional<PostgresServer> server;
};

TEST_F(QueueServer, RestartedUnderLoadItLosesNoSettlement) {
  constexpr int sites = 12;
  constexpr int urls = 40;
  {
    std::vector<QueuedUrl> all;
    for (int site = 0; site < sites; ++site) {
      for (int i = 0; i < urls; ++i)
        all.push_back({"http://s" + std::to_string(site) + ".example/" + std::to_string(i)});
    }
    ASSERT_EQ(open()->add(all).value().added, all.size());
  }
  std::atomic<int> settled{0};
  std::atomic<bool> failed{false};
  const auto end = Clock::now() + 60s;
  // Makes a call until the server answers.
  const auto insist = [&](auto call) {
    auto answer = call();
    while (!answer && is_passing(answer.error()) && Clock::now() < end) answer = call();
    if (!answer) failed = true;
    return answer;
  };
  const auto work = [&] {
    const auto queue = open();
    const auto claim = insist([&] { return queue->claim(); });
    while (!failed) {
      const auto claimed = insist([&] { return queue->claim_sites(claim.value(), 2); });
      if (!claimed || claimed.value().empty()) return;
      for (const QueueSite& site : claimed.value()) {
        while (!failed) {
          const auto items = insist([&] { return queue->take(claim.value(), site.id, {}, 1); });
          if (!items || items.value().empty()) break;
          const FinishedUrl result{items.value()[0].id, UrlState::done, {200, "", "", "", noon, 1}};
          if (insist([&] { return queue->settle(claim.value(), std::array{result}, {}); })) ++settled;
        }
      }
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(work);
  for (const int share : {sites * urls / 5, sites * urls / 2}) {
    while (settled < share && !failed && Clock::now() < end) std::this_thread::yield();
    server->stop(PostgresServer::Stop::immediate);
    server->start();
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(failed);
  EXPECT_EQ(settled, sites * urls) << "a URL that was settled is not taken again";
  EXPECT_EQ(open()->counts().value(), (QueueCounts{.done = sites * urls}));
}

TEST_F(QueueServer, SitesWhoseClaimWasNotAnsweredAreClaimedAgain) {
  PostgresServer listening({.listens = true});
  CuttingProxy proxy(listening.port());
  const auto direct = open_url_queue(listening.uri("first_ever=1"), "job").value();
  const auto queue = open_url_queue(proxy.uri("?lease=3600"), "job").value();  // a renewal would free unknown sites
  ASSERT_TRUE(queue->add({{"http://a.example/"}, {"http://b.example/"}, {"http://c.example/"}, {"http://d.example/"}}));
  const auto claim = queue->claim().value();
  const auto other = direct->claim().value();
  const auto first = queue->claim_sites(claim, 1).value();
  ASSERT_EQ(first.size(), 1U);
  for (const auto when : {CuttingProxy::When::before_answer, CuttingProxy::When::before_request}) {
    const bool is_made = when == CuttingProxy::When::before_answer;
    const int before = proxy.cuts();
    // Not COMMIT, which the reports of the worker send too.
    proxy.cut(when, "free");
    EXPECT_EQ(queue->claim_sites(claim, 1).error().code, "store-unreachable");
    EXPECT_EQ(proxy.cuts(), before + 1);
    EXPECT_EQ(
        listening.query("SELECT count(*) FROM robotrules.queue_site WHERE fence = " + std::to_string(claim.fence)),
        is_made ? "2" : "1");
    const auto again = queue->claim_sites(claim, 1).value();
    ASSERT_EQ(again.size(), 1U);
    ASSERT_TRUE(queue->release(claim, std::array{again[0].id}));
  }
  // A claim that the server makes only after its caller has gone.
  listening.query("UPDATE robotrules.queue_site SET fence = " + std::to_string(claim.fence));
  EXPECT_EQ(direct->claim_sites(other, 9).value().size(), 0U);
  const auto late = queue->claim_sites(claim, 9).value();
  ASSERT_EQ(late.size(), 3U) << "all but the first";
  ASSERT_TRUE(queue->release(claim, std::array{late[0].id, late[1].id, late[2].id}));
  EXPECT_EQ(direct->claim_sites(other, 9).value().size(), 3U);
  EXPECT_EQ(queue->take(claim, first[0].id, {}, 9).value().size(), 1U) << "the first is still its own";
}

TEST_F(QueueServer, ASiteWhoseReleaseFailedIsFreeSoon) {
  PostgresServer listening({.listens = true});
  CuttingProxy proxy(listening.port());
  const auto direct = open_url_queue(listening.uri("first_ever=1"), "job").value();
  const auto queue = open_url_queue(proxy.uri("?lease=3"), "job").value();  // it is renewed each second
  ASSERT_TRUE(queue->add({{"http://a.example/"}}));
  const auto claim = queue->claim().value();
  const auto other = direct->claim().value();
  const auto site = queue->claim_sites(claim, 1).value().at(0).id;
  proxy.cut(CuttingProxy::When::before_request, "id = ANY");
  EXPECT_EQ(queue->release(claim, std::array{site}).error().code, "store-unreachable");
  EXPECT_EQ(proxy.cuts(), 1);
  std::vector<QueueSite> free;
  EXPECT_TRUE(eventually([&] {
    auto claimed = direct->claim_sites(other, 1);
    if (claimed) free = std::move(claimed).value();
    return !free.empty();
  }));
}

TEST_F(QueueServer, AQueueOfADeadServerIsClosedSoon) {
  auto queue = open(1s);
  ASSERT_TRUE(queue->add({{"http://a.example/"}}));
  const auto claim = queue->claim().value();
  server->stop(PostgresServer::Stop::immediate);
  EXPECT_EQ(queue->claim_sites(claim, 1).error().code, "store-unreachable");
  const auto begun = Clock::now();
  queue.reset();
  EXPECT_LT(Clock::now() - begun, 5s);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
