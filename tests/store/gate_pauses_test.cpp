// The gate after 503 and after requests without an answer, for every backend.
#include <vector>

#include "store/gate_contract.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

// The pauses after these statuses, 0 for none. Each request is sent as soon as the gate permits it.
TEST_P(GateContract, TheFirst503IsAShortPauseAndTheRowEndsAfterFourAnswers) {
  const auto pauses_after = [this](const std::vector<Outcome>& outcomes) {
    static int sites = 0;
    const ReserveRequest request{.keys = {"https://" + host("row" + std::to_string(++sites))}};
    std::vector<std::chrono::microseconds> pauses;
    for (const Outcome& outcome : outcomes) {
      clock.advance(1us);
      complete(granted(ask(request)), outcome);
      const ReserveAnswer next = ask(request);
      const Wait* no = std::get_if<Wait>(&next);
      const bool is_free = no == nullptr && store->cancel(granted(next)).ok();
      EXPECT_TRUE(no != nullptr || is_free);
      pauses.push_back(no == nullptr ? 0us : no->until - clock.now());
      clock.advance(pauses.back());
    }
    return pauses;
  };
  using Pauses = std::vector<std::chrono::microseconds>;
  const Outcome good{.status = 200}, missing{.status = 404}, broken{.status = 500}, none{}, busy{.status = 429};
  const Outcome away{.status = 503}, back_soon{.status = 503, .retry_after = 7s};
  EXPECT_EQ(pauses_after({away, away, away, away, away, away, away, away, away}),
            (Pauses{5s, 1min, 2min, 4min, 8min, 16min, 32min, 1h, 1h}));
  EXPECT_EQ(pauses_after({away, good, away, good, away, missing, away, good, away}),
            (Pauses{5s, 0s, 1min, 0s, 2min, 0s, 4min, 0s, 8min}));
  EXPECT_EQ(pauses_after({away, good, good, good, away, good, good, good, away}),
            (Pauses{5s, 0s, 0s, 0s, 1min, 0s, 0s, 0s, 2min}));
  EXPECT_EQ(pauses_after({away, good, good, good, good, away}), (Pauses{5s, 0s, 0s, 0s, 0s, 5s}));
  // Only answers below 500 count, and a request without an answer does not.
  EXPECT_EQ(pauses_after({away, good, good, good, broken, none, away}), (Pauses{5s, 0s, 0s, 0s, 0s, 0s, 1min}));
  // 429 and Retry-After: one answer ends the row.
  EXPECT_EQ(pauses_after({busy, good, busy, busy, good, busy}), (Pauses{1min, 0s, 1min, 2min, 0s, 1min}));
  EXPECT_EQ(pauses_after({back_soon, good, away}), (Pauses{7s, 0s, 5s}));
  EXPECT_EQ(pauses_after({back_soon, away, good, busy}), (Pauses{7s, 1min, 0s, 4min}));
}

TEST_P(GateContract, WithoutAnAnswerTheSitePausesForFiveSecondsDoubledToTenMinutes) {
  for (const auto cause : {OutcomeCause::connect, OutcomeCause::timeout, OutcomeCause::dns, OutcomeCause::route}) {
    const std::string key = "https://" + host(std::string(to_string(cause)));
    const ReserveRequest request{.keys = {key}};
    std::vector<std::chrono::microseconds> pauses;
    clock.advance(1us);
    const Timestamp first = clock.now();
    for (int i = 0; i < 9; ++i) {
      complete(granted(ask(request)), {.cause = cause});
      const Wait pause = wait(ask(request));
      EXPECT_EQ(pause.why, WaitWhy::away);
      EXPECT_EQ(state(key.c_str()).failures, static_cast<std::uint32_t>(i + 1));
      EXPECT_EQ(state(key.c_str()).away_until, pause.until);
      pauses.push_back(pause.until - clock.now());
      // A robots.txt is not fetched during the pause either.
      EXPECT_EQ(wait(ask({.keys = {key}, .robots_fetch = true})).until, pause.until);
      clock.advance(pauses.back());
    }
    EXPECT_EQ(pauses, (std::vector<std::chrono::microseconds>{5s, 10s, 20s, 40s, 80s, 160s, 320s, 10min, 10min}));
    EXPECT_EQ(state(key.c_str()).failing_since, first);
    EXPECT_LE(state(key.c_str()).penalty_until, clock.now());
    complete(granted(ask(request)), {.status = 500});  // any answer
    EXPECT_EQ(state(key.c_str()).failures, 0u);
    EXPECT_EQ(state(key.c_str()).failing_since, std::nullopt);
    complete(granted(ask(request)), {.cause = cause});
    EXPECT_EQ(wait(ask(request)).until, clock.now() + 5s);
  }
}

TEST_P(GateContract, StatusZeroWithoutACauseAndACancelPauseNothingAndEndNoRow) {
  complete(granted(ask(0s)), {});
  complete(granted(ask(0s)), {.cause = OutcomeCause::cancelled});
  EXPECT_EQ(state().failures, 0u);
  complete(granted(ask(0s)), {.cause = OutcomeCause::timeout});
  clock.advance(5s);
  complete(granted(ask(0s)), {});
  complete(granted(ask(0s)), {.cause = OutcomeCause::cancelled});
  EXPECT_EQ(state().failures, 1u);
  complete(granted(ask(0s)), {.status = 200, .cause = OutcomeCause::timeout});  // the body stopped
  EXPECT_EQ(wait(ask(0s)).until, clock.now() + 10s);
}

TEST_P(GateContract, OnlyTheOriginsOwnKeyPauses) {
  const std::string own = "https://" + host("a");
  const std::string domain = "domain:" + host("a");
  for (const auto& keys : {std::vector{own, domain}, std::vector{domain, own}}) {
    complete(granted(ask({.keys = keys})), {.cause = OutcomeCause::connect});
    EXPECT_EQ(wait(ask({.keys = keys})).key, own);
    EXPECT_EQ(state(domain.c_str()).failures, 0u);
    clock.advance(1min);
  }
  EXPECT_EQ(state(own.c_str()).failures, 2u);
  // An answer of another host ends no row, and one of its own does.
  complete(granted(ask({.keys = {domain}})));
  EXPECT_EQ(state(own.c_str()).failures, 2u);
  complete(granted(ask({.keys = {own, domain}})));
  EXPECT_EQ(state(own.c_str()).failures, 0u);
}

TEST_P(GateContract, RequestsInFlightTogetherAreOneFailure) {
  const ReserveRequest many{.keys = {site}, .in_flight = 4};
  std::vector<Token> tokens;
  for (int i = 0; i < 4; ++i) tokens.push_back(granted(ask(many)));
  for (int i = 0; i < 3; ++i) {
    clock.advance(1s);
    complete(tokens[static_cast<std::size_t>(i)], {.cause = OutcomeCause::timeout});
  }
  EXPECT_EQ(state().failures, 1u);
  EXPECT_EQ(state().away_until, clock.now() - 2s + 5s);
  complete(tokens.back());  // it was sent before the failure
  EXPECT_EQ(state().failures, 1u);
}

TEST_P(GateContract, AFailureLongAfterTheLastOneBeginsANewRow) {
  complete(granted(ask(1h)), {.cause = OutcomeCause::connect});
  clock.advance(13h);
  complete(granted(ask(1h)), {.cause = OutcomeCause::connect});
  EXPECT_EQ(state().failures, 2u) << "twelve hours and the interval of the site";
  clock.advance(13h + 1us);
  complete(granted(ask(1h)), {.cause = OutcomeCause::connect});
  EXPECT_EQ(state().failures, 1u);
  EXPECT_EQ(state().failing_since, clock.now());
}

TEST_P(GateContract, APauseThatComesTooLateIsKept) {
  const Token dead = granted(ask({.keys = {site}, .hold = 60s}));
  clock.advance(90s);
  EXPECT_EQ(store->complete(dead, {.cause = OutcomeCause::timeout}).error().code, "unknown-token");
  EXPECT_EQ(wait(ask(0s)).until, clock.now() + 5s);
}

TEST_P(GateContract, AKeyThatPausesIsKeptForADayAndForgottenWithItsSite) {
  complete(granted(ask(0s)), {.cause = OutcomeCause::connect});
  clock.advance(23h);
  EXPECT_EQ(store->prune(clock.now()).value().gates, 0u);
  EXPECT_EQ(state().failures, 1u);
  EXPECT_TRUE(store->forget(*Origin::of(site)).value());
  EXPECT_EQ(state().failures, 0u);
  EXPECT_FALSE(store->forget(*Origin::of(site)).value());
  complete(granted(ask(0s)), {.cause = OutcomeCause::connect});
  clock.advance(24h + 1us);
  EXPECT_EQ(store->prune(clock.now()).value().gates, 1u);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
