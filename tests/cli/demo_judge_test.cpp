// Whoever judges the demo's log sees each kind of fault.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "demo/site/judge.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using demo::Asked;
using demo::Findings;
using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr milliseconds delay{200};

// A robot that obeys: all that is allowed, site by site, each as soon as it may.
std::vector<Asked> good_log() {
  std::vector<Asked> log;
  for (const demo::Site& site : demo::sites(0)) {
    const std::string host = site.name + ".localhost";
    microseconds at{0};
    log.push_back({.at = at, .host = host, .target = "/robots.txt", .status = 200});
    for (const std::string& target : site.pages) {
      if (site.forbids(target)) continue;
      log.push_back({.at = at, .host = host, .target = target, .status = 200});
      const demo::Special* special = site.special(target);
      at += std::max(delay, site.delay) + (special == nullptr ? milliseconds(0) : special->takes);
    }
  }
  return log;
}

std::vector<Asked>::iterator find(std::vector<Asked>& log, std::string_view host, std::string_view target) {
  return std::find_if(log.begin(), log.end(),
                      [&](const Asked& one) { return one.host == host && one.target == target; });
}

Findings judged(const std::vector<Asked>& log) { return demo::judge(log, demo::sites(0), delay); }

TEST(DemoJudge, FindsNothingWrongWithARobotThatObeys) {
  const Findings findings = judged(good_log());
  EXPECT_TRUE(findings.good()) << demo::told(findings);
  EXPECT_EQ(findings.least_spare, microseconds(0));
  EXPECT_EQ(demo::told(findings), "the server's log: " + std::to_string(findings.requests) +
                                      " requests, 0 forbidden, 0 early, 0 too often, 0 before robots.txt, 0 missed\n");
}

TEST(DemoJudge, SeesWhatWasForbidden) {
  const std::pair<const char*, const char*> asked[] = {
      {"shop.localhost", "/basket"}, {"shop.localhost", "/search/all"},         {"closed.localhost", "/"},
      {"broken.localhost", "/news"}, {"trap.localhost", "/calendar/2026/next"}, {"elsewhere.localhost", "/robots.txt"}};
  for (const auto& [host, target] : asked) {
    std::vector<Asked> log = good_log();
    log.push_back({.at = std::chrono::hours(1), .host = host, .target = target, .status = 200});
    const Findings findings = judged(log);
    ASSERT_EQ(findings.forbidden.size(), 1U) << host << target;
    EXPECT_NE(findings.forbidden[0].find(std::string(host) + target), std::string::npos);
    EXPECT_FALSE(findings.good());
  }
}

TEST(DemoJudge, SeesWhatWasEarlyByMoreThanTheJitter) {
  const std::tuple<const char*, const char*, milliseconds> steps[] = {
      {"open.localhost", "/page2", delay},
      {"patient.localhost", "/page2", milliseconds(1'000)},
      {"rated.localhost", "/page2", milliseconds(1'000)},
      {"slow.localhost", "/page2", delay + milliseconds(700)}};
  for (const auto& [host, target, gap] : steps) {
    for (const bool too_much : {false, true}) {
      std::vector<Asked> log = good_log();
      const auto one = find(log, host, target);
      ASSERT_NE(one, log.end()) << host;
      ASSERT_EQ(one->at, gap) << host;
      one->at -= demo::jitter + (too_much ? microseconds(1) : microseconds(0));
      EXPECT_EQ(judged(log).early.size(), too_much ? 1U : 0U) << host;
    }
  }
}

TEST(DemoJudge, SeesThatARefusalsRetryAfterWasNotKept) {
  for (const char* host : {"busy.localhost", "overloaded.localhost"}) {
    std::vector<Asked> log = good_log();
    const auto refused = find(log, host, "/asked-twice");
    ASSERT_NE(refused, log.end());
    refused->status = host == std::string_view("busy.localhost") ? 429 : 503;
    ASSERT_EQ((refused + 1)->at, delay);
    EXPECT_EQ(judged(log).early.size(), 1U) << host;
  }
}

TEST(DemoJudge, SeesWhatWasAskedTooOftenUnreadAndMissed) {
  std::vector<Asked> log = good_log();
  log.push_back({.at = std::chrono::hours(1), .host = "open.localhost", .target = "/page1", .status = 200});
  EXPECT_EQ(judged(log).too_often.size(), 1U);

  log = good_log();
  log.erase(find(log, "open.localhost", "/robots.txt"));
  EXPECT_EQ(judged(log).unread.size(), 10U);

  log = good_log();
  log.erase(find(log, "maps.localhost", "/c"));
  EXPECT_EQ(judged(log).missed, std::vector<std::string>{"maps/c"});
}

TEST(DemoJudge, ReadsTheLogItWrote) {
  std::vector<Asked> log = good_log();
  log[0].target = "/\"odd\"\xff";
  log[0].agent = "DemoBot/1.0";
  log[0].time = "2026-11-21T15:04:05.123456Z";
  std::stringstream file;
  demo::write_log(file, log);
  const std::vector<Asked> read = demo::read_log(file);
  ASSERT_EQ(read.size(), log.size());
  EXPECT_EQ(read[0].target, "/\"odd\"\xEF\xBF\xBD");
  EXPECT_EQ(read[0].agent, log[0].agent);
  EXPECT_EQ(read[0].time, log[0].time);
  EXPECT_EQ(read[5].at, log[5].at);
  EXPECT_EQ(read[5].host, log[5].host);
  EXPECT_EQ(read[5].status, log[5].status);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
