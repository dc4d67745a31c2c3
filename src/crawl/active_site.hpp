// The sites that a crawl works on, and their URLs.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include <robotrules/base.hpp>
#include <robotrules/message.hpp>
#include <robotrules/url.hpp>
#include <robotrules/url_queue.hpp>

namespace robotrules::crawl {

// A URL that was read from the queue.
struct UrlTask {
  using Clock = std::chrono::steady_clock;

  QueueItem item;
  unsigned tries = 0;
  unsigned unanswered = 0;  // of these, tries that got no answer from the site
  std::optional<Clock::time_point> unanswered_since{};
  // When the site that it is redirected to may be requested, or when there may be room for its body.
  std::optional<Clock::time_point> not_before{};
  std::string waits_for{};   // the robots.txt of that site, or the URL itself
  bool is_too_long = false;  // the last try found no room for its body
  // Waits between its tries (Response::waited): when the present one began, their sum, and the reason of the last.
  std::optional<Clock::time_point> held_since{};
  std::chrono::microseconds held{0};
  WaitReason held_for = WaitReason::none;
};

inline bool is_waiting(const UrlTask& task) noexcept { return task.not_before.has_value(); }
// Returns false if the URL was redirected to another site.
inline bool is_of_site(const UrlTask& task, const Response& response) {
  return Origin::of(response.url) == Origin::of(task.item.request.url);
}

// A site that the crawl has claimed, until all its URLs are done.
struct ActiveSite {
  using Clock = std::chrono::steady_clock;

  QueueSite known;
  std::deque<UrlTask> ahead;        // read from the queue, not yet requested
  std::optional<QueuePlace> place;  // place of the last URL read
  // RequestsInFlight::last_number() when the proxy first failed for it
  std::optional<std::uint64_t> begun_before_lack{};
  bool reading = false;  // the thread is reading more
  bool read_all = false;
  std::uint64_t additions = 0;  // SiteLine::additions() at the last reading
  unsigned in_flight = 0;
  unsigned unsettled = 0;  // pages that were received and not settled, with CrawlOptions::settle_later
  std::uint64_t done = 0;
  bool leaves = false;                      // it is released as soon as possible, with the URLs that are left
  bool stalled = false;                     // it has a ready URL, and waits for the rate or for the output
  unsigned robots_failures = 0;             // fetches of its robots.txt that failed, in turn
  std::optional<Timestamp> robots_again{};  // Response::try_again_at after the last of them
  Clock::time_point last_answer{};          // of the site itself
  bool is_silent = false;                   // its last request got no answer
  std::optional<Response> given_up{};       // the failure after which all of its URLs fail
  std::optional<Clock::time_point> not_before;
  Clock::time_point begun{};  // start of the last request
  Clock::time_point first_begun{};
  Clock::time_point last_done{};          // when the last page came
  std::chrono::microseconds interval{0};  // between its pages, by its robots.txt; 0: not known yet
};

}  // namespace robotrules::crawl
