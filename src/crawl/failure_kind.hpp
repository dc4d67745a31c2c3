// Kinds of responses that end a request of a crawl without a page.
#pragma once

#include <robotrules/message.hpp>

namespace robotrules::crawl {

// Returns true if a redirect led to a site that pauses because it gave no answer, so that nothing was sent to it.
inline bool is_target_away(const Response& response) noexcept {
  return response.source == ResponseSource::too_early && response.waited_for == WaitReason::away;
}

// Returns true if the request failed before a server answered it.
inline bool is_failure(const Response& response) noexcept {
  switch (response.source) {
    case ResponseSource::robots_denied:
    case ResponseSource::parked:
    case ResponseSource::store: return false;
    case ResponseSource::too_early: return is_target_away(response);
    default: return response.is_synthetic();
  }
}

inline bool is_robots_unreachable(const Response& response) noexcept {
  return response.source == ResponseSource::robots_unreachable && response.robots != nullptr;
}

// Returns true if the robots.txt of the site could not be fetched, so that all of its URLs wait.
inline bool lacks_robots(const Response& response) noexcept {
  return response.source == ResponseSource::robots_unreachable ||
         (response.source == ResponseSource::proxy_refused && response.try_again_at);
}

}  // namespace robotrules::crawl
