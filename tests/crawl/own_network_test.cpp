// The robot's own network fails: nothing counts against a site, and one site at a time is tried.
#include <algorithm>

#include <gtest/gtest.h>

#include "crawl/scripted_crawl.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;

std::vector<std::string> origins(int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back("http://s" + std::to_string(i) + ".test");
  return names;
}

std::vector<std::string> pages_of(const std::vector<std::string>& sites, int each) {
  std::vector<std::string> urls;
  for (const std::string& site : sites) {
    for (const std::string& url : urls_of(site, each)) urls.push_back(url);
  }
  return urls;
}

// Nothing can be reached between two times.
void cut_network(RobotRig& rig, microseconds from, microseconds to, TransferError error) {
  rig.transport->on("*", [=](const WireRequest& request) {
    return request.since >= from && request.since < to ? failure(error) : WireReply{.body = "page"};
  });
}

std::size_t requests_between(const RobotRig& rig, microseconds from, microseconds to) {
  return static_cast<std::size_t>(std::ranges::count_if(
      rig.transport->log(), [&](const WireRequest& request) { return request.since >= from && request.since < to; }));
}

TEST(OwnNetwork, AnOutageOfTwentyMinutesLosesNothingAndCountsAgainstNoSite) {
  RobotRig rig(delayed(2s));
  const auto sites = origins(40);
  cut_network(rig, 10s, 20min, TransferError::connect);
  ScriptedCrawl crawl(rig, pages_of(sites, 20));
  ASSERT_FALSE(crawl.run(5min));
  EXPECT_TRUE(crawl.counts().network_failed);
  ASSERT_EQ(crawl.network().size(), 1U);
  EXPECT_NE(crawl.network().front().find("the network of this machine seems to have failed"), std::string::npos)
      << crawl.network().front();
  std::size_t counted = 0;
  for (const std::string& site : sites) counted += rig.store->gate(site).value().failures;
  EXPECT_LE(counted, 4U);  // the failures before the fifth
  ASSERT_TRUE(crawl.run());
  EXPECT_EQ(crawl.counts().done, 800U);
  EXPECT_EQ(crawl.counts().failed, 0U);
  ASSERT_EQ(crawl.network().size(), 2U);
  EXPECT_EQ(crawl.network().back(), "");
  EXPECT_FALSE(crawl.counts().network_failed);
  EXPECT_LE(requests_between(rig, 13s, 20min), 30U);
  EXPECT_LE(rig.since_start(), 23min);
}

TEST(OwnNetwork, SitesResumeOneAfterTheOther) {
  RobotRig rig(delayed(2s));
  const auto sites = origins(100);
  cut_network(rig, 10s, 5min, TransferError::route);
  ScriptedCrawl crawl(rig, pages_of(sites, 8));
  ASSERT_TRUE(crawl.run());
  EXPECT_EQ(crawl.counts().done, 800U);
  // In no tenth of a second do more than a few begin.
  std::vector<microseconds> times;
  for (const WireRequest& request : rig.transport->log()) {
    if (request.since >= 5min) times.push_back(request.since);
  }
  for (std::size_t i = 8; i < 90; ++i) EXPECT_GE(times[i] - times[i - 8], 100ms) << i;
}

TEST(OwnNetwork, NamesThatCannotBeResolvedForSeveralSites) {
  RobotRig rig(delayed(2s));
  const auto sites = origins(3);
  cut_network(rig, 0s, 30min, TransferError::resolve);
  rig.transport->on("*/robots.txt", [](const WireRequest& request) {
    return request.since < 30min ? failure(TransferError::resolve) : WireReply{};
  });
  ScriptedCrawl crawl(rig, pages_of(sites, 5));
  ASSERT_TRUE(crawl.run());
  EXPECT_EQ(crawl.counts().done, 15U);
  EXPECT_EQ(crawl.counts().failed, 0U);
  EXPECT_EQ(crawl.network().size(), 2U);
}

TEST(OwnNetwork, AfterMaxWaitFailuresCountAgain) {
  RobotUAOptions options = delayed(2s);
  options.max_wait = 15min;
  RobotRig rig(options);
  const auto sites = origins(10);
  cut_network(rig, 10s, 24h, TransferError::connect);
  ScriptedCrawl crawl(rig, pages_of(sites, 20), {.max_wait = 15min});
  ASSERT_TRUE(crawl.run());
  EXPECT_GT(crawl.counts().failed, 100U);
  EXPECT_EQ(crawl.counts().failed + crawl.counts().done, 200U);
  ASSERT_EQ(crawl.network().size(), 2U);
  EXPECT_NE(crawl.network().back().find("failures count again"), std::string::npos);
  EXPECT_LE(rig.since_start(), 45min);
}

TEST(OwnNetwork, FourSitesAreSitesAndNotTheNetwork) {
  RobotRig rig(delayed(2s));
  const auto sites = origins(10);
  rig.transport->on("*", [](const WireRequest& request) {
    const bool is_dead = request.since >= 10s && request.url < "http://s4";
    return is_dead ? failure(TransferError::connect) : WireReply{.body = "page"};
  });
  ScriptedCrawl crawl(rig, pages_of(sites, 20));
  ASSERT_TRUE(crawl.run());
  EXPECT_TRUE(crawl.network().empty());
  EXPECT_GT(crawl.counts().failed, 40U);
  EXPECT_EQ(crawl.counts().failed + crawl.counts().done, 200U);
}

TEST(OwnNetwork, ACrawlThatIsStoppedMeanwhileKeepsItsUrls) {
  RobotRig rig(delayed(2s));
  const auto sites = origins(10);
  cut_network(rig, 10s, 24h, TransferError::connect);
  const auto queue = queue_of(pages_of(sites, 20));
  ScriptedCrawl crawl(rig, *queue);
  ASSERT_FALSE(crawl.run(5min));
  crawl.stop();
  ASSERT_TRUE(crawl.run(1min));
  EXPECT_EQ(queue->counts().value().failed, 0U);
  EXPECT_GT(queue->counts().value().pending, 100U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
