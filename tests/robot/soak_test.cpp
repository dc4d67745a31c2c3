// A robot among servers that mean harm, for as long as one likes (A36): its memory and its descriptors stay what they
// were. Three seconds in every run, five minutes with ROBOTRULES_SOAK=1, N seconds with ROBOTRULES_SOAK=N.
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <random>

#include <robotrules/page.hpp>
#include <robotrules/robot_ua.hpp>

#include "support/agent/loopback.hpp"
#include "support/process.hpp"
#include "support/sanitized.hpp"
#include "support/server/hostile_answers.hpp"
#include "support/soak.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t hosts = 120;
constexpr std::size_t at_once = 64;
constexpr std::size_t keep_alive = 32;

class Soak : public LocalAgent {
 protected:
  Soak() {
    const std::vector<Handler> answers = hostile_answers(no_x);
    kinds_ = answers.size();
    secure_port = server.listen("127.0.0.1", true);
    for (std::size_t kind = 0; kind < kinds_; ++kind) server.on("", "/" + std::to_string(kind), answers[kind]);
    for (std::size_t number = 0; number < hosts; ++number) {
      // Two of three sites have a robots.txt, so that pages are asked for.
      server.on(host(number), "/robots.txt", number % 3 != 0 ? Handler(reply(no_x)) : answers[number / 3 % kinds_]);
    }
    server.on("", "/again", redirect(302, "/again"));
    server.on("", "/good", reply("good"));
  }
  static std::string host(std::size_t number) { return "host-" + std::to_string(number) + ".test"; }

  // The store's own clock goes on with what is done, so that waits pass and records grow old.
  RobotUA soaked() {
    options.connection.keep_alive = keep_alive;
    options.cookies = std::make_shared<CookieJar>();
    options.limits.max_total_time = policy().timeout = 150ms;
    options.limits.max_body_bytes = 256 * 1'024;
    options.limits.max_wire_bytes = 1 << 20;
    options.limits.max_ratio = 100;
    options.credentials = {{host(0) + ':' + std::to_string(port), "r", "user", "secret"}};
    robot_options.use_sleep = false;
    robot_options.max_sites_in_memory = hosts / 2;
    return new_robot({.clock = [this] { return clock->now(); }, .limit_bytes = 1 << 20});
  }

  // One request after the other until the end; on the agent's thread but the first ones.
  void next(RobotUA& ua) {
    Request request;
    request.url = any_url();
    ua.start(std::move(request), [this, &ua](const Response& page) {
      ++operations_;
      ++sources_[static_cast<std::size_t>(page.source)];
      clock->advance(20ms);
      found_ += page_rules_of(page, "test-robot").noindex + page_head_of(page).fields.size();
      if (!ended_) return next(ua);
      const std::lock_guard lock(mutex_);
      if (--going_ == 0) over_.notify_one();
    });
  }
  std::string any_url() {
    const std::size_t number = random_() % hosts;
    const std::size_t kind = random_() % kinds_;
    const bool tls = random_() % 4 == 0;
    return url_of(tls ? secure_port : port, "/" + std::to_string(kind), host(number), tls ? "https" : "http");
  }

  Sample sample() {
    server.witness().clear();
    malloc_trim(0);
    return {operations_, resident_bytes(), open_descriptors()};
  }

  void soak(RobotUA& ua, std::chrono::milliseconds time) {
    constexpr int samples = 60;
    going_ = at_once;
    for (std::size_t i = 0; i < at_once; ++i) next(ua);
    const auto begin = std::chrono::steady_clock::now();
    std::unique_lock lock(mutex_);
    for (int i = 1; i <= samples; ++i) {
      over_.wait_until(lock, begin + time * i / samples, [this] { return going_ == 0; });
      samples_.push_back(sample());
    }
    ended_ = true;
    ASSERT_TRUE(over_.wait_for(lock, patience, [this] { return going_ == 0; }));
    samples_.erase(samples_.begin(), samples_.begin() + samples / 3);  // it warms up
  }

  std::size_t count_of(ResponseSource source) const { return sources_[static_cast<std::size_t>(source)]; }

  std::size_t kinds_ = 0;
  std::mt19937 random_{20'261'121};
  std::atomic<std::size_t> operations_{0};
  std::array<std::atomic<std::size_t>, 32> sources_{};
  std::atomic<std::size_t> found_{0};
  std::atomic<bool> ended_{false};
  std::mutex mutex_;
  std::condition_variable over_;
  std::size_t going_ = 0;
  std::vector<Sample> samples_;
};

TEST_F(Soak, AHostileMixLeavesMemoryAndDescriptorsAsTheyWere) {
  const std::size_t descriptors_before = open_descriptors();
  {
    RobotUA ua = soaked();
    soak(ua, time_to_soak());
    UserAgentOptions options = ua.options();
    options.limits.max_total_time = patience;
    ua.configure(options);
    const Response good = ua.get(url("/good", "another.test"));
    EXPECT_EQ(good.body, "good") << good.warning;
  }
  server.drop_connections();
  ASSERT_TRUE(server.witness().wait_for_closed(server.witness().connection_count()));
  EXPECT_EQ(open_descriptors(), descriptors_before);

  EXPECT_EQ(count_of(ResponseSource::internal), 0U);
  EXPECT_EQ(count_of(ResponseSource::store), 0U);
  EXPECT_EQ(count_of(ResponseSource::invalid_request), 0U);
  for (const ResponseSource seen :
       {ResponseSource::server, ResponseSource::robots_unreachable, ResponseSource::too_early,
        ResponseSource::redirect_refused, ResponseSource::network, ResponseSource::timeout,
        ResponseSource::bad_response, ResponseSource::body_refused}) {
    EXPECT_GT(count_of(seen), 0U) << to_string(seen);
  }
  EXPECT_GT(found_.load(), 0U);

  std::size_t most_descriptors = 0;
  for (const Sample& sample : samples_) most_descriptors = std::max(most_descriptors, sample.descriptors);
  // Each connection has two ends here, and the agent some of its own.
  EXPECT_LE(most_descriptors, descriptors_before + 2 * (at_once + keep_alive) + 16);
  const double slope = slope_of(samples_);
  const double rise = slope * static_cast<double>(samples_.back().operations - samples_.front().operations);
  std::printf("%zu requests, %zu answers; %zu to %zu KiB, %+.2f bytes a request, at most %zu descriptors\n",
              operations_.load(), count_of(ResponseSource::server), samples_.front().resident >> 10,
              samples_.back().resident >> 10, slope, most_descriptors);
  RecordProperty("operations", std::to_string(operations_));
  RecordProperty("bytes_an_operation", std::to_string(slope));
  RecordProperty("most_descriptors", std::to_string(most_descriptors));
  if (!sanitized) {
    EXPECT_LE(rise, 8 << 20) << "however long it took";
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
