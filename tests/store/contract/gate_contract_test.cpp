// The gate, for every backend: who may go when.
#include <atomic>
#include <map>
#include <random>
#include <thread>
#include <vector>

#include "store/gate_contract.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

TEST_P(GateContract, IntervalIsMeasuredFromCompletion) {
  const Token token = granted(ask());
  EXPECT_EQ(token.granted_at, clock.now());
  clock.advance(3s);
  complete(token);
  const Wait later = wait(ask());
  EXPECT_EQ(later.until, clock.now() + 10s);
  EXPECT_EQ(later.why, WaitWhy::interval);
  EXPECT_EQ(later.key, site);
  clock.advance(10s - 1us);
  wait(ask());
  clock.advance(1us);
  granted(ask());
}

TEST_P(GateContract, ARequestMayBeSentForTwoSecondsAfterTheGateWasAsked) {
  const auto before = store->since_boot();
  Token token = granted(ask());
  EXPECT_GE(token.asked_at, before);
  EXPECT_LE(token.asked_at, store->since_boot());
  EXPECT_TRUE(store->may_send(token).ok());
  EXPECT_EQ(state().in_flight, 1U);
  token.asked_at = store->since_boot() - max_grant_age - 1us;
  const auto late = store->may_send(token);
  ASSERT_FALSE(late.ok());
  EXPECT_EQ(late.error().code, "too-late");
  EXPECT_EQ(state().in_flight, 0U) << "it was cancelled";
  EXPECT_EQ(state().visits, 0U);
  EXPECT_EQ(store->complete(token, {}).error().code, "unknown-token");
  token = granted(ask());
  EXPECT_TRUE(store->may_send(token).ok());
}

TEST_P(GateContract, ABatchOfCallsTellsWhenTheGateWasAsked) {
  const auto before = store->since_boot();
  GateCalls calls;
  ReserveRequest request;
  request.keys = {site};
  calls.requests.push_back(std::make_shared<const ReserveRequest>(request));
  const GateAnswers answers = store->call_gate(calls);
  ASSERT_TRUE(answers.requests.front().ok());
  EXPECT_GE(granted(answers.requests.front().value()).asked_at, before);
}

TEST_P(GateContract, IntervalFromStartWhereAsked) {
  const ReserveRequest request{.keys = {site}, .interval = 10s, .from_start = true};
  const Token token = granted(ask(request));
  clock.advance(7s);
  complete(token);
  EXPECT_EQ(wait(ask(request)).until, clock.now() + 3s);
  clock.advance(3s);
  granted(ask(request));
}

TEST_P(GateContract, TheIntervalIsThatOfTheRequestWhateverTheLastOneHad) {
  complete(granted(ask(10s)));
  const Timestamp visited = clock.now();
  EXPECT_EQ(wait(ask(300s)).until, visited + 300s);
  EXPECT_EQ(wait(ask(1us)).until, visited + 1us);
  clock.advance(20s);
  EXPECT_EQ(wait(ask(60s)).until, visited + 60s);
  EXPECT_EQ(state().interval_start, visited);
  EXPECT_EQ(state().next_at(), visited + 10s);
  granted(ask(20s));
  EXPECT_EQ(state().interval, 20s);
}

TEST_P(GateContract, ACancelledDispatchLeavesTheIntervalWhereItRanFrom) {
  complete(granted(ask(10s)));
  const Timestamp visited = clock.now();
  clock.advance(10s);
  ASSERT_TRUE(store->cancel(granted(ask(10s))).ok());
  EXPECT_EQ(wait(ask(300s)).until, visited + 300s);
}

TEST_P(GateContract, AnAdaptiveIntervalFollowsTheLatencyOfTheLastResponse) {
  const ReserveRequest request{.keys = {site}, .interval = 1s, .adaptive = {.factor = 10, .max = 60s}};
  complete(granted(ask(request)), {.status = 200, .retry_after = {}, .latency = 2s});
  EXPECT_EQ(wait(ask(request)).until, clock.now() + 20s);
  EXPECT_EQ(wait(ask(1s)).until, clock.now() + 1s) << "that does not look at it";
  EXPECT_EQ(state().interval, 20s);
  EXPECT_EQ(state().source, IntervalSource::adaptive);
  clock.advance(20s);
  complete(granted(ask(request)), {.status = 200, .retry_after = {}, .latency = 20s});
  EXPECT_EQ(wait(ask(request)).until, clock.now() + 60s);
  clock.advance(60s);
  complete(granted(ask(request)), {.status = 200, .retry_after = {}, .latency = 0s});
  EXPECT_EQ(wait(ask(request)).until, clock.now() + 1s);
}

TEST_P(GateContract, OneInFlightUnlessAskedForMore) {
  const Token first = granted(ask(0s));
  const Wait full = wait(ask(0s));
  EXPECT_EQ(full.why, WaitWhy::in_flight);
  EXPECT_EQ(full.until, first.expires_at);
  const ReserveRequest two{.keys = {site}, .in_flight = 2};
  const Token second = granted(ask(two));
  EXPECT_GT(second.fence, first.fence);
  EXPECT_EQ(state().in_flight, 2u);
  wait(ask(two));
  complete(first);
  granted(ask(two));
}

TEST_P(GateContract, AHoldWhoseOwnerDiedExpiresAndArmsTheInterval) {
  const Token dead = granted(ask({.keys = {site}, .interval = 10s, .hold = 60s}));
  clock.advance(60s);
  EXPECT_EQ(wait(ask()).until, clock.now() + 10s);
  EXPECT_EQ(state().in_flight, 0u);
  clock.advance(10s);
  const Token next = granted(ask());
  const auto late = store->complete(dead, {.status = 200, .retry_after = {}});
  ASSERT_FALSE(late.ok());
  EXPECT_EQ(late.error().code, "unknown-token");
  complete(next);
}

TEST_P(GateContract, APenaltyThatComesTooLateIsKeptAllTheSame) {
  const Token dead = granted(ask({.keys = {site}, .interval = 10s, .hold = 60s}));
  clock.advance(90s);
  const Token next = granted(ask());  // somebody else has gone meanwhile
  const auto late = store->complete(dead, {.status = 429, .retry_after = 2h});
  ASSERT_FALSE(late.ok());
  EXPECT_EQ(late.error().code, "unknown-token");
  EXPECT_EQ(state().in_flight, 1u);
  EXPECT_EQ(state().incidents, 1u);
  EXPECT_EQ(state().penalty_until, clock.now() + 2h);
  complete(next);
  EXPECT_EQ(wait(ask()).why, WaitWhy::penalty);
}

TEST_P(GateContract, ALatePenaltyIsKeptOfEveryKeyEvenOfOneThatWasForgotten) {
  const Token dead = granted(ask({.keys = {site, "host:a.example"}, .hold = 60s}));
  clock.advance(24h * 40);
  ASSERT_EQ(store->prune(clock.now()).value().gates, 2u);
  EXPECT_FALSE(store->complete(dead, {.status = 429, .retry_after = {}}).ok());
  EXPECT_EQ(state().penalty_until, clock.now() + 1min);
  EXPECT_EQ(state("host:a.example").penalty_until, clock.now() + 1min);
  EXPECT_EQ(state().visits, 0u);
}

TEST_P(GateContract, ALateAnswerWithoutPenaltyChangesNothing) {
  const Token dead = granted(ask({.keys = {site}, .interval = 10s, .hold = 60s}));
  clock.advance(24h * 40);
  ASSERT_EQ(store->prune(clock.now()).value().gates, 1u);
  EXPECT_FALSE(store->complete(dead, {.status = 200, .retry_after = 2h}).ok());
  EXPECT_FALSE(store->cancel(dead).ok());
  EXPECT_EQ(store->stats().value().gates, 0u);
  granted(ask());
}

TEST_P(GateContract, ATokenIsSpentOnce) {
  const Token token = granted(ask());
  complete(token);
  EXPECT_EQ(store->complete(token, {.status = 429, .retry_after = 2h}).error().code, "unknown-token");
  EXPECT_LE(state().penalty_until, clock.now());
  EXPECT_EQ(store->cancel(token).error().code, "unknown-token");
}

TEST_P(GateContract, CancellingUndoesTheDispatch) {
  complete(granted(ask()));
  clock.advance(20s);
  const auto before = state();
  ASSERT_TRUE(store->cancel(granted(ask())).ok());
  EXPECT_EQ(state().visits, before.visits);
  EXPECT_EQ(state().last_visit, before.last_visit);
  EXPECT_EQ(state().in_flight, 0u);
  granted(ask());
}

TEST_P(GateContract, AllKeysOrNone) {
  const std::string a = "https://" + host("a");
  const std::string b = "host:" + host("b");
  complete(granted(ask({.keys = {b}, .interval = 30s})));
  const Wait both = wait(ask({.keys = {a, b}, .interval = 10s}));
  EXPECT_EQ(both.key, b);
  EXPECT_EQ(both.until, clock.now() + 10s);
  EXPECT_EQ(state(a.c_str()).visits, 0u);
  EXPECT_EQ(state(a.c_str()).in_flight, 0u);
  const Token token = granted(ask({.keys = {a}}));
  EXPECT_EQ(state(a.c_str()).visits, 1u);
  complete(token);
}

TEST_P(GateContract, OfSeveralKeysTheLongestWaitIsAnswered) {
  complete(granted(ask()));
  clock.advance(5s);
  complete(granted(ask({.keys = {"host:a.example"}})));
  EXPECT_EQ(wait(ask({.keys = {site, "host:a.example"}, .interval = 10s})).key, "host:a.example");
  EXPECT_EQ(wait(ask({.keys = {"host:a.example", site}, .interval = 10s})).key, "host:a.example");
}

TEST_P(GateContract, RetryAfterIsKept) {
  complete(granted(ask()), {.status = 429, .retry_after = 2h});
  const Wait penalty = wait(ask());
  EXPECT_EQ(penalty.why, WaitWhy::penalty);
  EXPECT_EQ(penalty.until, clock.now() + 2h);
  clock.advance(2h);
  granted(ask());
}

TEST_P(GateContract, RetryAfterOfZeroShortensNothing) {
  const ReserveRequest two{.keys = {site}, .in_flight = 2};
  const Token first = granted(ask(two));
  const Token second = granted(ask(two));
  complete(first, {.status = 503, .retry_after = 1h});
  complete(second, {.status = 503, .retry_after = 0s});
  EXPECT_EQ(wait(ask()).until, clock.now() + 1h);
}

TEST_P(GateContract, BackOffDoublesByIncidentUpToAnHour) {
  std::vector<std::chrono::microseconds> pauses;
  for (int i = 0; i < 9; ++i) {
    complete(granted(ask(0s)), {.status = 429, .retry_after = {}});
    pauses.push_back(wait(ask(0s)).until - clock.now());
    clock.advance(pauses.back());
  }
  EXPECT_EQ(pauses, (std::vector<std::chrono::microseconds>{1min, 2min, 4min, 8min, 16min, 32min, 1h, 1h, 1h}));
  complete(granted(ask(0s)));
  EXPECT_EQ(state().incidents, 0u);
}

TEST_P(GateContract, ABurstOfRefusalsIsOneIncident) {
  const ReserveRequest many{.keys = {site}, .in_flight = 8};
  std::vector<Token> tokens;
  for (int i = 0; i < 8; ++i) tokens.push_back(granted(ask(many)));
  for (const Token& token : tokens) {
    clock.advance(1s);
    complete(token, {.status = 429, .retry_after = {}});
  }
  EXPECT_EQ(state().incidents, 1u);
  EXPECT_EQ(state().penalty_until, clock.now() + 1min);
}

TEST_P(GateContract, AnAnswerFromBeforeTheIncidentDoesNotEndIt) {
  const ReserveRequest two{.keys = {site}, .in_flight = 2};
  const Token first = granted(ask(two));
  const Token second = granted(ask(two));
  clock.advance(1s);
  complete(first, {.status = 429, .retry_after = {}});
  complete(second);
  EXPECT_EQ(state().incidents, 1u);
}

TEST_P(GateContract, APenaltyIsNoLongerThanTheRequestSays) {
  complete(granted(ask()), {.status = 503, .retry_after = 24h * 365});
  EXPECT_EQ(wait(ask()).until, clock.now() + 24h);
  ASSERT_TRUE(store->restore_gate(site, clock.now() + 24h * 365, {}).ok());
  EXPECT_EQ(wait(ask()).until, clock.now() + 24h);
  clock.advance(23h);
  EXPECT_EQ(wait(ask()).until, clock.now() + 1h) << "it ends when it was first looked at and a day after";
  EXPECT_EQ(wait(ask({.keys = {site}, .max_penalty = 1min})).until, clock.now() + 1min);
  clock.advance(1min);
  granted(ask());
}

TEST_P(GateContract, MoreThanADayIsBlocked) {
  const ReserveRequest patient{.keys = {site}, .max_penalty = 48h};
  complete(granted(ask(patient)), {.status = 503, .retry_after = 25h});
  const ReserveAnswer answer = ask(patient);
  const Blocked* blocked = std::get_if<Blocked>(&answer);
  ASSERT_NE(blocked, nullptr);
  EXPECT_EQ(blocked->until, clock.now() + 25h);
  EXPECT_EQ(blocked->key, site);
  clock.advance(1h);
  wait(ask(patient));
}

TEST_P(GateContract, ARobotsFetchObeysPenaltiesAndNeverArms) {
  const ReserveRequest robots{.keys = {site}, .interval = 10s, .robots_fetch = true};
  complete(granted(ask(robots)));
  EXPECT_EQ(state().visits, 0u);
  complete(granted(ask()));
  complete(granted(ask(robots)));  // while pages wait
  EXPECT_EQ(wait(ask()).until, clock.now() + 10s);
  clock.advance(10s);
  complete(granted(ask()), {.status = 429, .retry_after = 1h});
  EXPECT_EQ(wait(ask(robots)).why, WaitWhy::penalty);
}

TEST_P(GateContract, IntervalAndItsSourceAreKept) {
  granted(ask({.keys = {site}, .interval = 7s, .source = IntervalSource::crawl_delay}));
  EXPECT_EQ(state().interval, 7s);
  EXPECT_EQ(state().source, IntervalSource::crawl_delay);
  EXPECT_EQ(state().last_visit, clock.now());
  EXPECT_EQ(state("https://never.example").visits, 0u);
}

TEST_P(GateContract, VisitsOfTheGateAreVisitsOfTheOrigin) {
  complete(granted(ask()));
  EXPECT_EQ(visits("https://a.example/").count, 1u);
  EXPECT_EQ(visits("https://a.example/").last, clock.now());
}

TEST_P(GateContract, AnotherAgentStaysJustAsFarAway) {
  ASSERT_TRUE(store->set_agent("FooBot").ok());
  complete(granted(ask()), {.status = 429, .retry_after = 1h});
  ASSERT_TRUE(store->set_agent("BarBot").ok());
  EXPECT_EQ(state().visits, 0u);
  EXPECT_EQ(wait(ask()).until, clock.now() + 1h);
}

TEST_P(GateContract, RequestsThatMeanNothingAreErrors) {
  const auto code = [this](const ReserveRequest& request) {
    const auto answer = store->reserve(request);
    return answer.ok() ? std::string_view("granted") : answer.error().code;
  };
  EXPECT_EQ(code({}), "invalid-request");
  EXPECT_EQ(code({.keys = {""}}), "invalid-request");
  EXPECT_EQ(code({.keys = {site, site}}), "invalid-request");
  EXPECT_EQ(code({.keys = {site}, .interval = -1us}), "invalid-request");
  EXPECT_EQ(code({.keys = {site}, .adaptive = {.factor = 1, .max = -1us}}), "invalid-request");
  EXPECT_EQ(code({.keys = {site}, .interval = std::chrono::microseconds::max()}), "invalid-request");
  EXPECT_EQ(code({.keys = {site}, .hold = 0s}), "invalid-request");
  EXPECT_EQ(store->complete({}, {}).error().code, "unknown-token");
}

// --- leases ----------------------------------------------------------------------------------------------------------

TEST_P(GateContract, OneRobotsFetchAtATime) {
  const Origin a = origin("https://a.example/");
  const auto first = store->lease_robots_fetch(a, 20s).value();
  const RobotsLease* lease = std::get_if<RobotsLease>(&first);
  ASSERT_NE(lease, nullptr);
  const auto second = store->lease_robots_fetch(a, 20s).value();
  const Wait* later = std::get_if<Wait>(&second);
  ASSERT_NE(later, nullptr);
  EXPECT_EQ(later->until, lease->expires_at);
  EXPECT_TRUE(
      std::holds_alternative<RobotsLease>(store->lease_robots_fetch(origin("https://b.example/"), 20s).value()));
  ASSERT_TRUE(store->put_robots(a, record("x"), lease).ok());
  EXPECT_TRUE(std::holds_alternative<RobotsLease>(store->lease_robots_fetch(a, 20s).value()));
}

TEST_P(GateContract, ALeaseEndsByReleaseOrByTime) {
  const Origin a = origin("https://a.example/");
  const auto first = std::get<RobotsLease>(store->lease_robots_fetch(a, 20s).value());
  ASSERT_TRUE(store->release(first).ok());
  EXPECT_EQ(store->release(first).error().code, "unknown-token");
  // Nor by a fence that nobody was ever given.
  for (const std::uint64_t fence : {std::uint64_t{0}, 0 - first.fence, UINT64_MAX, std::uint64_t{1} << 63}) {
    RobotsLease made_up = first;
    made_up.fence = fence;
    const auto released = store->release(made_up);
    ASSERT_FALSE(released.ok()) << fence;
    EXPECT_EQ(released.error().code, "unknown-token");
  }
  const auto second = std::get<RobotsLease>(store->lease_robots_fetch(a, 20s).value());
  clock.advance(20s);
  const auto third = std::get<RobotsLease>(store->lease_robots_fetch(a, 20s).value());
  EXPECT_GT(third.fence, second.fence);
  // Who comes back from the dead finds his lease gone, and his answer is not taken.
  const auto late = store->put_robots(a, record("late"), &second);
  ASSERT_FALSE(late.ok());
  EXPECT_EQ(late.error().code, "unknown-token");
  EXPECT_EQ(robots("https://a.example/"), nullptr);
}

// --- many at once ----------------------------------------------------------------------------------------------------

TEST_P(GateContract, OfManyThreadsOneIsGranted) {
  std::atomic<int> grants = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        const auto answer = store->reserve({.keys = {site, "host:a.example"}, .interval = 10s});
        if (answer.ok() && std::holds_alternative<Granted>(answer.value())) ++grants;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(grants, 1);
}

// A crowd of owners on a few keys, some of whom die, at random; beside the store a log of who was sent when.
TEST_P(GateContract, NeverTwoTooEarlyTogether) {
  std::mt19937 random(7);
  const auto below = [&random](unsigned limit) { return static_cast<unsigned>(random() % limit); };
  const std::vector<std::string> keys{"https://" + host("a"), "https://" + host("b"), "https://" + host("c")};
  struct Sent {
    Token token;
    bool dead;
  };
  std::vector<Sent> out;
  std::map<std::string, Timestamp> free_at;  // by the log: not before
  int grants = 0;
  for (int step = 0; step < 3'000; ++step) {
    clock.advance(std::chrono::microseconds(below(3'000'000)));
    if (!out.empty() && below(3) == 0) {
      const std::size_t i = below(static_cast<unsigned>(out.size()));
      if (out[i].dead) continue;
      const bool alive = out[i].token.expires_at > clock.now();
      ASSERT_EQ(store->complete(out[i].token, {.status = 200, .retry_after = {}}).ok(), alive);
      if (alive) {
        for (const std::string& key : out[i].token.keys) free_at[key] = clock.now() + 5s;
      }
      out.erase(out.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    std::vector<std::string> wanted{keys[below(3)]};
    if (below(2) == 0) {
      const std::string& other = keys[below(3)];
      if (other != wanted[0]) wanted.push_back(other);
    }
    const auto answer = store->reserve({.keys = wanted, .interval = 5s, .hold = 30s}).value();
    if (const Granted* yes = std::get_if<Granted>(&answer)) {
      ++grants;
      for (const std::string& key : wanted) {
        ASSERT_GE(clock.now(), free_at[key]) << key << " at step " << step;
        free_at[key] = clock.now() + 30s + 5s;  // unless it is completed sooner
      }
      out.push_back({yes->token, below(10) == 0});
    } else {
      bool busy = false;
      for (const std::string& key : wanted) busy = busy || free_at[key] > clock.now();
      ASSERT_TRUE(busy) << "refused without a reason at step " << step;
    }
  }
  EXPECT_GT(grants, 200);
}

// Two stores that live through the same, one call by call, the other in turns of several calls.
TEST_P(GateContract, CallsInOneAnswerAsOneByOne) {
  const auto together = GetParam().make([this] { return clock.now(); });
  std::mt19937 random(7);
  const auto below = [&](unsigned end) { return random() % end; };
  const std::vector<std::string> keys{"https://" + host("a"), "https://" + host("b"), "host:" + host("c"),
                                      "domain:" + host("d")};
  std::vector<std::pair<Token, Token>> out;  // of the one, of the other
  std::size_t grants = 0;
  for (int turn = 0; turn < 800; ++turn) {
    clock.advance(std::chrono::microseconds(below(3'000'000)));
    GateCalls calls;
    std::vector<Result<void>> ended;
    while (!out.empty() && below(3) != 0) {
      const auto [one, other] = out.back();
      out.pop_back();
      std::optional<Outcome> outcome;
      if (below(4) != 0) outcome = Outcome{below(3) == 0 ? 429 : 200, {}};
      ended.push_back(outcome ? store->complete(one, *outcome) : store->cancel(one));
      calls.ends.push_back({other, outcome});
    }
    std::vector<ReserveRequest> requests(below(4));
    for (ReserveRequest& request : requests) {
      request.keys = {keys[below(4)]};
      if (const std::string& second = keys[below(4)]; second != request.keys[0]) request.keys.push_back(second);
      if (below(20) == 0) request.keys.clear();  // which is refused
      request.interval = 2s;
      request.hold = 20s;
      request.in_flight = 1 + below(2);
    }
    for (const ReserveRequest& request : requests) {
      calls.requests.push_back(std::make_shared<const ReserveRequest>(request));
    }
    const GateAnswers answers = together->call_gate(calls);
    ASSERT_EQ(answers.ends.size(), ended.size());
    for (std::size_t i = 0; i < ended.size(); ++i) {
      ASSERT_EQ(answers.ends[i].ok(), ended[i].ok());
      if (ended[i]) continue;
      ASSERT_EQ(answers.ends[i].error().code, ended[i].error().code);
    }
    ASSERT_EQ(answers.requests.size(), requests.size());
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const auto alone = store->reserve(requests[i]);
      const auto& other = answers.requests[i];
      ASSERT_EQ(alone.ok(), other.ok());
      if (!alone) continue;
      ASSERT_EQ(alone.value().index(), other.value().index()) << "turn " << turn;
      if (const auto* yes = std::get_if<Granted>(&alone.value())) {
        out.emplace_back(yes->token, std::get<Granted>(other.value()).token);
        ++grants;
      } else if (const auto* no = std::get_if<Wait>(&alone.value())) {
        ASSERT_EQ(no->until, std::get<Wait>(other.value()).until);
        ASSERT_EQ(no->key, std::get<Wait>(other.value()).key);
        ASSERT_EQ(no->why, std::get<Wait>(other.value()).why);
      }
    }
    for (const std::string& key : keys) {
      const GateState one = store->gate(key).value();
      const GateState other = together->gate(key).value();
      ASSERT_EQ(one.interval_start, other.interval_start) << key << " in turn " << turn;
      ASSERT_EQ(one.penalty_until, other.penalty_until) << key;
      ASSERT_EQ(one.in_flight, other.in_flight) << key;
      ASSERT_EQ(one.visits, other.visits) << key;
      ASSERT_EQ(one.incidents, other.incidents) << key;
    }
  }
  EXPECT_GT(grants, 100U);
}

INSTANTIATE_TEST_SUITE_P(Backends, GateContract, testing::ValuesIn(backends()),
                         [](const auto& backend) { return backend.param.name; });

}  // namespace
}  // namespace robotrules::test::THIS_FILE
