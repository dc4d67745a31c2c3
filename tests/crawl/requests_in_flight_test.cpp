// The requests in flight of a crawl, on their own.
#include "crawl/requests_in_flight.hpp"

#include <gtest/gtest.h>

namespace robotrules::test::THIS_FILE {
namespace {

using crawl::RequestsInFlight;

TEST(RequestsInFlight, ARequestIsInFlightUntilItsResponseIsTaken) {
  RequestsInFlight requests;
  EXPECT_TRUE(requests.is_idle());
  const auto first = requests.add();
  const auto second = requests.add();
  EXPECT_LT(first, second);
  EXPECT_EQ(requests.last_number(), second);
  requests.not_started(second);
  EXPECT_EQ(requests.size(), 1U);
  EXPECT_FALSE(requests.answered(first));
  EXPECT_TRUE(requests.empty());
  EXPECT_FALSE(requests.is_idle());
  requests.answer_taken();
  EXPECT_TRUE(requests.is_idle());
}

TEST(RequestsInFlight, OnlyRequestsThatWereTakenBackAreRecalled) {
  RequestsInFlight requests;
  const auto before = requests.add();
  requests.started(before, {});
  EXPECT_EQ(requests.recall().size(), 1U);
  const auto after = requests.add();
  EXPECT_EQ(requests.all().size(), 2U);
  EXPECT_TRUE(requests.answered(before));
  EXPECT_FALSE(requests.answered(after));
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
