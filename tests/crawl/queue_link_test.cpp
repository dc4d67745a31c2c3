// The link of a crawl to its queue, on its own.
#include "crawl/queue_link.hpp"

#include <gtest/gtest.h>

#include "crawl/scripted_crawl.hpp"
#include "support/queue_decorator.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using crawl::QueueAnswer;
using crawl::QueueLink;

const QueueLink::Clock::time_point start{};

class SharedQueue final : public QueueDecorator {
 public:
  using QueueDecorator::QueueDecorator;
  bool is_shared() const noexcept override { return true; }
  Result<QueueClaim> claim() override {
    ++claims;
    return queue_.claim();
  }
  int claims = 0;
};

const Error away{"store-unreachable", "the server does not answer"};
const Error lost{"claim-lost", "another worker has the sites"};

TEST(QueueLink, ClaimsTheJobBeforeTheFirstSites) {
  const auto urls = queue_of({"http://a.test/1", "http://b.test/1"});
  SharedQueue queue(*urls);
  QueueLink link(queue);
  EXPECT_FALSE(link.has_claim());
  int prepared = 0;
  const auto prepare = [&]() -> Result<void> {
    ++prepared;
    return {};
  };
  EXPECT_EQ(link.claim_sites(1, prepare).value().size(), 1U);
  EXPECT_EQ(link.claim_sites(1, prepare).value().size(), 1U);
  EXPECT_EQ(prepared, 1);
  EXPECT_EQ(queue.claims, 1);
  link.lose_claim();
  EXPECT_TRUE(link.has_lost_claim());
  link.drop_claim();
  EXPECT_FALSE(link.has_claim());
  EXPECT_FALSE(link.has_lost_claim());
  EXPECT_TRUE(link.claim_sites(1, prepare).ok());
  EXPECT_EQ(queue.claims, 2);
}

TEST(QueueLink, AClaimThatCannotBePreparedIsNotKept) {
  const auto urls = queue_of({"http://a.test/1"});
  QueueLink link(*urls);
  const auto fails = []() -> Result<void> { return Error{"disk-full", "no room"}; };
  EXPECT_EQ(link.claim_sites(1, fails).error().code, "disk-full");
  EXPECT_FALSE(link.has_claim());
}

TEST(QueueLink, SaysWhatAnAnswerMeans) {
  const auto urls = queue_of({});
  SharedQueue shared(*urls);
  QueueLink link(shared);
  const Error full{"disk-full", "no room"};
  const Error other{"unknown-job", "removed"};
  EXPECT_EQ(link.note(nullptr, false, start), QueueAnswer::done);
  EXPECT_EQ(link.note(&lost, false, start), QueueAnswer::claim_lost);
  EXPECT_EQ(link.note(&full, false, start), QueueAnswer::disk_full);
  EXPECT_EQ(link.note(&other, false, start), QueueAnswer::failed);
  EXPECT_EQ(link.note(&away, true, start), QueueAnswer::unreachable);
  EXPECT_FALSE(link.holds_requests());
  EXPECT_EQ(link.note(&away, false, start), QueueAnswer::must_wait);
  EXPECT_TRUE(link.holds_requests());
  // A queue in a file has one worker, so its claim cannot be claimed again.
  QueueLink own(*urls);
  EXPECT_EQ(own.note(&lost, false, start), QueueAnswer::failed);
}

TEST(QueueLink, WaitsLongerAndLongerAndSaysSoOnce) {
  const auto urls = queue_of({});
  QueueLink link(*urls);
  auto now = start;
  for (const auto pause : {500ms, 1'000ms, 2'000ms, 4'000ms, 8'000ms, 8'000ms}) {
    EXPECT_EQ(link.note(&away, false, now), QueueAnswer::must_wait);
    EXPECT_EQ(link.again_at(), now + pause);
    EXPECT_TRUE(link.is_waiting(now + pause - 1ns));
    now += pause;
    EXPECT_FALSE(link.is_waiting(now));
  }
  EXPECT_EQ(link.notice().take(), "the server does not answer; the crawl waits until it answers");
  EXPECT_FALSE(link.has_news());
  EXPECT_EQ(link.note(nullptr, false, now), QueueAnswer::done);
  EXPECT_FALSE(link.holds_requests());
  EXPECT_EQ(link.notice().take(), "");
}

TEST(QueueLink, AsksForThePendingUrlsOnceASecond) {
  const auto urls = queue_of({});
  QueueLink link(*urls);
  link.note_pending(7, start + 10s);
  EXPECT_EQ(link.pending(), 7U);
  EXPECT_FALSE(link.must_ask_pending(start + 10'999ms));
  EXPECT_TRUE(link.must_ask_pending(start + 11s));
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
