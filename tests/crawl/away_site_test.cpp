// A site that gives no answer: it pauses, its URLs wait together, and they fail together only after ten minutes.
#include <gtest/gtest.h>

#include <utility>

#include "crawl/scripted_crawl.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;

const std::string site = "http://a.test";

// The site of `rig` fails in that way between two times, and else serves its pages.
void fail_between(RobotRig& rig, microseconds from, microseconds to, WireReply how) {
  rig.transport->on("*", [=](const WireRequest& request) {
    return request.since >= from && request.since < to ? how : WireReply{.body = "page"};
  });
}

std::vector<std::chrono::seconds> gaps_after(const RobotRig& rig, microseconds from) {
  std::vector<std::chrono::seconds> gaps;
  std::optional<microseconds> before;
  for (const WireRequest& request : rig.pages(site)) {
    if (request.since < from) continue;
    if (before) gaps.push_back(std::chrono::floor<std::chrono::seconds>(request.since - *before));
    before = request.since;
  }
  return gaps;
}

TEST(AwaySite, ARestartOfFourSecondsLosesNoPage) {
  RobotRig rig(delayed(1s));
  rig.site(site, "");
  fail_between(rig, 3s, 7s, failure(TransferError::connect));
  ScriptedCrawl crawl(rig, urls_of(site, 10));
  ASSERT_TRUE(crawl.run());
  EXPECT_EQ(crawl.counts().done, 10U);
  EXPECT_EQ(crawl.counts().failed, 0U);
  EXPECT_EQ(gaps_after(rig, 3s).front(), 5s);  // one request met the restart, and the next one came after the pause
}

TEST(AwaySite, PausesAreDoubledAndItsUrlsFailTogether) {
  RobotRig rig(delayed(1s));
  rig.site(site, "");
  fail_between(rig, 3s, 24h, failure(TransferError::connect));
  ScriptedCrawl crawl(rig, urls_of(site, 100));
  ASSERT_TRUE(crawl.run());
  EXPECT_EQ(crawl.counts().failed, 97U);
  const std::vector<std::chrono::seconds> doubled{5s, 10s, 20s, 40s, 80s, 160s, 320s};
  EXPECT_EQ(gaps_after(rig, 3s), doubled);
  EXPECT_GE(rig.since_start(), 10min);
  for (const PageList::Line& line : crawl.pages().lines()) {
    EXPECT_TRUE(line.reason.empty() || line.reason == "network") << line.url << " " << line.reason;
  }
  // The first failure, and the end.
  ASSERT_EQ(crawl.failures().size(), 2U);
  EXPECT_FALSE(crawl.failures()[0].is_final);
  EXPECT_EQ(crawl.failures()[0].next_try_in, 5s);
  EXPECT_TRUE(crawl.failures()[1].is_final);
  EXPECT_NE(crawl.failures()[1].sentence.find("no answer for 10 minutes"), std::string::npos)
      << crawl.failures()[1].sentence;
}

TEST(AwaySite, AHangingSiteCostsAFewTimeOutsAndNotThreeForEachUrl) {
  RobotUAOptions options = delayed(1s);
  options.http.limits.max_total_time = 30s;
  RobotRig rig(options);
  rig.site(site, "");
  fail_between(rig, 3s, 24h, failure(TransferError::timeout, 30s));
  ScriptedCrawl crawl(rig, urls_of(site, 1'000));
  ASSERT_TRUE(crawl.run());
  EXPECT_EQ(crawl.counts().failed, 997U);
  EXPECT_LE(rig.pages(site).size(), 3U + 8U);
  EXPECT_LE(rig.since_start(), 30min);
}

TEST(AwaySite, AUrlThatAloneTimesOutEndsByItsTries) {
  RobotRig rig(delayed(1s));
  rig.site(site, "");
  rig.transport->on(site + "/3", failure(TransferError::timeout, 20s));
  ScriptedCrawl crawl(rig, urls_of(site, 60));
  ASSERT_TRUE(crawl.run());
  EXPECT_EQ(crawl.counts().done, 59U);
  EXPECT_EQ(crawl.pages().of(site + "/3").reason, "timeout");
  EXPECT_EQ(rig.transport->count(site + "/3"), 3U);
  EXPECT_LE(rig.since_start(), 5min);
}

TEST(AwaySite, TheLastUrlThatAloneTimesOutIsTriedForTenMinutes) {
  RobotRig rig(delayed(1s));
  rig.site(site, "");
  rig.transport->on(site + "/1", failure(TransferError::timeout, 20s));
  ScriptedCrawl crawl(rig, urls_of(site, 2));
  ASSERT_TRUE(crawl.run());
  EXPECT_EQ(crawl.counts().done, 1U);
  EXPECT_LE(rig.transport->count(site + "/1"), 8U);
}

TEST(AwaySite, ItsRobotsTxtHasTheSameTenMinutes) {
  RobotRig rig(delayed(1s));
  rig.transport->on(site + "/robots.txt", [](const WireRequest& request) {
    return request.since < 9min ? failure(TransferError::connect) : WireReply{.body = ""};
  });
  ScriptedCrawl crawl(rig, urls_of(site, 5));
  ASSERT_TRUE(crawl.run());
  EXPECT_EQ(crawl.counts().done, 5U);
}

TEST(AwaySite, AnUnreachableRobotsTxtEndsAllUrls) {
  RobotRig rig(delayed(1s));
  rig.transport->on(site + "/robots.txt", failure(TransferError::connect));
  ScriptedCrawl crawl(rig, urls_of(site, 500));
  ASSERT_TRUE(crawl.run());
  EXPECT_EQ(crawl.counts().failed, 500U);
  EXPECT_TRUE(rig.pages(site).empty());
  EXPECT_LE(rig.robots(site), 8U);
  EXPECT_GE(rig.since_start(), 10min);
}

TEST(BusyPage, IsTriedAgainAndTellsTheNumberOfTries) {
  RobotRig rig(delayed(1s));
  rig.site(site, "");
  rig.transport->on(site + "/0", [busy = true](const WireRequest&) mutable {
    return std::exchange(busy, false) ? WireReply{.status = 429, .headers = {{"Retry-After", "0"}}}
                                      : WireReply{.body = "here"};
  });
  ScriptedCrawl crawl(rig, urls_of(site, 2));
  ASSERT_TRUE(crawl.run());
  EXPECT_EQ(crawl.counts().done, 2U);
  EXPECT_EQ(crawl.pages().of(site + "/0").tries, 2U);
  EXPECT_EQ(crawl.pages().of(site + "/1").tries, 1U);
}

TEST(AwaySite, WithOneTryAUrlFailsAtOnceAndTheOthersWaitForThePause) {
  RobotRig rig(delayed(1s));
  rig.site(site, "");
  fail_between(rig, 3s, 5s, failure(TransferError::connect));
  ScriptedCrawl crawl(rig, urls_of(site, 10), {.max_tries = 1});
  ASSERT_TRUE(crawl.run());
  EXPECT_EQ(crawl.counts().done, 9U);
  EXPECT_EQ(crawl.counts().failed, 1U);
}

TEST(AwaySite, ARestartedCrawlGoesOnWithTheRow) {
  RobotRig rig(delayed(1s));
  rig.site(site, "");
  fail_between(rig, 3s, 24h, failure(TransferError::connect));
  const auto queue = queue_of(urls_of(site, 20));
  {
    ScriptedCrawl first(rig, *queue);
    ASSERT_FALSE(first.run(2min));
    first.stop();
    ASSERT_TRUE(first.run(1s));
  }
  EXPECT_EQ(queue->counts().value().failed, 0U);
  ScriptedCrawl second(rig, *queue);
  ASSERT_TRUE(second.run());
  EXPECT_EQ(second.counts().failed, 17U);
  EXPECT_EQ(rig.pages(site).size(), 3U + 8U);
}

TEST(AwaySite, AnotherProcessMeetsThePause) {
  RobotRig rig(delayed(1s));
  rig.site(site, "");
  fail_between(rig, 3s, 4s, failure(TransferError::connect));
  RobotRig beside(rig, delayed(1s));
  ASSERT_EQ(rig.fetch(site + "/1").code, 200);
  rig.loop->advance(3s);
  ASSERT_EQ(rig.fetch(site + "/2").source, ResponseSource::network);
  const microseconds failed_at = rig.loop->now();
  const Response page = beside.fetch(site + "/3");
  EXPECT_EQ(page.code, 200);
  EXPECT_EQ(page.waited_for, WaitReason::away);
  EXPECT_GE(rig.loop->now() - failed_at, 5s);
}

// A redirect leads to a site that is away: the pages of the site itself go on.
TEST(AwaySite, TheTargetOfARedirectDoesNotStopTheSite) {
  RobotRig rig(delayed(1s));
  rig.site(site, "");
  rig.site("http://b.test", "");
  rig.transport->on(site + "/0", {.status = 302, .headers = {{"Location", "http://b.test/x"}}});
  rig.transport->on("http://b.test/x", failure(TransferError::connect));
  ScriptedCrawl crawl(rig, urls_of(site, 20));
  ASSERT_TRUE(crawl.run());
  EXPECT_EQ(crawl.counts().done, 19U);
  EXPECT_EQ(crawl.counts().failed, 1U);
  EXPECT_EQ(rig.since_start() >= 10min, true);
  // Its other pages did not wait for that.
  EXPECT_LE(rig.transport->log(site + "/19").front().since, 60s);
}

// Many URLs lead there. One of them asks for all, and the site's own pages come at their pace.
TEST(AwaySite, ManyRedirectsToItCostFewRequests) {
  constexpr std::size_t count = 30;
  RobotRig rig(delayed(1s));
  rig.site(site, "");
  rig.site("http://b.test", "");
  std::vector<std::string> urls;
  for (std::size_t i = 0; i < count; ++i) {
    urls.push_back(site + "/r" + std::to_string(i));
    rig.transport->on(urls.back(), {.status = 302, .headers = {{"Location", "http://b.test/" + std::to_string(i)}}});
    rig.transport->on("http://b.test/" + std::to_string(i), failure(TransferError::connect));
    urls.push_back(site + "/" + std::to_string(i));
    rig.transport->on(urls.back(), {.body = "page"});
  }
  ScriptedCrawl crawl(rig, urls);
  ASSERT_TRUE(crawl.run());
  EXPECT_EQ(crawl.counts().done, count);
  EXPECT_EQ(crawl.counts().failed, count);
  EXPECT_LE(rig.since_start(), 20min);
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_LE(rig.transport->log(site + "/" + std::to_string(i)).front().since, 3min) << i;
  }
  EXPECT_LE(rig.pages("http://b.test").size(), 10U);
  EXPECT_LE(rig.pages(site).size(), 5 * count);
}

TEST(AwaySite, ARobotsTxtThatLeadsToItHasItsTenMinutes) {
  RobotRig rig(delayed(1s));
  rig.transport->on(site + "/robots.txt", {.status = 302, .headers = {{"Location", "http://b.test/robots.txt"}}});
  rig.transport->on("http://b.test/robots.txt", [](const WireRequest& request) {
    return request.since < 9min ? failure(TransferError::connect) : WireReply{.body = ""};
  });
  rig.transport->on("*", {.body = "page"});
  ScriptedCrawl crawl(rig, urls_of(site, 5));
  ASSERT_TRUE(crawl.run());
  EXPECT_EQ(crawl.counts().done, 5U);
}

// The robots.txt that fails for another reason later has its own number of tries.
TEST(AwaySite, AnOldFailureDoesNotLetARobotsTxtFailForEver) {
  RobotRig rig(delayed(1s));
  rig.transport->on(site + "/robots.txt", {failure(TransferError::connect), failure(TransferError::protocol)});
  ScriptedCrawl crawl(rig, urls_of(site, 5), {.max_wait = 24h});
  ASSERT_TRUE(crawl.run());
  EXPECT_EQ(crawl.counts().failed, 5U);
  EXPECT_LE(rig.since_start(), 30min);
}

TEST(AwaySite, APauseBeyondMaxWaitLeavesTheRestOut) {
  RobotUAOptions options = delayed(1s);
  options.max_wait = 30s;
  RobotRig rig(options);
  rig.site(site, "");
  fail_between(rig, 3s, 24h, failure(TransferError::connect));
  ScriptedCrawl crawl(rig, urls_of(site, 20), {.max_wait = 30s});
  ASSERT_TRUE(crawl.run());
  EXPECT_EQ(crawl.counts().failed, 1U);  // the one that was asked for last
  EXPECT_EQ(crawl.counts().parked, 16U);
  EXPECT_LE(rig.since_start(), 3min);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
