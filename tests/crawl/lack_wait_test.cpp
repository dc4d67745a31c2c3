// The wait of a crawl for room on a disk or for the proxy, on its own.
#include "crawl/lack_wait.hpp"

#include <gtest/gtest.h>

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using crawl::LackWait;
using Lack = LackWait::Lack;

const LackWait::Clock::time_point start{};

Response response_of(ResponseSource source) {
  Response response;
  response.source = source;
  return response;
}

TEST(LackWait, EachTryInVainDoublesThePauseUpToALimit) {
  LackWait wait(1s, 1h);
  auto now = start;
  for (const int pause : {1, 2, 4, 8, 16, 32, 64, 64}) {
    wait.begin(Lack::room, "full", now);
    EXPECT_TRUE(wait.is_waiting_for(Lack::room, now + std::chrono::seconds(pause) - 1ns)) << pause;
    now += std::chrono::seconds(pause);
    EXPECT_FALSE(wait.is_waiting(now)) << pause;
    EXPECT_TRUE(wait.holds_requests());
    wait.try_again();
    EXPECT_FALSE(wait.holds_requests());
  }
}

TEST(LackWait, FailuresAtTheSameTimeAreOneTry) {
  LackWait wait(1s, 1h);
  wait.begin(Lack::room, "full", start);
  wait.begin(Lack::room, "full", start);
  EXPECT_EQ(wait.again_at(), start + 1s);
}

TEST(LackWait, EndsWhenAllThatFoundTheLackHaveSucceeded) {
  LackWait wait(1s, 1h);
  wait.found_by(7);
  wait.queue_is_full(true);
  wait.output_is_full(true);
  wait.begin(Lack::room, "full", start);
  wait.queue_is_full(false);
  wait.end_if_over();
  EXPECT_TRUE(wait.holds_requests());
  wait.not_found_by(7);
  wait.end_if_over();
  EXPECT_TRUE(wait.holds_requests());
  wait.output_is_full(false);
  wait.end_if_over();
  EXPECT_FALSE(wait.holds_requests());
}

TEST(LackWait, IsToldWhenItBeginsNowAndThenAndWhenItEnds) {
  LackWait wait(1s, 1h);
  EXPECT_FALSE(wait.has_news());
  wait.begin(Lack::room, "the disk is full", start);
  EXPECT_EQ(wait.notice(Lack::room).take(), "the disk is full; the crawl waits until there is room");
  wait.begin(Lack::room, "the disk is full", start + 59min);
  EXPECT_FALSE(wait.has_news());
  wait.begin(Lack::room, "still full", start + 1h);
  EXPECT_EQ(wait.notice(Lack::room).take(), "still full; the crawl waits until there is room");
  wait.end_if_over();
  EXPECT_EQ(wait.notice(Lack::room).take(), "");
  EXPECT_EQ(wait.notice(Lack::proxy).take(), std::nullopt);
}

TEST(LackWait, AProxyThatServesOthersIsNotLost) {
  LackWait wait(1s, 1h);
  std::optional<std::uint64_t> last_before;
  const Response refused = response_of(ResponseSource::proxy_failed);
  EXPECT_TRUE(wait.is_proxy_lost(refused, 1, 3, last_before));
  std::optional<std::uint64_t> of_other;
  EXPECT_FALSE(wait.is_proxy_lost(response_of(ResponseSource::server), 3, 3, of_other));  // it began before the failure
  EXPECT_TRUE(wait.is_proxy_lost(refused, 4, 4, last_before));
  EXPECT_FALSE(wait.is_proxy_lost(response_of(ResponseSource::server), 5, 5, of_other));
  EXPECT_FALSE(wait.is_proxy_lost(refused, 6, 6, last_before));
  EXPECT_FALSE(wait.is_proxy_lost(response_of(ResponseSource::server), 7, 7, last_before));
  EXPECT_EQ(last_before, std::nullopt);  // the site was served
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
