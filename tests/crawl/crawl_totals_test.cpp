// The counts of a crawl, on their own.
#include "crawl/crawl_totals.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using crawl::CrawlTotals;
using crawl::PageWriter;

Response response_of(int code, std::chrono::milliseconds took) {
  Response response;
  response.source = ResponseSource::server;
  response.code = code;
  response.requested_at = Timestamp(1s);
  response.received_at = response.requested_at + took;
  return response;
}

TEST(CrawlTotals, CountsRedirectsBeforeAResponseToo) {
  CrawlTotals totals;
  Response last = response_of(200, 20ms);
  last.previous = std::make_shared<const Response>(response_of(301, 5ms));
  totals.count_responses(last);
  Response none;
  none.source = ResponseSource::network;
  totals.count_responses(none);
  const CrawlCounts counts = totals.counts(0);
  EXPECT_EQ(counts.responses[2], 1U);
  EXPECT_EQ(counts.responses[3], 1U);
  EXPECT_EQ(counts.times.sum, 25ms);
  EXPECT_EQ(counts.times.counts[0], 1U);  // up to 10 ms
  EXPECT_EQ(counts.times.counts[1], 1U);
}

TEST(CrawlTotals, AClockThatWasSetBackMakesNoNegativeTime) {
  CrawlTotals totals;
  totals.count_responses(response_of(200, -1s));
  EXPECT_EQ(totals.counts(0).times.sum, 0s);
}

TEST(CrawlTotals, CountsASiteOnce) {
  CrawlTotals totals;
  for (const std::int64_t id : {5, 70, 5, 0}) totals.count_site(id);
  EXPECT_EQ(totals.counts(0).sites_seen, 3U);
}

TEST(CrawlTotals, PagesThatAreWrittenAreNotPending) {
  CrawlTotals totals;
  PageWriter::Written written;
  written.more.done = 3;
  written.more.failed = 1;
  written.more.by_class[2] = 3;
  written.failures["404"] = 1;
  written.unsettled = 4;
  totals.count_written(written);
  totals.count_written(written);
  EXPECT_EQ(totals.counts(10).done, 6U);
  EXPECT_EQ(totals.counts(10).by_class[2], 6U);
  EXPECT_EQ(totals.failures().at("404"), 2U);
  EXPECT_EQ(totals.counts(10).pending, 2U);
  totals.settled(5);
  EXPECT_EQ(totals.counts(5).pending, 2U);
  totals.give_up_unsettled();
  EXPECT_EQ(totals.counts(5).pending, 5U);
  EXPECT_EQ(totals.counts(5).done, 6U);
}

TEST(CrawlTotals, KeepsWhenTheFirstSiteMayBeAskedAgain) {
  CrawlTotals totals;
  totals.note_left_out({});
  EXPECT_EQ(totals.counts(0).left_out_until, std::nullopt);
  totals.note_left_out(Timestamp(9s));
  totals.note_left_out(Timestamp(7s));
  totals.note_left_out(Timestamp(8s));
  EXPECT_EQ(totals.counts(0).left_out_until, Timestamp(7s));
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
