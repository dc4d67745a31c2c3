// Failures of requests that may be temporary.
#pragma once

#include <robotrules/message.hpp>

#include "http/judgement.hpp"

namespace robotrules::agent {

// Returns true if a later request for the same URL may succeed.
inline bool may_pass(const Response& response) noexcept {
  if (response.source == ResponseSource::server) return response.code == 429 || response.code == 503;
  if (response.source == ResponseSource::robots_unreachable) return response.cause == FailureCause::none;
  const ExchangeEnd end = end_of(response.source, response.cause);
  return end == ExchangeEnd::passing || end == ExchangeEnd::proxy ||
         (end == ExchangeEnd::ours && response.source != ResponseSource::cancelled);
}

}  // namespace robotrules::agent
