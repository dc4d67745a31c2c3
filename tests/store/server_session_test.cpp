// A session of a store on a server: it waits for a server that cannot be reached, and goes on when it is back.
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include <robotrules/seams/store_decorator.hpp>

#include "servers/server_session.hpp"

namespace robotrules::store {
namespace {

using namespace std::chrono_literals;

// The loop of a robot: tasks that the test's thread runs.
class Tasks {
 public:
  void post(std::function<void()> task) {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    changed_.notify_all();
  }
  // Runs tasks until `is_done` or for 20 seconds. Returns is_done().
  bool run_until(const std::function<bool()>& is_done) {
    const auto deadline = std::chrono::steady_clock::now() + 20s;
    while (!is_done()) {
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, 10ms, [this] { return !tasks_.empty(); });
      if (std::chrono::steady_clock::now() > deadline) return is_done();
      if (tasks_.empty()) continue;
      const auto task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
    }
    return true;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
};

Error lost() { return {"store-unreachable", "the server does not answer"}; }

// A memory store behind a network that can be cut.
class CutStore final : public StoreDecorator {
 public:
  using StoreDecorator::StoreDecorator;
  GateAnswers call_gate(const GateCalls& calls) override {
    ++gate_calls;
    GateAnswers answers = cut == none ? StoreDecorator::call_gate(calls) : GateAnswers{};
    if (cut == none) {
      const std::lock_guard lock(mutex_);
      for (const auto& end : calls.ends) ended.push_back(end.token.fence);
      return wait_for_answer(std::move(answers));
    }
    // Only the keys of the site b are on the server that can be reached.
    for (const auto& end : calls.ends) {
      answers.ends.push_back(is_reached(end.token.keys.front()) ? end_of(end) : Result<void>(Error{code.load(), "no"}));
    }
    for (const auto& request : calls.requests) {
      answers.requests.push_back(is_reached(request->keys.front()) ? reserve(*request) : Result<ReserveAnswer>(lost()));
    }
    return answers;
  }
  Result<LeaseAnswer> lease_robots_fetch(const Origin& origin, std::chrono::microseconds length) override {
    ++lease_calls;
    if (cut != none && !is_reached(origin.to_string())) return lost();
    return StoreDecorator::lease_robots_fetch(origin, length);
  }
  Result<void> release(const RobotsLease& lease) override {
    ++release_calls;
    if (cut != none) return lost();
    return StoreDecorator::release(lease);
  }
  std::size_t ends() {
    const std::lock_guard lock(mutex_);
    return ended.size();
  }

  // What the server does not take, and why.
  enum Cut { none, all, all_but_b };
  std::atomic<const char*> code = "store-unreachable";
  std::atomic<Cut> cut = none;
  std::atomic<bool> is_slow = false;
  std::atomic<int> gate_calls = 0;
  std::atomic<int> lease_calls = 0;
  std::atomic<int> release_calls = 0;

 private:
  bool is_reached(const std::string& key) const { return cut == all_but_b && key == "http://b.test"; }
  Result<void> end_of(const GateCalls::Finish& end) {
    return end.outcome ? complete(end.token, *end.outcome) : cancel(end.token);
  }
  // As a process that is stopped while the answer is on its way.
  GateAnswers wait_for_answer(GateAnswers answers) const {
    if (is_slow) {
      const auto until = std::chrono::steady_clock::now() + 1'100ms;
      while (std::chrono::steady_clock::now() < until) std::this_thread::yield();
    }
    return answers;
  }

  std::mutex mutex_;
  std::vector<std::uint64_t> ended;
};

class ServerSessions : public testing::Test {
 protected:
  static std::shared_ptr<const ReserveRequest> request(const std::string& key) {
    auto made = std::make_shared<ReserveRequest>();
    made->keys = {key};
    made->interval = 1h;
    return made;
  }
  // Returns the answers of one batch.
  GateAnswers call(GateCalls calls) {
    std::optional<Result<GateAnswers>> answers;
    session->call_gate(std::make_shared<const GateCalls>(std::move(calls)),
                       [&](Result<GateAnswers> made) { answers.emplace(std::move(made)); });
    EXPECT_TRUE(tasks.run_until([&] { return answers.has_value(); }));
    EXPECT_TRUE(answers && answers->ok());
    return answers && answers->ok() ? std::move(*answers).value() : GateAnswers{};
  }
  ReserveAnswer ask(const std::string& key) {
    GateAnswers answers = call({{}, {request(key)}});
    EXPECT_EQ(answers.requests.size(), 1U);
    EXPECT_TRUE(answers.requests.at(0).ok());
    return answers.requests.at(0).value();
  }
  static WaitWhy why(const ReserveAnswer& answer) {
    const Wait* wait = std::get_if<Wait>(&answer);
    EXPECT_NE(wait, nullptr);
    return wait == nullptr ? WaitWhy::interval : wait->why;
  }

  Tasks tasks;
  std::shared_ptr<CutStore> store = std::make_shared<CutStore>(make_memory_store());
  std::unique_ptr<StoreSession> session =
      make_server_session(*store, [this](std::function<void()> task) { tasks.post(std::move(task)); }, true);
};

TEST_F(ServerSessions, ARequestThatCannotBeAskedWaits) {
  store->cut = CutStore::all;
  EXPECT_EQ(why(ask("http://a.test")), WaitWhy::unreachable);
  store->cut = CutStore::none;
  EXPECT_TRUE(std::holds_alternative<Granted>(ask("http://a.test")));
}

TEST_F(ServerSessions, OnlyTheKeysOfTheLostServerWait) {
  store->cut = CutStore::all_but_b;
  const GateAnswers answers = call({{}, {request("http://a.test"), request("http://b.test")}});
  EXPECT_EQ(why(answers.requests.at(0).value()), WaitWhy::unreachable);
  EXPECT_TRUE(std::holds_alternative<Granted>(answers.requests.at(1).value()));
}

TEST_F(ServerSessions, AnEndThatCouldNotBeReportedIsReportedLaterByItself) {
  const Token token = std::get<Granted>(ask("http://a.test")).token;
  store->cut = CutStore::all;
  const GateAnswers answers = call({{{token, Outcome{.status = 503, .retry_after = 2h}}}, {}});
  EXPECT_TRUE(answers.ends.at(0).ok());
  EXPECT_EQ(store->gate("http://a.test").value().in_flight, 1U);
  store->cut = CutStore::none;
  ASSERT_TRUE(tasks.run_until([&] { return store->ends() == 1; }));
  const GateState state = store->gate("http://a.test").value();
  EXPECT_EQ(state.in_flight, 0U);
  EXPECT_EQ(state.incidents, 1U);
}

// Otherwise the penalty would be forgotten.
TEST_F(ServerSessions, AnEndForWhichTheServerHasNoRoomIsReportedLater) {
  for (const char* code : {"store-full", "store-io"}) {
    const std::string key = std::string("http://") + code + ".test";
    const Token token = std::get<Granted>(ask(key)).token;
    store->code = code;
    store->cut = CutStore::all;
    EXPECT_TRUE(call({{{token, Outcome{.status = 503, .retry_after = 2h}}}, {}}).ends.at(0).ok());
    store->cut = CutStore::none;
    EXPECT_TRUE(tasks.run_until([&] { return store->gate(key).value().incidents == 1; })) << code;
  }
}

TEST_F(ServerSessions, OwedEndsComeBeforeTheRequestsOfTheNextBatch) {
  const Token token = std::get<Granted>(ask("http://a.test")).token;
  store->cut = CutStore::all;
  call({{{token, std::nullopt}}, {}});
  store->cut = CutStore::none;
  EXPECT_TRUE(std::holds_alternative<Granted>(ask("http://a.test")));  // the dispatch did not happen
}

TEST_F(ServerSessions, AGrantThatCameLateIsGivenBack) {
  store->is_slow = true;
  EXPECT_EQ(why(ask("http://a.test")), WaitWhy::unreachable);
  store->is_slow = false;
  ASSERT_TRUE(tasks.run_until([&] { return store->ends() == 1; }));
  const GateState state = store->gate("http://a.test").value();
  EXPECT_EQ(state.in_flight, 0U);
  EXPECT_EQ(state.visits, 0U);
  EXPECT_TRUE(std::holds_alternative<Granted>(ask("http://a.test")));
}

TEST_F(ServerSessions, ACallForARecordWaitsForTheServer) {
  store->cut = CutStore::all;
  std::optional<Result<LeaseAnswer>> lease;
  session->lease(*Origin::of("http://a.test"), 1min, [&](Result<LeaseAnswer> answer) { lease.emplace(answer); });
  ASSERT_TRUE(tasks.run_until([&] { return store->lease_calls > 1; }));
  EXPECT_FALSE(lease.has_value());
  EXPECT_EQ(why(ask("http://a.test")), WaitWhy::unreachable);  // the gate is not held up
  store->cut = CutStore::none;
  ASSERT_TRUE(tasks.run_until([&] { return lease.has_value(); }));
  EXPECT_TRUE(lease->ok());
}

TEST_F(ServerSessions, OnlyTheRecordsOfTheLostServerWait) {
  store->cut = CutStore::all_but_b;
  std::vector<std::string> told;
  const auto lease = [&](const std::string& site, std::chrono::microseconds length) {
    session->lease(*Origin::of(site), length, [&, site](const Result<LeaseAnswer>& answer) {
      EXPECT_TRUE(answer.ok());
      told.push_back(site + (answer.ok() && std::holds_alternative<RobotsLease>(*answer) ? " leased" : " waits"));
    });
  };
  for (int i = 0; i < 3; ++i) lease("http://a.test", 1min);
  lease("http://b.test", 1min);
  ASSERT_TRUE(tasks.run_until([&] { return told.size() == 1; }));
  EXPECT_EQ(told.front(), "http://b.test leased");
  ASSERT_TRUE(tasks.run_until([&] { return store->lease_calls > 3; })) << "it goes on trying";
  lease("http://b.test", 1min);
  ASSERT_TRUE(tasks.run_until([&] { return told.size() == 2; }));
  EXPECT_EQ(told.back(), "http://b.test waits");
  store->cut = CutStore::none;
  lease("http://a.test", 1min);
  ASSERT_TRUE(tasks.run_until([&] { return told.size() == 6; }));
  told.erase(told.begin(), told.begin() + 2);
  EXPECT_EQ(told, (std::vector<std::string>{"http://a.test leased", "http://a.test waits", "http://a.test waits",
                                            "http://a.test waits"}))
      << "in their order";
}

TEST_F(ServerSessions, ALeaseThatCouldNotBeReleasedIsReleasedLater) {
  std::optional<Result<LeaseAnswer>> lease;
  const Origin origin = *Origin::of("http://a.test");
  session->lease(origin, 1min, [&](Result<LeaseAnswer> answer) { lease.emplace(std::move(answer)); });
  ASSERT_TRUE(tasks.run_until([&] { return lease.has_value(); }));
  store->cut = CutStore::all;
  session->release(std::get<RobotsLease>(lease->value()));
  ASSERT_TRUE(tasks.run_until([&] { return store->release_calls > 1; }));
  store->cut = CutStore::none;
  session->finish();
  EXPECT_TRUE(std::holds_alternative<RobotsLease>(store->lease_robots_fetch(origin, 1min).value()));
}

TEST_F(ServerSessions, ASessionEndsInBoundedTimeWithoutItsServer) {
  const Token token = std::get<Granted>(ask("http://a.test")).token;
  store->cut = CutStore::all;
  call({{{token, Outcome{.status = 200}}}, {}});
  bool is_answered = false;
  for (int i = 0; i < 100; ++i) {
    session->lease(*Origin::of("http://a.test"), 1min, [&](const Result<LeaseAnswer>& answer) {
      is_answered = true;
      EXPECT_EQ(answer.error().code, "store-unreachable");
    });
  }
  session.reset();
  EXPECT_FALSE(is_answered);  // not after the session was destroyed
  EXPECT_LE(store->lease_calls, 3);
}

TEST_F(ServerSessions, FinishReportsWhatIsOwed) {
  const Token token = std::get<Granted>(ask("http://a.test")).token;
  store->cut = CutStore::all;
  call({{{token, Outcome{.status = 200}}}, {}});
  store->cut = CutStore::none;
  session->finish();
  EXPECT_EQ(store->ends(), 1U);
  EXPECT_EQ(store->gate("http://a.test").value().in_flight, 0U);
}

}  // namespace
}  // namespace robotrules::store
