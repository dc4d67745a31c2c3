// Whether and when a URL is requested again, without a crawl: a robot answers, and the policy judges.
#include "crawl/retry_policy.hpp"

#include <gtest/gtest.h>

#include "support/agent/robot_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using crawl::ActiveSite;
using crawl::RetryPolicy;
using crawl::UrlTask;

const RetryPolicy::Clock::time_point start = RetryPolicy::Clock::time_point() + 1h;

class RetryPolicyTest : public ::testing::Test {
 protected:
  RetryPolicyTest() {
    options_.clock = [] { return start; };
    site_.known = {.id = 1, .origin = "http://a.test"};
  }
  static UrlTask task(const std::string& url = "http://a.test/1") {
    UrlTask task;
    task.item.request.url = url;
    return task;
  }
  static Response response(ResponseSource source, int code = 0) {
    Response response;
    response.source = source;
    response.code = code;
    response.url = "http://a.test/1";
    return response;
  }

  RobotRig rig_;
  CrawlOptions options_;
  RetryPolicy policy_{rig_.agent(), options_};
  ActiveSite site_;
};

TEST_F(RetryPolicyTest, ARefusalIsRepeatedUntilTheLastTry) {
  UrlTask one = task();
  const Response refused = response(ResponseSource::server, 429);
  EXPECT_TRUE(policy_.may_retry(site_, one, refused, {}));
  EXPECT_TRUE(policy_.may_retry(site_, one, refused, {}));
  EXPECT_FALSE(policy_.may_retry(site_, one, refused, {}));
  UrlTask missing = task();
  EXPECT_FALSE(policy_.may_retry(site_, missing, response(ResponseSource::server, 404), {}));
}

TEST_F(RetryPolicyTest, WithoutAWaitTheUrlComesAfterTheOthers) {
  site_.ahead.push_back(task("http://a.test/2"));
  EXPECT_EQ(policy_.put_back(site_, task(), response(ResponseSource::server, 429), {}), std::nullopt);
  EXPECT_EQ(site_.ahead.back().item.request.url, "http://a.test/1");
}

TEST_F(RetryPolicyTest, ABodyThatDoesNotFitWaitsAlone) {
  site_.ahead.push_back(task("http://a.test/2"));
  UrlTask one = task();
  one.tries = 2;
  EXPECT_EQ(policy_.put_back(site_, one, response(ResponseSource::disk_too_small), {}),
            start + 2 * options_.disk_full_wait);
  EXPECT_EQ(site_.not_before, std::nullopt);  // the others go on
  EXPECT_TRUE(site_.ahead.back().is_too_long);
  EXPECT_EQ(site_.ahead.back().waits_for, "http://a.test/1");
  EXPECT_EQ(site_.ahead.back().held_for, WaitReason::disk);
}

TEST_F(RetryPolicyTest, ARobotsTxtThatCannotBeFetchedHoldsAllUrlsAndCountsOnce) {
  Response unreachable = response(ResponseSource::robots_unreachable);
  unreachable.try_again_at = rig_.store->now() + 1min;
  UrlTask one = task();
  UrlTask two = task("http://a.test/2");
  EXPECT_TRUE(policy_.may_retry(site_, one, unreachable, {}));
  EXPECT_TRUE(policy_.may_retry(site_, two, unreachable, {}));
  EXPECT_EQ(site_.robots_failures, 1U);
  EXPECT_EQ(policy_.next_try_in(one, unreachable, {}), 60s);
  EXPECT_EQ(policy_.put_back(site_, one, unreachable, {}), start + 1min);
  EXPECT_EQ(site_.not_before, start + 1min);
  EXPECT_EQ(site_.ahead.front().held_for, WaitReason::robots_txt);
  unreachable.try_again_at = rig_.store->now() + options_.max_wait + 1min;
  EXPECT_FALSE(policy_.may_retry(site_, one, unreachable, {}));
}

TEST_F(RetryPolicyTest, ASiteThatGivesNoAnswerIsGivenUpAfterPausesAndTime) {
  const Response silent = response(ResponseSource::network);
  UrlTask one = task();
  EXPECT_TRUE(policy_.may_retry(site_, one, silent, crawl::Silence{.pauses = 9, .lasts = 9min, .pause_left = 5s}));
  EXPECT_TRUE(site_.is_silent);
  EXPECT_EQ(site_.given_up, std::nullopt);
  EXPECT_FALSE(policy_.may_retry(site_, one, silent, crawl::Silence{.pauses = 3, .lasts = 10min, .pause_left = 5s}));
  ASSERT_TRUE(site_.given_up);
  EXPECT_EQ(site_.given_up->source, ResponseSource::network);
}

TEST_F(RetryPolicyTest, ThePauseOfASilentSiteIsReadFromTheGate) {
  rig_.transport->on("http://a.test/robots.txt", {.body = ""});
  rig_.transport->on("http://a.test/1", failure(TransferError::connect));
  const Response failed = rig_.fetch("http://a.test/1");
  const auto silence = policy_.silence_of(failed);
  ASSERT_TRUE(silence);
  EXPECT_EQ(silence->pauses, 0U);
  EXPECT_EQ(silence->pause_left, 5s);
  EXPECT_EQ(policy_.silence_of(rig_.fetch("http://b.test/1")), std::nullopt);
}

TEST_F(RetryPolicyTest, AServerThatAsksForALongerWaitLeavesItsUrlsOut) {
  rig_.transport->on("http://a.test/robots.txt", {.body = ""});
  rig_.transport->on("http://a.test/1", {.status = 503, .headers = {{"Retry-After", "7200"}}});
  Response refused = rig_.fetch("http://a.test/1");
  EXPECT_TRUE(policy_.parks_site(refused));
  EXPECT_EQ(refused.waited_for, WaitReason::penalty);
  ASSERT_TRUE(refused.try_again_at);
  EXPECT_EQ(*refused.try_again_at, rig_.store->now() + 2h);
  options_.max_wait = 3h;
  EXPECT_FALSE(policy_.parks_site(refused));
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
