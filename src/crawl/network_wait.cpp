// The crawl while the robot's own network fails: one site at a time is tried, and no failure counts. When the network
// works again, the sites begin one after the other.
#include <algorithm>
#include <utility>

#include "crawl/crawl_loop.hpp"
#include "crawl/site_sentence.hpp"

namespace robotrules::crawl {
namespace {

constexpr std::chrono::seconds first_pause{5};
constexpr unsigned max_pause_doublings = 4;
constexpr std::chrono::milliseconds max_spread{20};
constexpr std::chrono::seconds all_begin_within{30};
// A fetch of robots.txt may be under way for a request that was taken back.
constexpr std::chrono::seconds look_again{1};

bool has_no_answer(const Response& response) {
  if (response.cause != FailureCause::none) return false;
  if (response.source == ResponseSource::robots_unreachable) return response.robots && response.robots->status == 0;
  return response.source == ResponseSource::network || response.source == ResponseSource::timeout;
}

// Returns true if the robot has answered without a request to the site.
bool is_unsent(const Response& response) {
  return response.source == ResponseSource::parked || response.source == ResponseSource::too_early ||
         response.source == ResponseSource::robots_denied;
}

}  // namespace

// Precondition of all functions but recall_waiting(): the caller holds the mutex.

bool CrawlLoop::is_waiting_for_network() const { return network_at_ && !stopping_ && !error_; }

bool CrawlLoop::may_try_network() const {
  return !is_waiting_for_network() || (time() >= *network_at_ && robot_.activity().on_the_wire == 0);
}

CrawlLoop::Clock::time_point CrawlLoop::next_network_try() const {
  return time() < *network_at_ ? *network_at_ : time() + look_again;
}

void CrawlLoop::pause_network() {
  network_at_ = time() + first_pause * (1U << std::min(network_tries_, max_pause_doublings));
}

// A site that answered last comes first.
void CrawlLoop::choose_network_try() {
  const auto best = std::ranges::find_if(stalled_, [this](std::int64_t id) {
    const auto known = sites_.find(id);
    return known != sites_.end() && !known->second->is_silent;
  });
  if (best != stalled_.end()) std::swap(stalled_.front(), *best);
}

// Returns true if the response is a failure of the own network, so that the URL is requested again.
bool CrawlLoop::note_network(const Response& response) {
  const bool has_failed = robot_.network_failing_since().has_value();
  const bool is_failure = has_failed && has_no_answer(response);
  if (is_failure) {
    if (!network_at_) {
      network_tries_ = 0;
      recalls_ = !in_flight_.empty();
    }
    pause_network();
    if (!network_told_.at || time() - *network_told_.at >= options_.disk_full_reminder) {
      network_told_.at = time();
      network_told_.next = "no site can be reached, so the network of this machine seems to have failed (" +
                           without_url(response) + "); the crawl tries one site at a time until it works";
    }
  } else if (has_failed && network_at_ && is_unsent(response)) {
    if (network_tries_ > 0) --network_tries_;
    network_at_ = time();
  } else if (!has_failed && network_at_) {
    network_at_.reset();
    network_told_.at.reset();
    network_told_.next =
        has_no_answer(response) ? "no site could be reached for so long that failures count again" : "";
    const auto sites = static_cast<std::int64_t>(std::max<std::size_t>(sites_.size(), 1));
    spread_ = std::min<Clock::duration>(max_spread, Clock::duration(all_begin_within) / sites);
    spread_end_ = time() + spread_ * sites;
  }
  return is_failure;
}

// Takes back the requests that wait in the robot: each would be tried, and all at the same time.
void CrawlLoop::recall_waiting() {
  std::vector<Pending> waiting;
  {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(recalls_, false)) return;
    for (auto& [number, known] : in_flight_) {
      known.is_recalled = true;
      waiting.push_back(known.pending);
    }
  }
  for (const Pending& one : waiting) one.cancel_if_waiting();
}

// Returns the least time between the starts of two requests; 0: none.
CrawlLoop::Clock::duration CrawlLoop::time_between_begins() const {
  const auto spread = spread_.count() > 0 && time() < spread_end_ ? spread_ : Clock::duration(0);
  if (!(options_.max_rate > 0)) return spread;
  const auto by_rate = std::chrono::duration<double>(1 / options_.max_rate);
  return std::max(spread, std::chrono::duration_cast<Clock::duration>(by_rate));
}

}  // namespace robotrules::crawl
