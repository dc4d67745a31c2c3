// A robot asks its store through a session: a store that is slow, or never answers, holds up nothing else.
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <new>
#include <thread>

#include <robotrules/open_store.hpp>
#include <robotrules/seams/store_decorator.hpp>
#include <robotrules/seams/store_session.hpp>

#include "support/agent/loopback.hpp"
#include "support/agent/robot_rig.hpp"
#include "support/folder.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

constexpr const char* a = "http://a.test";
constexpr const char* b = "http://b.test";
constexpr const char* c = "http://c.test";

// What a test does with a store's answers.
struct Script {
  bool holds = false;                      // answers are kept back until release()
  std::deque<std::function<void()>> held;  // calls that were not made yet
  std::vector<std::size_t> batches;        // requests in each call of the gate
  int fails = 0;                           // so many calls of the gate fail as a whole

  void release_next() {
    const auto call = std::move(held.front());
    held.pop_front();
    call();
  }
  void release() {
    while (!held.empty()) release_next();
  }
};

class HeldSession final : public StoreSession {
 public:
  HeldSession(Store& store, std::shared_ptr<Script> script)
      : direct_(make_direct_session(store)), script_(std::move(script)) {}

  Timestamp now() const override { return direct_->now(); }
  std::chrono::microseconds since_boot() const override { return direct_->since_boot(); }
  Timestamp approximate_now() const override { return direct_->approximate_now(); }
  void call_gate(std::shared_ptr<const GateCalls> calls, Done<Result<GateAnswers>> done) override {
    script_->batches.push_back(calls->requests.size());
    if (script_->fails > 0) {
      --script_->fails;
      return pass([done] { done(Error{"store-lost", "the store is gone"}); });
    }
    pass([this, calls, done] { direct_->call_gate(calls, done); });
  }
  void read(const Origin& origin, std::optional<std::uint64_t> known, Done<Result<ReadRobots>> done) override {
    pass([this, origin, known, done] { direct_->read(origin, known, done); });
  }
  void put(const Origin& origin, RobotsRecord record, std::optional<RobotsLease> lease,
           Done<Result<void>> done) override {
    pass([this, origin, record, lease, done] { direct_->put(origin, record, lease, done); });
  }
  void lease(const Origin& origin, std::chrono::microseconds length, Done<Result<LeaseAnswer>> done) override {
    pass([this, origin, length, done] { direct_->lease(origin, length, done); });
  }
  void release(RobotsLease lease) override {
    pass([this, lease] { direct_->release(lease); });
  }
  void finish() override { script_->release(); }

 private:
  void pass(std::function<void()> call) {
    if (!script_->holds) return call();
    script_->held.push_back(std::move(call));
  }

  std::unique_ptr<StoreSession> direct_;
  std::shared_ptr<Script> script_;
};

class HeldStore final : public StoreDecorator {
 public:
  HeldStore(std::shared_ptr<Store> inner, std::shared_ptr<Script> script)
      : StoreDecorator(std::move(inner)), script_(std::move(script)) {}
  bool may_wait() const noexcept override { return false; }
  std::unique_ptr<StoreSession> open_session(StoreSession::Post /*post*/) override {
    return std::make_unique<HeldSession>(*this, script_);
  }

 private:
  std::shared_ptr<Script> script_;
};

class StoreSessions : public testing::Test {
 protected:
  std::shared_ptr<Script> script = std::make_shared<Script>();
  std::shared_ptr<ManualClock> clock = std::make_shared<ManualClock>();
  std::shared_ptr<Store> store = make_memory_store({.clock = [time = clock] { return time->now(); }});
  RobotRig rig{clock, std::make_shared<HeldStore>(store, script), undelayed()};
};

TEST_F(StoreSessions, AStoreThatNeverAnswersHoldsUpNoOtherTransfer) {
  for (const char* site : {a, b}) rig.site(site, no_x);
  rig.fetch("http://a.test/1");
  std::string arrived;
  Request slow = request_to("http://a.test/slow");
  slow.on_body = [&](std::string_view bytes) {
    arrived += bytes;
    return true;
  };
  rig.transport->on("http://a.test/slow", {.body = "slow page", .latency = 1min});
  const std::size_t in_flight = rig.start(std::move(slow));
  ASSERT_TRUE(rig.loop->until([&] { return rig.transport->count("http://a.test/slow") == 1; }));

  script->holds = true;
  const std::size_t waits = rig.start("http://b.test/1");
  UserAgent other({.agent = "Other/1.0"}, rig.loop, rig.transport);
  std::optional<Response> page;
  const Pending kept =
      other.start(request_to("http://c.test/1"), [&](Response response) { page = std::move(response); });
  rig.loop->advance(1h);
  ASSERT_TRUE(page.has_value());
  EXPECT_EQ(page->code, 200);
  EXPECT_EQ(arrived, "slow page");
  EXPECT_FALSE(rig.is_answered(waits));
  EXPECT_FALSE(rig.is_answered(in_flight));  // its outcome is not in the store
  EXPECT_EQ(rig.robots(b), 0U);              // never early, and never "allowed"

  script->holds = false;
  script->release();
  ASSERT_TRUE(rig.loop->until([&] { return rig.is_answered(waits) && rig.is_answered(in_flight); }));
  EXPECT_EQ(rig.answer(waits).code, 200);
  EXPECT_EQ(rig.answer(in_flight).code, 200);
}

TEST_F(StoreSessions, OneBatchOfTheGateIsUnderWayAndTheNextOneFills) {
  for (const char* site : {a, b, c}) {
    rig.site(site, no_x);
    rig.fetch(std::string(site) + "/1");
  }
  script->holds = true;
  script->batches.clear();
  rig.start("http://a.test/2");
  rig.loop->run();
  rig.start("http://b.test/2");
  rig.start("http://c.test/2");
  rig.loop->run();
  EXPECT_EQ(script->batches, std::vector<std::size_t>{1});
  script->release();
  rig.loop->run();
  EXPECT_EQ(script->batches, (std::vector<std::size_t>{1, 2}));
}

TEST_F(StoreSessions, AnAgentThatEndsGivesBackWhatItIsGrantedMeanwhile) {
  for (const char* site : {a, b}) rig.site(site, no_x);
  rig.fetch("http://a.test/1");
  script->holds = true;
  rig.start("http://a.test/2");  // waits for the gate
  rig.start("http://b.test/1");  // waits for the lease to fetch robots.txt
  rig.loop->run();
  ASSERT_EQ(script->held.size(), 2U);
  rig.end_agent();
  EXPECT_TRUE(script->held.empty());
  EXPECT_EQ(store->gate(a).value().in_flight, 0U);
  EXPECT_EQ(store->gate(a).value().visits, 1U);
  const auto lease = store->lease_robots_fetch(*Origin::of(b), 1min);
  EXPECT_TRUE(std::holds_alternative<RobotsLease>(lease.value()));
}

// Rules that change between the grant and the dispatch are read once more, also if that takes a while.
TEST_F(StoreSessions, RulesThatAreReplacedBeforeTheDispatchDecide) {
  rig.site(a, "");
  rig.fetch("http://a.test/1");
  script->holds = true;
  const std::size_t number = rig.start("http://a.test/x");
  rig.loop->run();
  ASSERT_EQ(script->held.size(), 1U);  // the gate
  RobotsRecord record = *store->robots(*Origin::of(a)).value();
  record.body = std::make_shared<const std::string>(no_x);
  ASSERT_TRUE(store->put_robots(*Origin::of(a), record));
  script->release_next();
  EXPECT_EQ(script->held.size(), 1U);  // the record
  EXPECT_FALSE(rig.is_answered(number));
  script->holds = false;
  script->release();
  rig.loop->run();
  ASSERT_TRUE(rig.is_answered(number));
  EXPECT_EQ(rig.answer(number).source, ResponseSource::robots_denied);
  EXPECT_EQ(store->gate(a).value().in_flight, 0U);
}

// Others may have visited the site meanwhile.
TEST_F(StoreSessions, AGrantThatHasBecomeOldWhileTheRulesWereReadIsNotUsed) {
  rig.site(a, no_x);
  rig.fetch("http://a.test/1");
  script->holds = true;
  const std::size_t number = rig.start("http://a.test/2");
  rig.loop->run();
  ASSERT_TRUE(store->put_robots(*Origin::of(a), *store->robots(*Origin::of(a)).value()));
  const auto answer_next = [&] {
    ASSERT_EQ(script->held.size(), 1U);
    script->release_next();
  };
  answer_next();  // the gate
  rig.loop->advance(3s);
  script->batches.clear();
  answer_next();  // the record
  rig.loop->run();
  EXPECT_EQ(rig.transport->count("http://a.test/2"), 0U);
  EXPECT_EQ(script->batches, std::vector<std::size_t>{1}) << "the gate is asked again";
  ASSERT_TRUE(store->put_robots(*Origin::of(a), *store->robots(*Origin::of(a)).value()));
  answer_next();  // the gate
  rig.loop->run();
  EXPECT_EQ(rig.transport->count("http://a.test/2"), 1U) << "the rules were read just now";
  script->holds = false;
  script->release();
  ASSERT_TRUE(rig.loop->until([&] { return rig.is_answered(number); }));
  EXPECT_EQ(rig.answer(number).code, 200);
  EXPECT_EQ(store->gate(a).value().visits, 2U);
  EXPECT_EQ(store->gate(a).value().in_flight, 0U);
}

// The age of a permit counts when the request is handed over; the connection takes its time after that.
TEST_F(StoreSessions, ASiteWhoseConnectionTakesFiveSecondsIsFetched) {
  script->holds = false;
  rig.site(a, no_x);
  rig.transport->on("http://a.test/slow", {.body = "page", .latency = 5s});
  EXPECT_EQ(rig.fetch("http://a.test/slow").code, 200);
  EXPECT_EQ(rig.transport->count("http://a.test/slow"), 1U);
}

// A batch that fails as a whole is an answer to its requests. The dispatches that have ended are reported again.
TEST_F(StoreSessions, ABatchThatFailsIsAnErrorAndItsEndsAreReportedAgain) {
  rig.site(a, no_x);
  rig.fetch("http://a.test/1");
  script->fails = 1;
  EXPECT_EQ(rig.fetch("http://a.test/2").source, ResponseSource::store);

  rig.transport->on("http://a.test/3", {.body = "page", .latency = 1s});
  const std::size_t third = rig.start("http://a.test/3");
  ASSERT_TRUE(rig.loop->until([&] { return rig.transport->count("http://a.test/3") == 1; }));
  script->fails = 3;
  script->batches.clear();
  rig.loop->advance(10s);
  ASSERT_TRUE(rig.is_answered(third));
  EXPECT_EQ(rig.answer(third).code, 200);
  EXPECT_EQ(script->batches.size(), 4U);
  EXPECT_EQ(store->gate(a).value().in_flight, 0U);
  EXPECT_EQ(store->gate(a).value().visits, 2U);
}

// The rules are dropped to save memory while the store confirms that they are unchanged.
TEST_F(StoreSessions, RulesThatAreDroppedDuringAReadingAreReadAgain) {
  RobotUAOptions options = undelayed();
  options.max_rule_bytes = 1;
  RobotRig small(clock, std::make_shared<HeldStore>(store, script), options);
  for (const char* site : {a, b}) small.site(site, no_x);
  small.fetch("http://a.test/1");
  script->holds = true;
  const std::size_t denied = small.start("http://a.test/x");  // reads
  small.loop->run();
  ASSERT_EQ(script->held.size(), 1U);
  small.start("http://b.test/1");  // the rules of a.test are dropped
  small.loop->run();
  script->holds = false;
  script->release();
  ASSERT_TRUE(small.loop->until([&] { return small.answered() == 3; }));
  EXPECT_EQ(small.answer(denied).source, ResponseSource::robots_denied);
  EXPECT_EQ(small.robots(a), 1U);
}

// A grant of one store is not used once the agent has rules of another.
TEST_F(StoreSessions, AGrantOfAStoreThatWasReplacedIsGivenBack) {
  rig.site(a, no_x);
  rig.fetch("http://a.test/1");
  script->holds = true;
  const std::size_t number = rig.start("http://a.test/2");
  rig.loop->run();
  const RobotsRecord record = *store->robots(*Origin::of(a)).value();
  ASSERT_TRUE(store->put_robots(*Origin::of(a), record));  // so that the record is read once more
  script->release_next();
  ASSERT_EQ(script->held.size(), 1U);  // the record
  const auto other = make_memory_store({.clock = [time = clock] { return time->now(); }});
  auto rules = std::make_shared<RobotRules>(RobotRules::open(other, "my-robot").value());
  ASSERT_TRUE(rig.agent().rules(rules));
  rig.loop->run();
  script->holds = false;
  script->release();
  ASSERT_TRUE(rig.loop->until([&] { return rig.is_answered(number); }));
  EXPECT_EQ(rig.answer(number).code, 200);
  EXPECT_EQ(store->gate(a).value().visits, 1U);
  EXPECT_EQ(store->gate(a).value().in_flight, 0U);
  EXPECT_EQ(other->gate(a).value().visits, 1U);
}

// A store that notes on which threads it is called.
class WatchedStore final : public StoreDecorator {
 public:
  using StoreDecorator::StoreDecorator;
  bool may_wait() const noexcept override { return true; }
  GateAnswers call_gate(const GateCalls& calls) override {
    note();
    return StoreDecorator::call_gate(calls);
  }
  Result<LeaseAnswer> lease_robots_fetch(const Origin& origin, std::chrono::microseconds length) override {
    note();
    if (throws) throw std::bad_alloc();
    return StoreDecorator::lease_robots_fetch(origin, length);
  }
  std::vector<std::thread::id> threads() const {
    const std::lock_guard lock(mutex_);
    return threads_;
  }
  std::atomic<bool> throws{false};

 private:
  void note() {
    const std::lock_guard lock(mutex_);
    threads_.push_back(std::this_thread::get_id());
  }
  mutable std::mutex mutex_;
  std::vector<std::thread::id> threads_;
};

// The tasks of a loop that this thread runs.
struct Tasks {
  std::mutex mutex;
  std::condition_variable posted;
  std::deque<std::function<void()>> tasks;

  StoreSession::Post post() {
    return [this](std::function<void()> task) {
      const std::lock_guard lock(mutex);
      tasks.push_back(std::move(task));
      posted.notify_all();
    };
  }
  void run_until(const std::function<bool()>& over) {
    while (!over()) {
      std::unique_lock lock(mutex);
      posted.wait(lock, [this] { return !tasks.empty(); });
      const auto task = std::move(tasks.front());
      tasks.pop_front();
      lock.unlock();
      task();
    }
  }
};

class ThreadSessions : public testing::Test {
 protected:
  std::shared_ptr<WatchedStore> store = std::make_shared<WatchedStore>(make_memory_store());
  Tasks tasks;
  std::unique_ptr<StoreSession> session = store->open_session(tasks.post());
  const Origin origin = *Origin::of(a);
};

TEST_F(ThreadSessions, AnswerInOrderOnTheLoopsThreadAfterWorkOnAnother) {
  std::vector<std::string> told;
  const auto here = std::this_thread::get_id();
  auto calls = std::make_shared<GateCalls>();
  calls->requests.push_back(std::make_shared<const ReserveRequest>(ReserveRequest{.keys = {gate_key(origin)}}));
  session->call_gate(calls, [&](const Result<GateAnswers>& answers) {
    EXPECT_EQ(std::this_thread::get_id(), here);
    EXPECT_TRUE(std::holds_alternative<Granted>(answers->requests.at(0).value()));
    told.push_back("gate");
  });
  RobotsRecord record;
  record.body = std::make_shared<const std::string>(no_x);
  session->put(origin, record, std::nullopt, [&](const Result<void>& put) {
    EXPECT_TRUE(put);
    told.push_back("put");
  });
  std::uint64_t changes = 0;
  session->read(origin, std::nullopt, [&](const Result<ReadRobots>& read) {
    EXPECT_EQ(*read->record->body, no_x);
    changes = read->changes;
    told.push_back("read");
  });
  EXPECT_TRUE(told.empty());
  tasks.run_until([&] { return told.size() == 3; });
  EXPECT_EQ(told, (std::vector<std::string>{"gate", "put", "read"}));
  EXPECT_NE(store->threads().at(0), here);

  session->read(origin, changes, [&](const Result<ReadRobots>& read) {
    EXPECT_TRUE(read->is_unchanged);
    told.push_back("again");
  });
  tasks.run_until([&] { return told.size() == 4; });
}

TEST_F(ThreadSessions, FinishTellsAllAnswersAlsoOfCallsThatAnAnswerMakes) {
  int told = 0;
  session->lease(origin, 1min, [&](Result<LeaseAnswer> answer) {
    ++told;
    session->release(std::get<RobotsLease>(std::move(answer).value()));
    session->lease(origin, 1min, [&](const Result<LeaseAnswer>& next) {
      ++told;
      EXPECT_TRUE(std::holds_alternative<RobotsLease>(next.value()));
    });
  });
  session->finish();
  EXPECT_EQ(told, 2);
}

TEST_F(ThreadSessions, ASessionThatEndsMakesItsCallsAndTellsNothing) {
  session->lease(origin, 1min, [](const Result<LeaseAnswer>&) { FAIL() << "told"; });
  session.reset();
  EXPECT_TRUE(std::holds_alternative<Wait>(store->lease_robots_fetch(origin, 1min).value()));
  const auto left = std::move(tasks.tasks);
  for (const auto& task : left) task();
}

TEST_F(ThreadSessions, MemoryThatRunsOutIsAnAnswer) {
  store->throws = true;
  std::string_view code;
  session->lease(origin, 1min, [&](const Result<LeaseAnswer>& answer) { code = answer.error().code; });
  session->finish();
  EXPECT_EQ(code, "out-of-memory");
}

// The gate's answer may be on its way when the agent ends, at any moment of a fetch.
TEST(SessionsOfAFile, AgentsThatEndLeaveNothingInFlight) {
  Loopback site;
  site.robots_txt(reply(no_x));
  const std::string file = new_folder() + "/robots.db";
  SqliteStoreOptions kept;
  kept.first_ever = true;
  const Origin origin = *Origin::of(site.url("/"));
  for (int i = 0; i < 40; ++i) {
    auto store = open_sqlite_store(file, kept);
    ASSERT_TRUE(store) << store.error().message;
    {
      std::promise<void> first;  // outlives the agent
      auto rules = std::make_shared<RobotRules>(RobotRules::open(store.value(), "my-robot").value());
      auto agent = RobotUA::make("my-robot/0.1", "me@example.org", rules, site.robot_options);
      ASSERT_TRUE(agent);
      const Pending one = agent->start(request_to(site.url("/1")), [&](const Response&) { first.set_value(); });
      const Pending two = agent->start(request_to(site.url("/2")), [](const Response&) {});
      const Pending three = agent->start(request_to(site.url("/3")), [](const Response&) {});
      if (i % 2 == 0) first.get_future().wait();
    }
    EXPECT_EQ(store.value()->gate(gate_key(origin)).value().in_flight, 0U) << i;
    const auto lease = store.value()->lease_robots_fetch(origin, 1h);
    ASSERT_TRUE(std::holds_alternative<RobotsLease>(lease.value())) << i;
    ASSERT_TRUE(store.value()->release(std::get<RobotsLease>(lease.value())));
    ASSERT_TRUE(store.value()->forget(origin));
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
