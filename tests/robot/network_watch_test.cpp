// What counts as a failure of the robot's own network.
#include <gtest/gtest.h>

#include "robot/network_watch.hpp"

namespace robotrules::agent {
namespace {

using namespace std::chrono_literals;

class NetworkWatchTest : public testing::Test {
 protected:
  static Timestamp at(std::chrono::microseconds time) { return Timestamp(time + 24h); }
  OutcomeCause fails(int site, std::chrono::microseconds time, OutcomeCause cause = OutcomeCause::connect) {
    return watch_.ended(key(site), {.cause = cause}, at(time), at(time));
  }
  void answers(int site, std::chrono::microseconds sent, std::chrono::microseconds time) {
    watch_.ended(key(site), {.status = 200}, at(sent), at(time));
  }
  void all_answer(int count) {
    for (int i = 0; i < count; ++i) answers(i, 0s, 0s);
  }
  static std::string key(int site) { return "http://s" + std::to_string(site) + ".test"; }
  NetworkWatch watch_;
};

TEST_F(NetworkWatchTest, FiveSitesThatHaveAnsweredFailWithinAMinute) {
  all_answer(6);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(fails(i, 10s + i * 10s), OutcomeCause::connect) << i;
  EXPECT_FALSE(watch_.failing_since());
  EXPECT_EQ(fails(4, 50s), OutcomeCause::none);
  EXPECT_EQ(watch_.failing_since(), at(50s));
  EXPECT_EQ(fails(0, 60s), OutcomeCause::none);
}

TEST_F(NetworkWatchTest, FiveSitesWithinALongerTimeAreSites) {
  all_answer(5);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(fails(i, i * 20s), OutcomeCause::connect) << i;
  EXPECT_FALSE(watch_.failing_since());
}

TEST_F(NetworkWatchTest, SitesThatNeverAnsweredAreSites) {
  all_answer(4);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(fails(i, 1s), OutcomeCause::connect) << i;
}

TEST_F(NetworkWatchTest, SitesThatAcceptConnectionsAndSayNothingAreSites) {
  all_answer(9);
  for (int i = 0; i < 9; ++i) EXPECT_EQ(fails(i, 1s, OutcomeCause::timeout), OutcomeCause::timeout) << i;
  EXPECT_FALSE(watch_.failing_since());
}

TEST_F(NetworkWatchTest, OneSiteThatFailsFiveTimesIsOneSite) {
  all_answer(1);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(fails(0, 1s), OutcomeCause::connect) << i;
}

TEST_F(NetworkWatchTest, AnAnswerToALaterRequestProvesThatItWorks) {
  all_answer(9);
  for (int i = 0; i < 4; ++i) fails(i, 1s);
  answers(8, 2s, 3s);
  for (int i = 4; i < 8; ++i) EXPECT_EQ(fails(i, 4s), OutcomeCause::connect) << i;
}

TEST_F(NetworkWatchTest, AnAnswerToAnEarlierRequestProvesNothing) {
  all_answer(9);
  for (int i = 0; i < 4; ++i) fails(i, 10s);
  answers(8, 5s, 11s);
  EXPECT_EQ(fails(4, 12s), OutcomeCause::none);
}

// They began to fail long ago, one after the other; that no other site is left to answer proves nothing.
TEST_F(NetworkWatchTest, SitesThatWereAwayBeforeAreSites) {
  all_answer(6);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(fails(i, i * 10s + 1s), OutcomeCause::connect) << i;
    answers(5, i * 10s + 2s, i * 10s + 3s);
  }
  for (int i = 0; i < 5; ++i) EXPECT_EQ(fails(i, 100s), OutcomeCause::connect) << i;
  EXPECT_FALSE(watch_.failing_since());
  for (int i = 0; i < 5; ++i) answers(i, 200s, 200s);
  for (int i = 0; i < 4; ++i) fails(i, 201s);
  EXPECT_EQ(fails(4, 202s), OutcomeCause::none);
}

TEST_F(NetworkWatchTest, TheNextAnswerEndsIt) {
  all_answer(6);
  for (int i = 0; i < 5; ++i) fails(i, 1s);
  ASSERT_TRUE(watch_.failing_since());
  answers(5, 2s, 3s);
  EXPECT_FALSE(watch_.failing_since());
  EXPECT_EQ(fails(0, 4s), OutcomeCause::connect);
}

TEST_F(NetworkWatchTest, NamesAndRoutesOfTwoSitesAreEnough) {
  for (const OutcomeCause cause : {OutcomeCause::dns, OutcomeCause::route}) {
    for (const int site : {0, 1, 9}) answers(site, 100s, 100s);
    EXPECT_EQ(fails(0, 101s, cause), cause);
    EXPECT_EQ(fails(1, 102s, cause), OutcomeCause::none);
    watch_.ended(key(9), {.status = 200}, at(103s), at(103s));
    EXPECT_FALSE(watch_.failing_since());
  }
}

// Two of the many names of a broad list that cannot be resolved, while other sites answer.
TEST_F(NetworkWatchTest, TwoNamesThatNeverWorkedAreSitesWhileOthersAnswer) {
  answers(9, 0s, 0s);
  EXPECT_EQ(fails(0, 1s, OutcomeCause::dns), OutcomeCause::dns);
  EXPECT_EQ(fails(1, 2s, OutcomeCause::dns), OutcomeCause::dns);
  EXPECT_FALSE(watch_.failing_since());
  EXPECT_EQ(fails(2, 11s, OutcomeCause::dns), OutcomeCause::none);  // nothing has answered for ten seconds
}

TEST_F(NetworkWatchTest, FiveNamesThatNeverWorkedAreTheNetwork) {
  answers(9, 0s, 0s);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(fails(i, 1s, OutcomeCause::dns), OutcomeCause::dns) << i;
  EXPECT_EQ(fails(4, 1s, OutcomeCause::dns), OutcomeCause::none);
}

TEST_F(NetworkWatchTest, TheOnlySiteIsAskedThreeTimes) {
  all_answer(1);
  EXPECT_EQ(fails(0, 1s, OutcomeCause::dns), OutcomeCause::dns);
  EXPECT_EQ(fails(0, 6s, OutcomeCause::dns), OutcomeCause::dns);
  EXPECT_EQ(fails(0, 16s, OutcomeCause::dns), OutcomeCause::none);
}

TEST_F(NetworkWatchTest, ANameThatNeverWorkedIsOneOfASite) {
  for (int i = 0; i < 9; ++i) EXPECT_EQ(fails(0, i * 10s, OutcomeCause::dns), OutcomeCause::dns) << i;
}

TEST_F(NetworkWatchTest, BeyondTheLimitFailuresCountUntilTheNextAnswer) {
  watch_.limit(10min);
  all_answer(6);
  for (int i = 0; i < 5; ++i) fails(i, 1s);
  EXPECT_EQ(fails(0, 10min), OutcomeCause::none);
  EXPECT_EQ(fails(0, 11min), OutcomeCause::connect);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(fails(i, 12min), OutcomeCause::connect) << i;
  for (int i = 0; i < 6; ++i) answers(i, 13min, 13min);
  for (int i = 0; i < 5; ++i) fails(i, 14min);
  EXPECT_TRUE(watch_.failing_since());
}

TEST_F(NetworkWatchTest, TheRobotsOwnCancelIsNoFailure) {
  all_answer(6);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(fails(i, 1s, OutcomeCause::cancelled), OutcomeCause::cancelled);
  EXPECT_FALSE(watch_.failing_since());
}

}  // namespace
}  // namespace robotrules::agent
