// The line of sites of a crawl, on its own.
#include "crawl/site_line.hpp"

#include <gtest/gtest.h>

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using crawl::ActiveSite;
using crawl::SiteLine;
using crawl::UrlTask;

const SiteLine::Clock::time_point start{};

std::vector<QueueItem> items(std::int64_t first, std::size_t count) {
  std::vector<QueueItem> items(count);
  for (std::size_t i = 0; i < count; ++i) items[i].id = first + static_cast<std::int64_t>(i);
  return items;
}

// A line with sites 1 to `count`, of which nothing is read.
SiteLine line_of(std::int64_t count) {
  SiteLine line;
  for (std::int64_t id = 1; id <= count; ++id) line.add({.id = id, .origin = "http://a.test"});
  return line;
}

using Ids = std::vector<std::int64_t>;

TEST(SiteLine, ASiteIsReadUntilAllOfItsUrlsAreKnown) {
  SiteLine line = line_of(1);
  ASSERT_TRUE(line.must_read());
  ActiveSite& site = line.next_to_read();
  EXPECT_FALSE(line.must_read());
  EXPECT_FALSE(line.read_if_needed(site));  // it is being read
  line.read(site, items(1, SiteLine::max_read));
  EXPECT_EQ(site.ahead.size(), SiteLine::max_read);
  EXPECT_EQ(site.place->id, 16);
  EXPECT_FALSE(line.read_if_needed(site));  // it has enough
  site.ahead.clear();
  ASSERT_TRUE(line.read_if_needed(site));
  line.read(line.next_to_read(), items(17, 3));
  EXPECT_TRUE(site.read_all);
  site.ahead.clear();
  EXPECT_FALSE(line.read_if_needed(site));
}

TEST(SiteLine, AUrlIsKnownUntilItsResultIsInTheQueue) {
  SiteLine line = line_of(1);
  ActiveSite& site = line.next_to_read();
  line.read(site, items(1, 2));
  line.urls_added();
  EXPECT_FALSE(site.read_all);
  EXPECT_EQ(site.place, std::nullopt);
  line.forget_url(2);
  ASSERT_TRUE(line.read_if_needed(site));
  line.read(line.next_to_read(), items(1, 3));
  Ids ahead;
  for (const UrlTask& task : site.ahead) ahead.push_back(task.item.id);
  EXPECT_EQ(ahead, (Ids{1, 2, 2, 3}));  // the first one is not read twice
}

TEST(SiteLine, UrlsThatAreAddedDuringAReadingAreReadToo) {
  SiteLine line = line_of(1);
  ActiveSite& site = line.next_to_read();
  line.urls_added();
  line.read(site, items(1, 3));
  EXPECT_FALSE(site.read_all);
  EXPECT_EQ(site.place, std::nullopt);
}

TEST(SiteLine, AReadingThatFailedIsTheNextOne) {
  SiteLine line = line_of(2);
  ActiveSite& site = line.next_to_read();
  line.read_failed(site);
  EXPECT_EQ(&line.next_to_read(), &site);
  line.stop_reading();
  line.read_failed(site);
  EXPECT_FALSE(line.must_read());
  EXPECT_FALSE(site.reading);
}

TEST(SiteLine, AfterStopReadingNothingIsRead) {
  SiteLine line = line_of(2);
  ActiveSite& site = line.next_to_read();
  line.stop_reading();
  EXPECT_FALSE(line.must_read());
  line.read(site, items(1, 3));
  EXPECT_TRUE(site.ahead.empty());
  EXPECT_FALSE(line.read_if_needed(site));
}

TEST(SiteLine, StalledSitesKeepTheirOrderButOneThatAnsweredComesFirst) {
  SiteLine line = line_of(3);
  for (const std::int64_t id : {1, 2, 3, 1}) line.stall(*line.find(id));
  EXPECT_EQ(line.stalled(), 3U);
  line.find(1)->is_silent = line.find(2)->is_silent = true;
  line.prefer_answering();
  EXPECT_EQ(line.take_stalled()->known.id, 3);
  EXPECT_EQ(line.take_stalled()->known.id, 2);
  line.end(*line.find(1), 0);
  EXPECT_EQ(line.take_stalled(), nullptr);
  EXPECT_EQ(line.stalled(), 0U);
}

TEST(SiteLine, WaitsEndInTheOrderOfTime) {
  SiteLine line = line_of(3);
  line.wait_until(start + 3s, *line.find(1));
  line.wait_until(start + 1s, *line.find(2));
  line.wait_until(start + 2s, *line.find(3));
  EXPECT_EQ(line.next_wait_ends(), start + 1s);
  EXPECT_EQ(line.take_waited(start), nullptr);
  line.end(*line.find(2), 0);
  EXPECT_EQ(line.take_waited(start + 2s)->known.id, 3);
  EXPECT_EQ(line.take_waited(start + 2s), nullptr);
  EXPECT_EQ(line.next_wait_ends(), start + 3s);
}

TEST(SiteLine, OneLongBodyIsTriedAtATime) {
  SiteLine line = line_of(2);
  UrlTask task;
  EXPECT_TRUE(line.has_turn(*line.find(1), task));
  task.is_too_long = true;
  EXPECT_TRUE(line.has_turn(*line.find(1), task));
  line.begin_turn();
  EXPECT_FALSE(line.has_turn(*line.find(2), task));
  line.end_turn(start + 1s);
  EXPECT_EQ(line.take_waited(start + 1s), line.find(2));
  EXPECT_TRUE(line.has_turn(*line.find(2), task));
}

TEST(SiteLine, ASiteIsReleasedAfterItsPages) {
  SiteLine line = line_of(3);
  line.end(*line.find(1), 4);
  line.end(*line.find(2), 6);
  EXPECT_EQ(line.find(1), nullptr);
  EXPECT_TRUE(line.begin_release(3).sites.empty());
  line.urls_added();
  const SiteLine::Release release = line.begin_release(5);
  EXPECT_EQ(release.sites, Ids{1});
  EXPECT_TRUE(release.may_have_urls);
  line.release_failed();
  EXPECT_EQ(line.begin_release(6).sites, (Ids{1, 2}));
  line.end_release();
  EXPECT_EQ(line.ids(), Ids{3});
  line.end_all(6);
  EXPECT_TRUE(line.active().empty());
  EXPECT_FALSE(line.empty());
  EXPECT_FALSE(line.begin_release(6).may_have_urls);
  line.end_release();
  EXPECT_TRUE(line.empty());
}

TEST(SiteLine, ASiteThatIsClaimedAgainIsNotReleased) {
  SiteLine line = line_of(1);
  line.end(*line.find(1), 0);
  line.add({.id = 1, .origin = "http://a.test"});
  EXPECT_FALSE(line.has_ended());
  EXPECT_NE(line.find(1), nullptr);
}

TEST(SiteLine, SitesThatLeaveAreChosenOnce) {
  SiteLine line = line_of(4);
  EXPECT_EQ(line.count_staying(), 4U);
  for (ActiveSite* site : line.choose_leaving(3)) site->leaves = true;
  EXPECT_EQ(line.count_staying(), 1U);
  EXPECT_EQ(line.choose_leaving(3).size(), 1U);
}

TEST(SiteLine, AfterClearItIsAsNew) {
  SiteLine line = line_of(2);
  line.read(line.next_to_read(), items(1, 3));
  line.stop_all();
  line.clear();
  EXPECT_TRUE(line.empty());
  EXPECT_FALSE(line.must_read());
  line.add({.id = 1, .origin = "http://a.test"});
  ActiveSite& site = line.next_to_read();
  line.read(site, items(1, 3));
  EXPECT_EQ(site.ahead.size(), 3U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
