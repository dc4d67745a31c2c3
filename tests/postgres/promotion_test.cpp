// A synchronous standby server takes over while several workers use the gate and the queue: no request is early, and no
// settlement is lost.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "support/postgres/postgres_test.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr Timestamp fetched_at{std::chrono::days{20'000}};
constexpr int sites = 24;
constexpr int urls = 9;
constexpr auto standby_interval = 300ms;

std::string site(int number) { return "http://s" + std::to_string(number) + ".example"; }

class PostgresPromotion : public PostgresTest {
 protected:
  void SetUp() override {
    PostgresTest::SetUp();
    if (IsSkipped()) return;
    primary = std::make_unique<PostgresServer>(PostgresServer::Options{
        .listens = true,
        .access = "local all all trust\nlocal replication all trust\nhost all all 127.0.0.1/32 trust\n"
                  "host replication all 127.0.0.1/32 trust\n"});
    standby = primary->standby();
    primary->query("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
    primary->query("SELECT pg_reload_conf()");
    ASSERT_TRUE(
        eventually([&] { return primary->query("SELECT sync_state FROM pg_stat_replication LIMIT 1") == "sync"; }));
    name = "postgresql://postgres@127.0.0.1:" + std::to_string(primary->port()) +
           ",127.0.0.1:" + std::to_string(standby->port()) + "/postgres?first_ever=1";
    const auto queue = open_queue();
    std::vector<QueuedUrl> all;
    for (int i = 0; i < sites; ++i) {
      for (int k = 0; k < urls; ++k) all.push_back({site(i) + "/" + std::to_string(k)});
    }
    ASSERT_EQ(queue->add(all).value().added, all.size());
  }
  static StoreOptions options() {
    StoreOptions made;
    made.server.timeout = 2s;
    return made;
  }
  std::unique_ptr<UrlQueue> open_queue() const { return open_url_queue(name, "job", options()).value(); }

  // Makes a call until a server answers. `accepted`: the code of an error that is not a failure.
  template <class Call>
  auto insist(Call call, std::string_view accepted = {}) {
    auto answer = call();
    while (!answer && is_passing(answer.error()) && Clock::now() < end) {
      std::this_thread::sleep_for(5ms);
      answer = call();
    }
    if (!answer && answer.error().code != accepted) {
      failed = true;
      const std::lock_guard lock(mutex);
      failure = answer.error().message;
    }
    return answer;
  }
  // Waits for the gate and "sends" a request to the site. Ends without one if the test has failed.
  void visit(Store& store, int number) {
    while (!failed && Clock::now() < end) {
      const auto begun = Clock::now();
      auto answer = insist([&] { return store.reserve({.keys = {site(number)}, .interval = standby_interval}); });
      if (!answer) return;
      if (auto* const granted = std::get_if<Granted>(&answer.value())) {
        // As a robot does, it does not use a grant that took too long.
        if (Clock::now() - begun > 1s) {
          // The call may have been made although its answer was lost.
          static_cast<void>(insist([&] { return store.cancel(granted->token); }, "unknown-token"));
          continue;
        }
        {
          const std::lock_guard lock(mutex);
          const auto before = last.find(number);
          if (before != last.end() && Clock::now() - before->second < standby_interval) ++early;
          last[number] = Clock::now();
          ++requests;
        }
        // Otherwise the site would be held for five minutes.
        static_cast<void>(insist([&] { return store.complete(granted->token, {.status = 200, .retry_after = {}}); },
                                 "unknown-token"));
        return;
      }
      std::this_thread::sleep_for(5ms);
    }
  }
  void work() {
    const auto opened_queue = insist([&] { return open_url_queue(name, "job", options()); });
    const auto opened_store = insist([&] { return open_store(name, options()); });
    if (!opened_queue || !opened_store) return;
    UrlQueue* const queue = opened_queue.value().get();
    Store* const store = opened_store.value().get();
    const auto claim = insist([&] { return queue->claim(); });
    while (!failed) {
      const auto claimed = insist([&] { return queue->claim_sites(claim.value(), 2); });
      if (!claimed || claimed.value().empty()) return;
      for (const QueueSite& one : claimed.value()) {
        while (!failed) {
          const auto items = insist([&] { return queue->take(claim.value(), one.id, {}, 1); });
          if (!items || items.value().empty()) break;
          const std::string url = items.value()[0].request.url;
          visit(*store, std::stoi(url.substr(url.find("//s") + 3)));
          const FinishedUrl result{items.value()[0].id, UrlState::done, {200, "", "", "", fetched_at, 1}};
          if (insist([&] { return queue->settle(claim.value(), std::array{result}, {}); })) ++settled;
        }
      }
    }
  }

  std::unique_ptr<PostgresServer> primary;
  std::unique_ptr<PostgresServer> standby;
  std::string name;
  const Clock::time_point end = Clock::now() + 120s;
  std::atomic<bool> failed{false};
  std::atomic<int> settled{0};
  std::mutex mutex;
  std::string failure;
  std::map<int, Clock::time_point> last;  // by site: the last request
  int early = 0;
  int requests = 0;
};

TEST_F(PostgresPromotion, OfASynchronousStandbyLosesNoSettlementAndNoRequestIsEarly) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { work(); });
  EXPECT_TRUE(eventually([&] { return settled > sites * urls / 3 || failed; }, 60s));
  primary->stop(PostgresServer::Stop::immediate);
  const int before = settled;
  standby->query("SELECT pg_promote()");
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(failed) << failure;
  EXPECT_LT(before, sites * urls) << "it was promoted under load";
  EXPECT_EQ(early, 0);
  EXPECT_EQ(settled, sites * urls) << "a URL that was settled is not taken again";
  EXPECT_GE(requests, sites * urls);
  EXPECT_EQ(open_queue()->counts().value(), (QueueCounts{.done = sites * urls}));
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
