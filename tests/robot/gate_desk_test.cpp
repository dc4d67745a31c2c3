// The desk for the gate, on its own: an engine without requests, a store in memory, and a clock that the test moves.
#include "robot/gate_desk.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <new>

#include <robotrules/seams/store_session.hpp>

#include "support/agent/manual_loop.hpp"
#include "support/agent/scripted_transport.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using agent::Engine;
using agent::GateDesk;
using agent::GatePatience;

class GateDeskTest : public ::testing::Test {
 protected:
  static ReserveRequest page() { return {.keys = {"http://a.test"}, .interval = 10s}; }
  GateDesk::Number ask(GatePatience patience = {.max_wait = 1h}) {
    return desk_->ask(session_, page(), std::move(patience),
                      [this](Result<ReserveAnswer> answer) { answers_.push_back(std::move(answer)); });
  }
  bool is_granted(std::size_t number) const {
    return number < answers_.size() && answers_[number] && std::holds_alternative<Granted>(answers_[number].value());
  }
  // Another process sends a request to the site.
  Token other_process() const { return std::get<Granted>(store_->reserve(page()).value()).token; }
  std::uint64_t in_flight() const { return store_->gate("http://a.test").value().in_flight; }

  const std::shared_ptr<ManualClock> clock_ = std::make_shared<ManualClock>();
  const std::shared_ptr<ManualLoop> loop_ = std::make_shared<ManualLoop>(clock_);
  const std::shared_ptr<Store> store_ = make_memory_store({.clock = [clock = clock_] { return clock->now(); }});
  const std::shared_ptr<StoreSession> session_ = make_direct_session(*store_);
  const std::shared_ptr<Engine> engine_ =
      std::make_shared<Engine>(UserAgentOptions{}, loop_, std::make_shared<ScriptedTransport>(*loop_));
  const std::shared_ptr<GateDesk> desk_ = std::make_shared<GateDesk>(*engine_);
  std::vector<Result<ReserveAnswer>> answers_;
};

TEST_F(GateDeskTest, AsksAgainWhenTheTimeOfTheAnswerHasCome) {
  ASSERT_TRUE(store_->complete(other_process(), {.status = 200}).ok());
  int waits = 0;
  ask({.max_wait = 1h, .on_wait = [&](const Wait& wait) {
         ++waits;
         EXPECT_EQ(wait.why, WaitWhy::interval);
       }});
  EXPECT_TRUE(answers_.empty());  // never inside of ask()
  loop_->advance(9'999ms);
  EXPECT_TRUE(answers_.empty());
  loop_->advance(1ms);
  EXPECT_TRUE(is_granted(0));
  EXPECT_EQ(waits, 1);
  EXPECT_EQ(loop_->timers(), 0U);
}

TEST_F(GateDeskTest, AWaitThatThePatienceDoesNotPermitIsTheAnswer) {
  ASSERT_TRUE(store_->complete(other_process(), {.status = 200}).ok());
  ask({.max_wait = 5s});
  ask({.waits = false, .max_wait = 1h});
  loop_->run();
  ASSERT_EQ(answers_.size(), 2U);
  for (const auto& answer : answers_) EXPECT_TRUE(std::holds_alternative<Wait>(answer.value()));
  EXPECT_EQ(loop_->timers(), 0U);
}

TEST_F(GateDeskTest, LooksAgainAndAgainWhileARequestIsInFlight) {
  const Token token = other_process();
  ask({.max_wait = 0s});  // it is not known how long that takes
  loop_->advance(1min);
  EXPECT_TRUE(answers_.empty());
  ASSERT_TRUE(store_->cancel(token).ok());
  loop_->advance(500ms);
  EXPECT_TRUE(is_granted(0));
}

TEST_F(GateDeskTest, AForgottenQuestionGetsNeitherAnAnswerNorADispatch) {
  desk_->forget(ask());
  loop_->run();
  EXPECT_EQ(in_flight(), 0U);
  const Token token = other_process();
  const auto waiting = ask();
  loop_->run();
  EXPECT_EQ(loop_->timers(), 1U);
  desk_->forget(waiting);
  desk_->forget(waiting);
  EXPECT_EQ(loop_->timers(), 0U);
  ASSERT_TRUE(store_->cancel(token).ok());
  loop_->advance(1min);
  EXPECT_TRUE(answers_.empty());
  EXPECT_EQ(in_flight(), 0U);
}

TEST_F(GateDeskTest, AnAnswerMayForgetTheOtherQuestionsOfItsBatch) {
  GateDesk::Number second = 0;
  desk_->ask(session_, page(), {}, [&](Result<ReserveAnswer> answer) {
    answers_.push_back(std::move(answer));
    desk_->forget(second);
  });
  second = desk_->ask(session_, {.keys = {"http://b.test"}}, {},
                      [](const Result<ReserveAnswer>&) { FAIL() << "it was forgotten"; });
  loop_->run();
  EXPECT_TRUE(is_granted(0));
  EXPECT_EQ(store_->gate("http://b.test").value().in_flight, 0U);
}

// A session whose call of the gate gives what the test says.
class GivenSession : public StoreSession {
 public:
  GivenSession(StoreSession& of, std::function<Result<GateAnswers>(const GateCalls&)> give)
      : of_(of), give_(std::move(give)) {}
  Timestamp now() const override { return of_.now(); }
  std::chrono::microseconds since_boot() const override { return of_.since_boot(); }
  Timestamp approximate_now() const override { return of_.approximate_now(); }
  void call_gate(std::shared_ptr<const GateCalls> calls, Done<Result<GateAnswers>> done) override {
    done(give_(*calls));
  }
  void read(const Origin&, std::optional<std::uint64_t>, Done<Result<ReadRobots>>) override {}
  void put(const Origin&, RobotsRecord, std::optional<RobotsLease>, Done<Result<void>>) override {}
  void lease(const Origin&, std::chrono::microseconds, Done<Result<LeaseAnswer>>) override {}
  void release(RobotsLease) override {}
  void finish() override {}

 private:
  StoreSession& of_;
  std::function<Result<GateAnswers>(const GateCalls&)> give_;
};

TEST_F(GateDeskTest, ACallThatFailsAsAWholeIsAnErrorForEachQuestion) {
  const auto session = std::make_shared<GivenSession>(*session_, [](const GateCalls&) -> Result<GateAnswers> {
    return Error{"store-unreachable", "no server answers"};
  });
  std::vector<GateDesk::Number> asked;
  for (int i = 0; i < 3; ++i) {
    asked.push_back(desk_->ask(session, page(), {}, [&](Result<ReserveAnswer> answer) {
      answers_.push_back(std::move(answer));
      for (const auto number : asked) desk_->forget(number);  // all but this one
    }));
  }
  loop_->advance(1s);
  ASSERT_EQ(answers_.size(), 1U);
  EXPECT_EQ(answers_[0].error().code, "store-unreachable");
}

TEST_F(GateDeskTest, AQuestionThatASessionLeavesOutGetsAnError) {
  const auto session = std::make_shared<GivenSession>(*session_, [](const GateCalls&) -> Result<GateAnswers> {
    GateAnswers answers;
    answers.requests.push_back(Error{"store-full", "first"});
    return answers;
  });
  const auto take = [&](Result<ReserveAnswer> answer) { answers_.push_back(std::move(answer)); };
  const auto first = desk_->ask(session, page(), {}, take);
  const auto second = desk_->ask(session, page(), {}, take);
  loop_->advance(1s);
  ASSERT_EQ(answers_.size(), 2U);
  EXPECT_EQ(answers_[0].error().code, "store-full");
  EXPECT_EQ(answers_[1].error().code, "store-io");
  for (const auto number : {first, second}) desk_->forget(number);  // the desk knows none of them
}

TEST_F(GateDeskTest, AnExceptionWhenAWaitBeginsIsAnError) {
  ASSERT_TRUE(store_->complete(other_process(), {.status = 200}).ok());
  ask({.max_wait = 1h, .on_wait = [](const Wait&) { throw std::bad_alloc(); }});
  loop_->run();
  ASSERT_EQ(answers_.size(), 1U);
  EXPECT_EQ(answers_[0].error().code, "out-of-memory");
  EXPECT_EQ(loop_->timers(), 0U);
}

TEST_F(GateDeskTest, AfterCloseNothingIsAsked) {
  ask();
  desk_->close();
  loop_->advance(1h);
  EXPECT_TRUE(answers_.empty());
  EXPECT_EQ(in_flight(), 0U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
