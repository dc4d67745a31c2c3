#include "crawl/network_wait.hpp"

#include <algorithm>

#include "crawl/site_sentence.hpp"

namespace robotrules::crawl {
namespace {

constexpr std::chrono::seconds first_pause{5};
constexpr unsigned max_pause_doublings = 4;
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

void NetworkWait::pause(Clock::time_point now) {
  again_at_ = now + first_pause * (1U << std::min(in_vain_, max_pause_doublings));
}

void NetworkWait::tries(Clock::time_point now) {
  if (!again_at_) return;
  ++in_vain_;
  pause(now);
}

NetworkWait::Clock::time_point NetworkWait::next_try(Clock::time_point now) const noexcept {
  return now < *again_at_ ? *again_at_ : now + look_again;
}

bool NetworkWait::take(const Response& response, bool has_failed, bool has_requests, Clock::time_point now) {
  const bool is_failure = has_failed && has_no_answer(response);
  if (is_failure) {
    if (!again_at_) {
      in_vain_ = 0;
      must_recall_ = has_requests;
    }
    pause(now);
    notice_.waits("no site can be reached, so the network of this machine seems to have failed (" +
                      without_url(response) + "); the crawl tries one site at a time until it works",
                  now);
  } else if (has_failed && again_at_ && is_unsent(response)) {
    if (in_vain_ > 0) --in_vain_;
    again_at_ = now;
  } else if (!has_failed && again_at_) {
    again_at_.reset();
    notice_.ends(has_no_answer(response) ? "no site could be reached for so long that failures count again" : "");
  }
  return is_failure;
}

}  // namespace robotrules::crawl
