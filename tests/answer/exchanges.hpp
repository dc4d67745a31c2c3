// Ends of requests for robots.txt, and what robots_step() makes of them.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>

#include <robotrules/robots_step.hpp>

namespace robotrules {

using namespace std::chrono_literals;
using std::chrono::microseconds;

inline constexpr Timestamp start{std::chrono::sys_days{std::chrono::year(2026) / 3 / 1}};
inline constexpr std::chrono::hours day{24};
inline constexpr const char* robots_url = "http://a.test/robots.txt";

inline RobotsExchange answered(int status, Headers headers = {}, std::string body = {}) {
  RobotsExchange exchange{.request = {.url = robots_url}, .end = RobotsEnd::answered};
  exchange.request.is_repeated = true;
  exchange.status = status;
  exchange.headers = std::move(headers);
  exchange.body = std::move(body);
  return exchange;
}

inline RobotsExchange failed(int status = 0) {
  RobotsExchange exchange = answered(status);
  exchange.end = RobotsEnd::failed;
  return exchange;
}

inline RobotsExchange too_many_redirects() { return answered(302, {{"Location", robots_url}}); }

inline RobotsExchange not_modified(Headers headers = {}) {
  RobotsExchange exchange = answered(304, std::move(headers));
  exchange.request.headers.set("If-None-Match", "\"1\"");
  return exchange;
}

inline RobotsResult result_of(const RobotsRecord* old, RobotsExchange exchange, Timestamp now,
                              const RobotsPolicy& policy = RobotsPolicy::rfc9309()) {
  exchange.requested_at = exchange.received_at = now;
  RobotsStep step = robots_step(std::move(exchange), old, policy, now);
  auto* result = std::get_if<RobotsResult>(&step);
  EXPECT_NE(result, nullptr) << "wants " << std::get<RobotsRequest>(step).url;
  return result != nullptr ? *result : RobotsResult{};
}

// The times of a history are those of the answers too.
inline RobotsRecord after(const RobotsRecord* old, RobotsExchange exchange, Timestamp now,
                          const RobotsPolicy& policy = RobotsPolicy::rfc9309(), double jitter = 0) {
  exchange.jitter = jitter;
  return result_of(old, std::move(exchange), now, policy).record;
}

inline RobotsRequest request_after(RobotsExchange exchange, const RobotsRecord* record = nullptr,
                                   const RobotsPolicy& policy = RobotsPolicy::rfc9309()) {
  RobotsStep step = robots_step(std::move(exchange), record, policy, start);
  auto* request = std::get_if<RobotsRequest>(&step);
  EXPECT_NE(request, nullptr) << std::get<RobotsResult>(step).reason;
  return request != nullptr ? *request : RobotsRequest{};
}

inline RobotsRecord good_copy(const RobotsPolicy& policy = RobotsPolicy::rfc9309()) {
  return after(nullptr, answered(200, {{"ETag", "\"1\""}, {"Last-Modified", "Sun, 01 Feb 2026 00:00:00 GMT"}}, "rules"),
               start, policy);
}

}  // namespace robotrules
