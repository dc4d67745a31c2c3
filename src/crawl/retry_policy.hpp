// After a request that failed or was refused: is its URL requested again, and when?
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include <robotrules/crawl.hpp>

#include "crawl/active_site.hpp"

namespace robotrules::crawl {

// The facts that the gate has about a site that gave no answer.
struct Silence {
  std::uint64_t pauses = 0;                 // that have passed since the first failure
  std::chrono::microseconds lasts{0};       // since then
  std::chrono::microseconds pause_left{0};  // of the pause that begins now
};

class RetryPolicy {
 public:
  using Clock = std::chrono::steady_clock;
  // Both must outlive it.
  RetryPolicy(const RobotUA& robot, const CrawlOptions& options) : robot_(robot), options_(options) {}

  // Returns true if a server asks for a longer wait than the crawl waits, with its answer for a page or for its
  // robots.txt, and sets Response::try_again_at. The robot has told the gate so before.
  bool parks_site(Response& response) const;
  // Returns null if the site has answered, or if the failure is not one of the site.
  std::optional<Silence> silence_of(const Response& response) const;
  // Counts the request. Returns false for final results; if they are those of all URLs of the site, sets
  // ActiveSite::given_up.
  bool may_retry(ActiveSite& site, UrlTask& task, const Response& response,
                 const std::optional<Silence>& silence) const;
  // After may_retry(): puts the URL among the others of its site, to be requested when the site's gate permits it,
  // after the other URLs, or after a wait. Returns when the wait ends; null: there is none.
  std::optional<Clock::time_point> put_back(ActiveSite& site, UrlTask task, const Response& response,
                                            const std::optional<Silence>& silence) const;
  // Returns the time until the URL is requested again, for SiteFailure.
  std::optional<std::chrono::seconds> next_try_in(const UrlTask& task, const Response& response,
                                                  const std::optional<Silence>& silence) const;
  // The URL waits until it is requested again.
  void hold(UrlTask& task, WaitReason why) const;

 private:
  std::chrono::microseconds time_until_retry(const UrlTask& task, const Response& response) const;
  std::chrono::microseconds wait_after(const UrlTask& task, const Response& response, const Silence& silence) const;
  bool may_retry_silent(ActiveSite& site, UrlTask& task, const Response& response, const Silence& silence) const;

  const RobotUA& robot_;
  const CrawlOptions& options_;
};

}  // namespace robotrules::crawl
