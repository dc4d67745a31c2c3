// The wait of a crawl while the robot's own network fails, and the rate of requests after it, on their own.
#include "crawl/network_wait.hpp"

#include <gtest/gtest.h>

#include "crawl/request_rate.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using crawl::NetworkWait;
using crawl::RequestRate;

const NetworkWait::Clock::time_point start{};

Response response_of(ResponseSource source) {
  Response response;
  response.source = source;
  response.url = "http://a.test/1";
  response.warning = "http://a.test/1: no route";
  return response;
}

TEST(NetworkWait, AFailureOfASiteIsNotOneOfTheNetwork) {
  NetworkWait wait(1h);
  EXPECT_FALSE(wait.take(response_of(ResponseSource::network), false, true, start));
  EXPECT_FALSE(wait.is_waiting());
}

TEST(NetworkWait, TriesAreFurtherAndFurtherApart) {
  NetworkWait wait(1h);
  EXPECT_TRUE(wait.take(response_of(ResponseSource::network), true, true, start));
  EXPECT_TRUE(wait.take_recall());
  EXPECT_FALSE(wait.take_recall());
  auto now = start;
  for (const int pause : {5, 10, 20, 40, 80, 80}) {
    EXPECT_FALSE(wait.is_due(now + std::chrono::seconds(pause) - 1ns)) << pause;
    EXPECT_EQ(wait.next_try(now), now + std::chrono::seconds(pause));
    now += std::chrono::seconds(pause);
    EXPECT_TRUE(wait.is_due(now));
    EXPECT_EQ(wait.next_try(now), now + 1s);
    wait.tries(now);
    EXPECT_TRUE(wait.take(response_of(ResponseSource::timeout), true, true, now));
  }
}

TEST(NetworkWait, NothingIsTakenBackIfTheRobotHasNoRequest) {
  NetworkWait wait(1h);
  EXPECT_TRUE(wait.take(response_of(ResponseSource::network), true, false, start));
  EXPECT_FALSE(wait.take_recall());
}

TEST(NetworkWait, AnAnswerWithoutARequestIsNoTry) {
  NetworkWait wait(1h);
  EXPECT_TRUE(wait.take(response_of(ResponseSource::network), true, true, start));
  wait.tries(start + 5s);
  EXPECT_FALSE(wait.take(response_of(ResponseSource::robots_denied), true, true, start + 5s));
  EXPECT_TRUE(wait.is_due(start + 5s));  // the next site may be tried at once
}

TEST(NetworkWait, EndsWithTheFirstAnswerAndSaysSo) {
  NetworkWait wait(1h);
  EXPECT_TRUE(wait.take(response_of(ResponseSource::network), true, true, start));
  EXPECT_EQ(
      wait.notice().take(),
      "no site can be reached, so the network of this machine seems to have failed (no route); the crawl tries one "
      "site at a time until it works");
  EXPECT_FALSE(wait.take(response_of(ResponseSource::server), false, true, start + 5s));
  EXPECT_FALSE(wait.is_waiting());
  EXPECT_EQ(wait.notice().take(), "");
}

TEST(NetworkWait, EndsWhenFailuresCountAgain) {
  NetworkWait wait(1h);
  EXPECT_TRUE(wait.take(response_of(ResponseSource::network), true, true, start));
  EXPECT_TRUE(wait.notice().take());
  EXPECT_FALSE(wait.take(response_of(ResponseSource::network), false, true, start + 1h));
  EXPECT_FALSE(wait.is_waiting());
  EXPECT_EQ(wait.notice().take(), "no site could be reached for so long that failures count again");
}

TEST(RequestRate, WithoutALimitRequestsStartAtOnce) {
  RequestRate rate(0);
  rate.begins(start);
  EXPECT_TRUE(rate.may_begin(start));
}

TEST(RequestRate, KeepsTheTimeBetweenRequests) {
  RequestRate rate(4);
  ASSERT_TRUE(rate.may_begin(start + 1s));
  rate.begins(start + 1s);
  EXPECT_EQ(rate.next(), start + 1s);  // one request may follow at once: the first was late
  rate.begins(start + 1s);
  EXPECT_FALSE(rate.may_begin(start + 1s));
  EXPECT_EQ(rate.next(), start + 1250ms);
  EXPECT_TRUE(rate.may_begin(start + 1250ms));
}

TEST(RequestRate, SpreadsTheSitesForAWhile) {
  RequestRate rate(0);
  rate.spread(10, start + 1s);
  rate.begins(start + 1s);
  rate.begins(start + 1s);
  EXPECT_FALSE(rate.may_begin(start + 1s));
  EXPECT_TRUE(rate.may_begin(start + 1020ms));
  EXPECT_TRUE(rate.may_begin(start + 1200ms));  // ten sites have begun
  rate.begins(start + 1200ms);
  EXPECT_TRUE(rate.may_begin(start + 1200ms));
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
