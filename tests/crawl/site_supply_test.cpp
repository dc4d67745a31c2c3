// When a crawl claims sites and shares them with other workers: on its own.
#include "crawl/site_supply.hpp"

#include <gtest/gtest.h>

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using crawl::SiteSupply;

const SiteSupply::Clock::time_point start = SiteSupply::Clock::time_point() + 1h;

TEST(SiteSupply, NeverHasMoreSitesThanPermitted) {
  const SiteSupply few(false, 1);
  EXPECT_EQ(few.at_once(), 1U);
  EXPECT_TRUE(few.has_room(0));
  EXPECT_FALSE(few.has_room(1));
  const SiteSupply many(false, 20'000);
  EXPECT_EQ(many.at_once(), 512U);
  EXPECT_TRUE(many.has_room(20'000 - 512));
  EXPECT_FALSE(many.has_room(20'000 - 511));
}

TEST(SiteSupply, AQueueInAFileIsAskedAgainWhenAllSitesHaveEnded) {
  SiteSupply supply(false, 16);
  EXPECT_TRUE(supply.may_claim(0, true, start));
  supply.claimed({.sites = 1, .is_idle = true}, start);
  EXPECT_TRUE(supply.may_claim(1, false, start));  // a whole portion came: there may be more
  supply.claimed({.sites = 0, .is_idle = false}, start);
  EXPECT_FALSE(supply.may_claim(2, false, start + 1h));
  EXPECT_TRUE(supply.may_claim(0, true, start));  // other processes may have added URLs
  EXPECT_FALSE(supply.is_complete());
  supply.claimed({.sites = 0, .is_idle = true}, start);
  EXPECT_FALSE(supply.may_claim(0, true, start + 1h));
  EXPECT_FALSE(supply.is_complete());  // more will come
  supply.set_open(false);
  EXPECT_TRUE(supply.is_complete());
  supply.urls_added();
  EXPECT_TRUE(supply.may_claim(0, true, start));
  EXPECT_FALSE(supply.is_complete());
}

TEST(SiteSupply, UrlsThatAreAddedMeanwhileAreNotMissed) {
  SiteSupply supply(false, 16);
  supply.set_open(false);
  supply.claimed({.sites = 0, .is_idle = true, .is_current = false}, start);
  EXPECT_FALSE(supply.is_complete());
  EXPECT_TRUE(supply.may_claim(0, true, start));
}

TEST(SiteSupply, ASharedQueueIsAskedFromTimeToTime) {
  SiteSupply supply(true, 16);
  supply.set_open(false);
  supply.claimed({.sites = 0, .is_idle = true, .pending = 5}, start);
  EXPECT_FALSE(supply.is_complete());  // other workers have URLs
  EXPECT_FALSE(supply.may_claim(0, true, start + 499ms));
  EXPECT_TRUE(supply.may_claim(0, true, start + 500ms));
  EXPECT_FALSE(supply.begin_share(false, start));
  EXPECT_EQ(supply.next_question(0, true), start + 500ms);
  EXPECT_FALSE(supply.may_share(start + 999ms));
  EXPECT_TRUE(supply.may_share(start + 1s));
  supply.claimed({.sites = 0, .is_idle = true, .pending = 0}, start + 1s);
  EXPECT_TRUE(supply.is_complete());
  EXPECT_FALSE(supply.may_share(start + 1h));
  EXPECT_EQ(supply.next_question(0, true), std::nullopt);
}

TEST(SiteSupply, AWorkerThatBecameIdleAsksAtOnce) {
  SiteSupply supply(true, 16);
  supply.claimed({.sites = 0, .is_idle = false, .pending = 5}, start);
  EXPECT_FALSE(supply.may_claim(1, false, start + 1ms));
  EXPECT_TRUE(supply.may_claim(0, true, start + 1ms));
}

TEST(SiteSupply, GivesItsShareToWorkersWithoutSites) {
  SiteSupply supply(true, 1'600);
  EXPECT_TRUE(supply.begin_share(true, start));
  EXPECT_EQ(supply.shared({.all = 4, .without_sites = 0}, 100), 0U);
  EXPECT_TRUE(supply.may_claim(100, false, start));
  EXPECT_EQ(supply.shared({.all = 4, .without_sites = 1}, 100), 25U);
  EXPECT_FALSE(supply.may_claim(75, false, start));
  EXPECT_TRUE(supply.may_claim(0, true, start));
  EXPECT_EQ(supply.shared({.all = 2, .without_sites = 3}, 10), 10U);
  EXPECT_EQ(supply.shared({.all = 0, .without_sites = 1}, 10), 0U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
