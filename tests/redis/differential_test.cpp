// The gate in Lua gives the same answers as the gate in C++: random calls to a store in Redis and to one in memory.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "redis/redis_stores.hpp"
#include "store/store_contract.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;

// 100,000 calls; 10 million with ROBOTRULES_SOAK.
std::size_t number_of_calls() { return std::getenv("ROBOTRULES_SOAK") == nullptr ? 100'000 : 10'000'000; }

class Differential : public testing::Test {
 protected:
  struct Out {
    Token redis;
    Token memory;
  };

  unsigned below(unsigned end) { return static_cast<unsigned>(random() % end); }
  template <class T>
  T one_of(std::initializer_list<T> values) {
    return values.begin()[below(static_cast<unsigned>(values.size()))];
  }

  ReserveRequest request() {
    ReserveRequest made;
    const std::string domain = "site" + std::to_string(below(6)) + ".example";
    const std::string host = below(2) == 0 ? domain : "www." + domain;
    made.keys = {"https://" + host};
    if (below(3) == 0) made.keys.push_back("host:" + host);
    if (below(4) == 0) made.keys.push_back("domain:" + domain);
    if (below(8) == 0) std::swap(made.keys.front(), made.keys.back());
    made.interval = one_of<microseconds>({0us, 1us, 999'999us, 1s, 10s, 1min, 1h, 24h * 30, 24h * 366});
    if (below(2) == 0) made.interval = one_of<microseconds>({1s, 2s, 5s});
    made.source = static_cast<IntervalSource>(below(3));
    if (below(4) == 0) {
      made.adaptive = {one_of({0.1, 1.5, 3.0, 1e9, -1.0, 0.333333333333}), one_of<microseconds>({0us, 7s, 1h})};
    }
    made.from_start = below(4) == 0;
    made.hold = one_of<microseconds>({1us, 3s, 20s, 5min, 24h * 366});
    if (below(2) == 0) made.hold = 20s;
    made.in_flight = one_of<std::uint32_t>({0, 1, 1, 1, 2, 3});
    made.max_penalty = one_of<microseconds>({0us, 30s, 24h, 24h, 48h, 24h * 366});
    made.robots_fetch = below(6) == 0;
    return made;
  }
  std::optional<Outcome> outcome() {
    if (below(5) == 0) return std::nullopt;
    Outcome made;
    made.status = one_of({200, 200, 200, 200, 0, 404, 403, 301, 429, 503, 500, 502});
    if (below(6) == 0) {
      made.retry_after =
          one_of<microseconds>({0us, -5s, 1us, 30s, 1h, 25h, 24h * 400, microseconds::max(), microseconds::min()});
    }
    made.cause = static_cast<OutcomeCause>(below(4) == 0 ? below(6) : 0);
    made.latency = one_of<microseconds>({0us, 137us, 20ms, 2s, 10min, -1s, microseconds::max()});
    return made;
  }
  void go_on() {
    clock.advance(one_of<microseconds>({0us, 1us, 333ms, 1s, 2s, 7s, 20s}));
    if (below(300) == 0) clock.advance(one_of<microseconds>({1h, 25h, 24h * 31}));
    if (below(500) == 0) clock.advance(-one_of<microseconds>({1us, 5s, 1h, 24h}));
  }

  void compare(const Result<ReserveAnswer>& one, const Result<ReserveAnswer>& other, std::size_t call) {
    ASSERT_EQ(one.ok(), other.ok()) << "call " << call << (one ? std::string() : ": " + one.error().message);
    if (!one) return;
    ASSERT_EQ(one->index(), other->index()) << "call " << call;
    if (const auto* granted = std::get_if<Granted>(&one.value())) {
      const Token& a = granted->token;
      const Token& b = std::get<Granted>(other.value()).token;
      ASSERT_EQ(a.granted_at, b.granted_at);
      ASSERT_EQ(a.expires_at, b.expires_at);
      ASSERT_EQ(a.keys, b.keys);
      out.push_back({a, b});
    } else if (const auto* wait = std::get_if<Wait>(&one.value())) {
      const Wait& b = std::get<Wait>(other.value());
      ASSERT_EQ(wait->until, b.until) << "call " << call;
      ASSERT_EQ(wait->key, b.key) << "call " << call;
      ASSERT_EQ(wait->why, b.why) << "call " << call;
    } else {
      ASSERT_EQ(std::get<Blocked>(one.value()).until, std::get<Blocked>(other.value()).until) << "call " << call;
      ASSERT_EQ(std::get<Blocked>(one.value()).key, std::get<Blocked>(other.value()).key) << "call " << call;
    }
  }
  void compare_states(const std::string& key, std::size_t call) {
    const GateState a = redis->gate(key).value();
    const GateState b = memory->gate(key).value();
    ASSERT_EQ(a.interval, b.interval) << key << ", call " << call;
    ASSERT_EQ(a.source, b.source) << key << ", call " << call;
    ASSERT_EQ(a.interval_start, b.interval_start) << key << ", call " << call;
    ASSERT_EQ(a.latency, b.latency) << key << ", call " << call;
    ASSERT_EQ(a.penalty_until, b.penalty_until) << key << ", call " << call;
    ASSERT_EQ(a.incidents, b.incidents) << key << ", call " << call;
    ASSERT_EQ(a.failures, b.failures) << key << ", call " << call;
    ASSERT_EQ(a.failing_since, b.failing_since) << key << ", call " << call;
    ASSERT_EQ(a.away_until, b.away_until) << key << ", call " << call;
    ASSERT_EQ(a.in_flight, b.in_flight) << key << ", call " << call;
    ASSERT_EQ(a.first_hold_ends, b.first_hold_ends) << key << ", call " << call;
    ASSERT_EQ(a.visits, b.visits) << key << ", call " << call;
    ASSERT_EQ(a.last_visit, b.last_visit) << key << ", call " << call;
  }
  // A call that is not one of the gate's batch.
  void other_call(std::size_t call) {
    const Origin site = *Origin::of("https://site" + std::to_string(below(6)) + ".example");
    const Timestamp time = clock.now() + one_of<microseconds>({-24h * 400, -1h, 0us, 1s, 48h, 24h * 5000});
    switch (below(4)) {
      case 0: ASSERT_TRUE(redis->add_visit(site, time).ok() && memory->add_visit(site, time).ok()); break;
      case 1: {
        const Visits visits{below(1000), below(2) == 0 ? std::nullopt : std::optional(time)};
        ASSERT_TRUE(redis->restore_gate(gate_key(site), time, visits).ok());
        ASSERT_TRUE(memory->restore_gate(gate_key(site), time, visits).ok());
        break;
      }
      case 2: ASSERT_EQ(redis->forget(site).value(), memory->forget(site).value()) << "call " << call; break;
      default:
        if (below(20) != 0) break;
        // A refused request makes an empty row in memory, and none in Redis.
        ASSERT_LE(redis->prune(time).value().gates, memory->prune(time).value().gates) << "call " << call;
    }
  }

  std::mt19937_64 random{20'261'123};
  ScriptedClock clock;
  std::shared_ptr<Store> redis;
  std::shared_ptr<Store> memory;
  std::vector<Out> out;
};

TEST_F(Differential, TheGateInLuaAnswersAsTheOneInMemory) {
  NEEDS_REDIS();
  redis = new_redis_store([this] { return clock.now(); });
  ASSERT_NE(redis, nullptr);
  MemoryStoreOptions options;
  options.clock = [this] { return clock.now(); };
  memory = make_memory_store(options);
  std::size_t grants = 0;
  const std::size_t calls = number_of_calls();
  for (std::size_t call = 0; call < calls && !HasFatalFailure();) {
    go_on();
    GateCalls one;
    GateCalls other;
    for (unsigned i = below(6); i > 0 && !out.empty(); --i) {
      const auto at = out.begin() + below(static_cast<unsigned>(out.size()));
      const auto how = outcome();
      one.ends.push_back({at->redis, how});
      other.ends.push_back({at->memory, how});
      if (below(20) != 0) out.erase(at);  // or it is ended twice
    }
    for (unsigned i = 1 + below(8); i > 0; --i) one.requests.push_back(std::make_shared<ReserveRequest>(request()));
    other.requests = one.requests;
    const GateAnswers a = redis->call_gate(one);
    const GateAnswers b = memory->call_gate(other);
    for (std::size_t i = 0; i < a.ends.size(); ++i) {
      ASSERT_EQ(a.ends[i].ok(), b.ends[i].ok())
          << "call " << call + i << (a.ends[i] ? std::string() : ": " + a.ends[i].error().message);
    }
    for (std::size_t i = 0; i < a.requests.size() && !HasFatalFailure(); ++i) {
      compare(a.requests[i], b.requests[i], call + i);
      if (a.requests[i] && std::holds_alternative<Granted>(a.requests[i].value())) ++grants;
    }
    call += a.ends.size() + a.requests.size();
    if (below(8) == 0) {
      other_call(call);
      ++call;
    }
    if (below(4) == 0) compare_states(one.requests.front()->keys.front(), call);
    if (out.size() > 40) out.erase(out.begin(), out.begin() + 20);  // their owners died
  }
  EXPECT_GT(grants, calls / 50);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
