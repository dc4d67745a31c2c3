// robots_step(), row by row: what an answer is kept as, what it means, what is requested next, and when. RFC 9309
// section 2.3.1; the presets are those of robots_policy.hpp.
#include <robotrules/robots_step.hpp>

#include <gtest/gtest.h>

#include <array>
#include <ostream>

#include "answer/exchanges.hpp"
#include "support/agent/loopback.hpp"

namespace robotrules {
namespace {

// --- what an outcome means, by preset --------------------------------------------------------------------------------

constexpr RobotsState rules = RobotsState::rules;
constexpr RobotsState stale = RobotsState::stale;
constexpr RobotsState allow = RobotsState::allow_all;
constexpr RobotsState deny = RobotsState::disallow_all;

// What the record means at `now` when nobody has looked again since, however long ago that was.
RobotsState state_of(RobotsRecord record, const RobotsPolicy& policy, Timestamp now) {
  record.fresh_until = now;
  return robots_state(&record, policy, now);
}

struct Row {
  std::string name;
  RobotsExchange end;
  RobotsOutcome outcome;
  // With rfc9309, strict, robotstxt-rb, lwp-fixed, where nothing was known before ...
  std::array<RobotsState, 4> first;
  // ... and where there is a good copy of yesterday.
  std::array<RobotsState, 4> with_copy;
};

std::vector<Row> policy_table() {
  constexpr std::array<RobotsState, 4> as_rules{rules, rules, rules, rules};
  constexpr std::array<RobotsState, 4> all{allow, allow, allow, allow};
  constexpr std::array<RobotsState, 4> unless_1994{allow, deny, deny, allow};
  constexpr std::array<RobotsState, 4> unless_strict{allow, deny, allow, allow};
  constexpr std::array<RobotsState, 4> nobody{deny, deny, allow, deny};
  constexpr std::array<RobotsState, 4> the_copy{stale, stale, allow, stale};
  std::vector<Row> table;
  for (const int status : {200, 201, 202, 203, 204, 205, 207, 226, 299}) {
    table.push_back(
        {std::to_string(status), answered(status, {}, "User-agent: *"), RobotsOutcome::rules, as_rules, as_rules});
  }
  for (const int status : {404, 410, 400, 402, 405, 406, 418, 421, 451, 499}) {
    table.push_back({std::to_string(status), answered(status), RobotsOutcome::unavailable, all, all});
  }
  for (const int status : {401, 403}) {
    table.push_back({std::to_string(status), answered(status), RobotsOutcome::unavailable, unless_1994, unless_1994});
  }
  table.push_back(
      {"too many redirects", too_many_redirects(), RobotsOutcome::unavailable, unless_strict, unless_strict});
  for (const int status : {0, 100, 101, 199, 300, 304, 305, 306, 399, 429, 500, 502, 503, 504, 520, 599, 600, 999}) {
    table.push_back({std::to_string(status), answered(status), RobotsOutcome::unreachable, nobody, the_copy});
  }
  constexpr std::array<RobotsState, 4> closed{deny, deny, deny, deny};
  constexpr std::array<RobotsState, 4> old{stale, stale, stale, stale};
  table.push_back({"206", answered(206), RobotsOutcome::unreachable, closed, old});  // the rest may disallow more
  table.push_back({"no answer", failed(), RobotsOutcome::unreachable, nobody, the_copy});
  for (const int status : {301, 302, 303, 307, 308}) {
    table.push_back({"an unusable redirect by " + std::to_string(status), failed(status), RobotsOutcome::unreachable,
                     nobody, the_copy});
  }
  return table;
}

class PolicyTable : public testing::TestWithParam<Row> {};

TEST_P(PolicyTable, MeansWhatThePresetSays) {
  const std::array policies{&RobotsPolicy::rfc9309(), &RobotsPolicy::strict(), &RobotsPolicy::robotstxt_rb(),
                            &RobotsPolicy::lwp_fixed()};
  for (std::size_t i = 0; i < policies.size(); ++i) {
    const RobotsPolicy& policy = *policies[i];
    SCOPED_TRACE(policy.name);
    const RobotsRecord first = after(nullptr, GetParam().end, start, policy);
    EXPECT_EQ(first.outcome, GetParam().outcome);
    EXPECT_EQ(state_of(first, policy, start), GetParam().first[i]);

    const RobotsRecord copy = good_copy(policy);
    const RobotsRecord later = after(&copy, GetParam().end, start + day, policy);
    EXPECT_EQ(later.outcome, GetParam().outcome);
    EXPECT_EQ(state_of(later, policy, start + day), GetParam().with_copy[i]);
  }
}

INSTANTIATE_TEST_SUITE_P(Row, PolicyTable, testing::ValuesIn(policy_table()),
                         [](const auto& row) { return test::as_test_name(row.param.name); });

TEST(RobotsPolicyRows, EachMeaningCanBeChanged) {
  RobotsPolicy policy;
  policy.not_found = policy.client_error = policy.too_many_redirects = PolicyAction::disallow_all;
  policy.unauthorized = PolicyAction::disallow_all;
  for (const int status : {401, 404, 410, 418}) {
    EXPECT_EQ(state_of(after(nullptr, answered(status), start, policy), policy, start), deny) << status;
  }
  EXPECT_EQ(state_of(after(nullptr, too_many_redirects(), start, policy), policy, start), deny);
  policy = {};
  policy.too_many_requests = PolicyAction::allow_all;
  EXPECT_EQ(state_of(after(nullptr, answered(429), start, policy), policy, start), allow);
  EXPECT_EQ(state_of(after(nullptr, answered(503), start, policy), policy, start), deny);
  policy = {};
  policy.server_error = PolicyAction::disallow_all;
  const RobotsRecord copy = good_copy(policy);
  EXPECT_EQ(state_of(after(&copy, answered(503), start + day, policy), policy, start + day), deny);
}

// A policy may say of 4xx what it says of failures: not known, so the last good copy holds.
TEST(RobotsPolicyRows, UnreachableAsTheMeaningOf4xxDisallows) {
  RobotsPolicy policy;
  policy.unauthorized = policy.not_found = PolicyAction::unreachable;
  for (const int status : {401, 404}) {
    EXPECT_EQ(state_of(after(nullptr, answered(status), start, policy), policy, start), deny) << status;
  }
}

TEST(RobotsPolicyRows, WhereUnreachableIsTheMeaningTheGoodCopyHoldsAndIsTriedAgainSoon) {
  RobotsPolicy policy;
  policy.unauthorized = policy.not_found = policy.client_error = policy.too_many_redirects = PolicyAction::unreachable;
  policy.server_error = PolicyAction::allow_all;  // and none of these is taken for that
  const RobotsRecord copy = good_copy(policy);
  for (const RobotsExchange& end : {answered(401), answered(404), answered(418), too_many_redirects()}) {
    SCOPED_TRACE(end.status);
    RobotsRecord record = after(&copy, end, start + day, policy);
    EXPECT_EQ(record.outcome, RobotsOutcome::unreachable);
    EXPECT_EQ(record.status, end.status);
    EXPECT_EQ(record.body, copy.body);
    EXPECT_EQ(record.etag, copy.etag);
    EXPECT_EQ(record.fresh_until, start + day + 1min);
    EXPECT_EQ(state_of(record, policy, start + day), stale);
    record = after(&record, end, start + day + 1min, policy);
    EXPECT_EQ(record.fresh_until, start + day + 3min) << "backs off";
    EXPECT_EQ(record.failing_since, start + day);
    EXPECT_EQ(state_of(record, policy, start + 30 * day + 1us), deny);
    EXPECT_EQ(after(&record, answered(200, {}, "new"), start + 2 * day, policy).failures, 0U);
  }
}

// A record outlives the policy that it was made by.
TEST(RobotsPolicyRows, OfAKeptRecordTheMeaningIsThePolicysOfToday) {
  RobotsPolicy careful;
  careful.not_found = careful.too_many_redirects = PolicyAction::unreachable;
  const RobotsPolicy& usual = RobotsPolicy::rfc9309();
  EXPECT_EQ(state_of(after(nullptr, answered(404), start, careful), usual, start), allow);
  for (const RobotsExchange& end : {answered(404), too_many_redirects()}) {
    EXPECT_EQ(state_of(after(nullptr, end, start, usual), careful, start), deny);
  }
}

// --- when to look again ----------------------------------------------------------------------------------------------

struct FreshRow {
  std::string name;
  int status;
  Headers headers;
  microseconds fresh;
};

std::vector<FreshRow> fresh_table() {
  const Headers nothing;
  return {
      {"nothing said is 24 h", 200, nothing, 24h},
      {"max age", 200, {{"Cache-Control", "max-age=3600"}}, 1h},
      {"max age less Age", 200, {{"Cache-Control", "max-age=3600"}, {"Age", "600"}}, 50min},
      {"at least 5 minutes", 200, {{"Cache-Control", "max-age=1"}}, 5min},
      {"299 s become 5 minutes", 200, {{"Cache-Control", "max-age=299"}}, 5min},
      {"301 s are kept", 200, {{"Cache-Control", "max-age=301"}}, 301s},
      {"at most 24 h", 200, {{"Cache-Control", "max-age=31536000"}}, 24h},
      {"86399 s are kept", 200, {{"Cache-Control", "max-age=86399"}}, 86'399s},
      {"stale on arrival by Age", 200, {{"Cache-Control", "max-age=0"}, {"Age", "5"}}, 5min},
      {"Age beyond max age", 200, {{"Cache-Control", "max-age=600"}, {"Age", "900"}}, 5min},
      {"Expires in 1981", 200, {{"Expires", "Thu, 19 Nov 1981 08:52:00 GMT"}}, 5min},
      {"Expires that is no date", 200, {{"Expires", "0"}}, 5min},
      {"no cache", 200, {{"Cache-Control", "no-cache"}}, 5min},
      {"no store", 200, {{"Cache-Control", "no-store, max-age=3600"}}, 5min},
      {"Expires less Date",
       200,
       {{"Date", "Sun, 01 Mar 2026 00:00:00 GMT"}, {"Expires", "Sun, 01 Mar 2026 02:00:00 GMT"}},
       2h},
      {"404 by max age", 404, {{"Cache-Control", "max-age=3600"}}, 1h},
      {"404 says nothing", 404, nothing, 24h},
      {"404 at most 24 h", 404, {{"Cache-Control", "max-age=999999"}}, 24h},
      {"404 at least 5 minutes", 404, {{"Cache-Control", "max-age=0"}}, 5min},
      {"410 by max age", 410, {{"Cache-Control", "max-age=7200"}}, 2h},
      {"418 by max age", 418, {{"Cache-Control", "max-age=7200"}}, 2h},
      {"401 at least 1 h", 401, {{"Cache-Control", "max-age=60"}}, 1h},
      {"403 at least 1 h", 403, {{"Cache-Control", "no-store"}}, 1h},
      {"403 by max age", 403, {{"Cache-Control", "max-age=7200"}}, 2h},
      {"403 at most 24 h", 403, nothing, 24h},
      {"500 after 1 minute whatever it says", 500, {{"Cache-Control", "max-age=3600"}}, 1min},
      {"429 without Retry After", 429, nothing, 1min},
      {"429 Retry After", 429, {{"Retry-After", "1800"}}, 30min},
      {"429 Retry After shorter than the back off", 429, {{"Retry-After", "3"}}, 1min},
      {"429 Retry After at most 24 h", 429, {{"Retry-After", "9999999"}}, 24h},
      {"429 Retry After zero", 429, {{"Retry-After", "0"}}, 1min},
      {"429 Retry After malformed", 429, {{"Retry-After", "soon"}}, 1min},
      {"429 Retry After by date and the server's own clock",
       429,
       {{"Date", "Mon, 02 Mar 2020 10:00:00 GMT"}, {"Retry-After", "Mon, 02 Mar 2020 10:20:00 GMT"}},
       20min},
      {"429 Retry After in the past", 429, {{"Retry-After", "Mon, 02 Mar 2020 10:20:00 GMT"}}, 1min},
      {"503 Retry After", 503, {{"Retry-After", "7200"}}, 2h},
  };
}

class RobotsFreshUntil : public testing::TestWithParam<FreshRow> {};

TEST_P(RobotsFreshUntil, IsAsTheTableSays) {
  const RobotsRecord record = after(nullptr, answered(GetParam().status, GetParam().headers), start);
  EXPECT_EQ((record.fresh_until - start).count(), GetParam().fresh.count());
}

INSTANTIATE_TEST_SUITE_P(Row, RobotsFreshUntil, testing::ValuesIn(fresh_table()),
                         [](const auto& row) { return test::as_test_name(row.param.name); });

TEST(RobotsFreshness, TooManyRedirectsAreLookedAtAgainAfterAnHour) {
  RobotsExchange end = too_many_redirects();
  end.headers.add("Cache-Control", "max-age=31536000");
  EXPECT_EQ(after(nullptr, end, start).fresh_until, start + 1h);
}

TEST(RobotsFreshness, FloorAndLimitAreThePolicys) {
  RobotsPolicy policy;
  policy.freshness_floor = 10s;
  policy.freshness_limit = 100s;
  EXPECT_EQ(after(nullptr, answered(200, {{"Cache-Control", "max-age=0"}}), start, policy).fresh_until, start + 10s);
  EXPECT_EQ(after(nullptr, answered(200), start, policy).fresh_until, start + 100s);
}

// --- failures --------------------------------------------------------------------------------------------------------

TEST(RobotsFailure, OfTheAgentItselfKeepsNoSiteAwayForLongerThanASecond) {
  RobotsExchange ours = failed();
  ours.end = RobotsEnd::ours;
  RobotsRecord record = after(nullptr, ours, start);
  for (int i = 0; i < 10; ++i) record = after(&record, ours, start);
  EXPECT_EQ(record.outcome, RobotsOutcome::unreachable);
  EXPECT_EQ(record.fresh_until, start + 1s);
  EXPECT_EQ(record.failures, 0U);
}

TEST(RobotsBackOff, DoublesFromAMinuteToAnHour) {
  RobotsRecord record;
  const RobotsRecord* old = nullptr;
  Timestamp now = start;
  for (const microseconds wait :
       std::initializer_list<microseconds>{1min, 2min, 4min, 8min, 16min, 32min, 1h, 1h, 1h}) {
    record = after(old, failed(), now);
    old = &record;
    EXPECT_EQ((record.fresh_until - now).count(), wait.count()) << record.failures;
    EXPECT_EQ(record.failing_since, start);  // of the first failure
    now = record.fresh_until;
  }
  EXPECT_EQ(record.failures, 9U);
}

TEST(RobotsBackOff, HoldsAfterAnyNumberOfFailures) {
  RobotsRecord old = after(nullptr, failed(), start);
  for (const std::uint32_t failures : {19U, 20U, 31U, 63U, 64U, 1'000U, UINT32_MAX}) {
    old.failures = failures;
    const RobotsRecord record = after(&old, failed(), start + 1h);
    EXPECT_EQ(record.fresh_until, start + 2h) << failures;
    EXPECT_GE(record.failures, failures);  // never falls back to quick tries
  }
}

TEST(RobotsBackOff, JitterIsAddedNeverSubtracted) {
  for (const double jitter : {0.0, 0.25, 0.5, 0.999, 1.0}) {
    const RobotsRecord record = after(nullptr, failed(), start, RobotsPolicy::rfc9309(), jitter);
    EXPECT_GE(record.fresh_until, start + 1min) << jitter;
    EXPECT_LE(record.fresh_until, start + 66s) << jitter;
    const RobotsRecord asked =
        after(nullptr, answered(429, {{"Retry-After", "1800"}}), start, RobotsPolicy::rfc9309(), jitter);
    EXPECT_GE(asked.fresh_until, start + 30min) << jitter;
  }
  EXPECT_LT(after(nullptr, failed(), start, RobotsPolicy::rfc9309(), 0.1).fresh_until,
            after(nullptr, failed(), start, RobotsPolicy::rfc9309(), 0.9).fresh_until);
}

TEST(RobotsBackOff, AnAnswerEndsIt) {
  const RobotsRecord failing = after(nullptr, failed(), start);
  for (const int status : {200, 404, 403}) {
    const RobotsRecord record = after(&failing, answered(status), start + 1h);
    EXPECT_EQ(record.failures, 0U);
    EXPECT_EQ(record.failing_since, std::nullopt);
    EXPECT_EQ(after(&record, failed(), start + 2h).fresh_until, start + 2h + 1min) << "begins anew";
  }
}

TEST(RobotsFailure, KeepsTheGoodCopyAndWhereItCameFrom) {
  RobotsRecord copy = good_copy();
  copy.hops = {"http://a.test/robots.txt"};
  const RobotsRecord record = after(&copy, answered(500, {{"ETag", "\"error page\""}}, "an error page"), start + day);
  EXPECT_EQ(record.body, copy.body);
  EXPECT_EQ(record.etag, "\"1\"");
  EXPECT_EQ(record.last_modified, copy.last_modified);
  EXPECT_EQ(record.url, copy.url);
  EXPECT_EQ(record.hops, copy.hops);
  EXPECT_EQ(record.fetched_at, start);
  EXPECT_EQ(record.status, 500);
}

// A20.
TEST(RobotsRecovery, DenyThenRulesThenStaleThenRules) {
  RobotsRecord record = after(nullptr, failed(), start);
  const RobotsPolicy& policy = RobotsPolicy::rfc9309();
  EXPECT_EQ(state_of(record, policy, start), deny);
  record = after(&record, answered(200, {}, "one"), start + 1min);
  EXPECT_EQ(state_of(record, policy, start + 1min), rules);
  record = after(&record, failed(), start + day);
  EXPECT_EQ(state_of(record, policy, start + day), stale);
  EXPECT_EQ(*record.body, "one");
  record = after(&record, answered(200, {}, "two"), start + day + 1min);
  EXPECT_EQ(*record.body, "two");
  EXPECT_EQ(state_of(record, policy, start + day + 1min), rules);
}

RobotsState late(const RobotsPolicy& policy, microseconds after_start) {
  const RobotsRecord copy = good_copy(policy);
  RobotsRecord record = after(&copy, failed(), start + day, policy);
  record = after(&record, failed(), start + after_start, policy);
  return state_of(record, policy, start + after_start);
}

TEST(RobotsStale, TheCopyHoldsFor30DaysAndNoLonger) {
  const RobotsPolicy& policy = RobotsPolicy::rfc9309();
  EXPECT_EQ(late(policy, 30 * day), stale);
  EXPECT_EQ(late(policy, 30 * day + 1us), deny);
  EXPECT_EQ(late(policy, 400 * day), deny);
}

TEST(RobotsStale, ThePolicyMayKeepTheCopyForGood) { EXPECT_EQ(late(RobotsPolicy::lwp_fixed(), 400 * day), stale); }

TEST(RobotsStale, ThePolicyMayAllowAfter30DaysOfFailures) {
  RobotsPolicy policy;
  policy.long_unreachable = PolicyAction::allow_all;
  EXPECT_EQ(late(policy, 30 * day), stale);
  EXPECT_EQ(late(policy, 30 * day + 1us), deny);  // failing for 29 days only
  EXPECT_EQ(late(policy, 31 * day), deny);
  EXPECT_EQ(late(policy, 31 * day + 1us), allow);
  const RobotsRecord never_had = after(nullptr, failed(), start, policy);
  EXPECT_EQ(state_of(never_had, policy, start + 30 * day), deny);
  EXPECT_EQ(state_of(never_had, policy, start + 30 * day + 1us), allow);
}

TEST(RobotsStale, Beyond30DaysItIsTriedDaily) {
  const RobotsRecord failing = after(nullptr, failed(), start);
  EXPECT_EQ(after(&failing, failed(), start + 30 * day).fresh_until, start + 30 * day + 2min);
  const Timestamp now = start + 30 * day + 1us;
  EXPECT_EQ(after(&failing, failed(), now).fresh_until, now + day);
}

// --- 304 -------------------------------------------------------------------------------------------------------------

TEST(Robots304, AskedForItConfirmsTheCopy) {
  const RobotsRecord copy = good_copy();
  const RobotsRecord record = after(&copy, not_modified({{"Cache-Control", "max-age=7200"}}), start + day);
  EXPECT_EQ(record.outcome, RobotsOutcome::rules);
  EXPECT_EQ(record.status, 200);
  EXPECT_EQ(record.body, copy.body);
  EXPECT_EQ(record.etag, "\"1\"");
  EXPECT_EQ(record.fresh_until, start + day + 2h);
}

TEST(Robots304, AskedForItRecoversFromFailures) {
  const RobotsRecord copy = good_copy();
  const RobotsRecord failing = after(&copy, failed(), start + day);
  const RobotsRecord record = after(&failing, not_modified(), start + day + 1min);
  EXPECT_EQ(record.outcome, RobotsOutcome::rules);
  EXPECT_EQ(record.failures, 0U);
  EXPECT_EQ(record.failing_since, std::nullopt);
  EXPECT_EQ(state_of(record, RobotsPolicy::rfc9309(), start + day + 1min), rules);
}

// A copy confirmed yesterday is a day old, however long ago its bytes came: an outage may use it for 30 days.
TEST(Robots304, TheCopysAgeCountsFromItsLastConfirmation) {
  const RobotsRecord copy = good_copy();
  const RobotsRecord confirmed = after(&copy, not_modified(), start + 40 * day);
  EXPECT_EQ(confirmed.fetched_at, start + 40 * day);
  const RobotsRecord failing = after(&confirmed, failed(), start + 41 * day);
  EXPECT_EQ(state_of(failing, RobotsPolicy::rfc9309(), start + 41 * day), stale);
}

// RFC 9111 section 4.3.4: what a 304 says of the copy is the copy's from then on.
TEST(Robots304, ItsNewTagsAreKept) {
  const RobotsRecord copy = good_copy();
  const RobotsRecord record =
      after(&copy, not_modified({{"ETag", "\"2\""}, {"Last-Modified", "Sun, 08 Feb 2026 00:00:00 GMT"}}), start + day);
  EXPECT_EQ(record.etag, "\"2\"");
  EXPECT_EQ(record.last_modified, "Sun, 08 Feb 2026 00:00:00 GMT");
}

TEST(Robots304, UnaskedForIsUnreachable) {
  const RobotsRecord copy = good_copy();
  const RobotsRecord with_copy = after(&copy, answered(304), start + day);
  EXPECT_EQ(with_copy.outcome, RobotsOutcome::unreachable);
  EXPECT_EQ(state_of(with_copy, RobotsPolicy::rfc9309(), start + day), stale);
  const RobotsRecord nothing = after(nullptr, not_modified(), start);  // nor where there is nothing to confirm
  EXPECT_EQ(nothing.outcome, RobotsOutcome::unreachable);
  EXPECT_EQ(state_of(nothing, RobotsPolicy::rfc9309(), start), deny);
}

// --- the record ------------------------------------------------------------------------------------------------------

TEST(RobotsRecordKept, OfASuccess) {
  RobotsExchange end = answered(200, {{"ETag", "W/\"a\""}, {"Last-Modified", "x"}}, "User-agent: *\n");
  end.request.url = "http://other.test/r.txt";
  end.request.hops = {"http://a.test/robots.txt"};
  const RobotsRecord record = after(nullptr, end, start);
  EXPECT_EQ(*record.body, "User-agent: *\n");
  EXPECT_EQ(record.url, "http://other.test/r.txt");
  EXPECT_EQ(record.hops, end.request.hops);
  EXPECT_EQ(record.etag, "W/\"a\"");
  EXPECT_EQ(record.last_modified, "x");
  EXPECT_EQ(record.fetched_at, start);
  EXPECT_EQ(record.status, 200);
}

TEST(RobotsRecordKept, ThatItWasCutGoesWithTheBody) {
  RobotsExchange end = answered(200, {{"ETag", "\"1\""}}, "User-agent: *\n");
  end.is_cut = true;
  const RobotsRecord cut = after(nullptr, end, start);
  EXPECT_TRUE(cut.truncated);
  EXPECT_TRUE(after(&cut, failed(), start + day).truncated);
  EXPECT_TRUE(after(&cut, not_modified(), start + day).truncated);
  EXPECT_FALSE(after(&cut, answered(404), start + day).truncated);
  EXPECT_FALSE(after(&cut, answered(200), start + day).truncated);
}

TEST(RobotsRecordKept, WhatIsUnavailableForgetsTheOldRules) {
  const RobotsRecord copy = good_copy();
  const RobotsRecord record = after(&copy, answered(404, {{"ETag", "\"page\""}}, "not found"), start + day);
  EXPECT_EQ(record.body, nullptr);
  EXPECT_EQ(record.etag, "");
  EXPECT_EQ(record.last_modified, "");
  const RobotsRecord failing = after(&record, failed(), start + 2 * day);
  EXPECT_EQ(state_of(failing, RobotsPolicy::rfc9309(), start + 2 * day), deny);
}

TEST(RobotsRecordKept, ASuccessWithoutTagsHasNone) {
  const RobotsRecord copy = good_copy();
  const RobotsRecord record = after(&copy, answered(200, {}, "new"), start + day);
  EXPECT_EQ(record.etag, "");
  EXPECT_EQ(record.last_modified, "");
}

// A record that says "rules" and has none can come from a damaged store only.
TEST(RobotsRecordKept, RulesWithoutABodyAreNoPermission) {
  RobotsRecord record;
  record.outcome = RobotsOutcome::rules;
  EXPECT_EQ(state_of(record, RobotsPolicy::rfc9309(), start), deny);
}

TEST(RobotsPolicyPresets, AreFoundByName) {
  for (const char* name : {"rfc9309", "strict", "robotstxt-rb", "lwp-fixed"}) {
    ASSERT_NE(RobotsPolicy::find(name), nullptr) << name;
    EXPECT_EQ(RobotsPolicy::find(name)->name, name);
  }
  EXPECT_EQ(RobotsPolicy::find("robotstxt_rb"), nullptr);
  EXPECT_EQ(RobotsPolicy::find(""), nullptr);
}

}  // namespace
}  // namespace robotrules
