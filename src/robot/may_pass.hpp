// Failures of requests that may be temporary.
#pragma once

#include <robotrules/message.hpp>

namespace robotrules::agent {

// Returns true if a later request for the same URL may succeed.
inline bool may_pass(const Response& response) noexcept {
  if (response.cause != FailureCause::none) return false;
  switch (response.source) {
    case ResponseSource::server: return response.code == 429 || response.code == 503;
    case ResponseSource::network:
    case ResponseSource::timeout:
    case ResponseSource::internal:  // no memory or no descriptor
    case ResponseSource::disk_too_small:
    case ResponseSource::robots_unreachable: return true;
    default: return false;
  }
}

}  // namespace robotrules::agent
