#include "store/request_check.hpp"

#include <robotrules/store.hpp>

#include <algorithm>

#include "base/escape.hpp"

namespace robotrules {

std::string_view to_string(RobotsOutcome outcome) noexcept {
  switch (outcome) {
    case RobotsOutcome::rules: return "rules";
    case RobotsOutcome::unavailable: return "unavailable";
    case RobotsOutcome::unreachable: break;
  }
  return "unreachable";
}

}  // namespace robotrules

namespace robotrules::store {

std::optional<Error> find_fault(const ReserveRequest& request) {
  const auto fault = [](std::string message) { return Error{"invalid-request", std::move(message)}; };
  if (request.keys.empty()) return fault("A reservation needs at least one gate key: give gate_key(origin)");
  for (auto key = request.keys.begin(); key != request.keys.end(); ++key) {
    if (key->empty()) return fault("A gate key is empty: give gate_key(origin)");
    if (std::find(request.keys.begin(), key, *key) != key) return fault("A gate key is given twice: give each once");
  }
  using std::chrono::microseconds;
  if (request.interval < microseconds(0) || request.interval > longest_time) {
    return fault("The interval is negative or longer than a year: give one between");
  }
  if (request.adaptive.max < microseconds(0) || request.adaptive.max > longest_time) {
    return fault("The greatest adaptive interval is negative or longer than a year: give one between");
  }
  if (request.hold <= microseconds(0) || request.hold > longest_time) {
    return fault("The hold is not positive or longer than a year: give one between");
  }
  if (request.max_penalty < microseconds(0) || request.max_penalty > longest_time) {
    return fault("The longest penalty is negative or longer than a year: give one between");
  }
  return std::nullopt;
}

std::optional<Error> find_fault(std::chrono::microseconds lease) {
  if (lease > std::chrono::microseconds(0) && lease <= longest_time) return std::nullopt;
  return Error{"invalid-request", "The lease is not positive or longer than a year: give one between"};
}

std::optional<Error> find_fault(const std::string& kept, const std::string& next, OtherAgent other) {
  if (other == OtherAgent::clears || kept.empty() || kept == next) return std::nullopt;
  return Error{"other-agent", "The store is kept for the robot " + base::excerpt(kept) + ", not for " +
                                  base::excerpt(next) +
                                  ": give that name or another store, or let the new name clear it"};
}

Error unknown_token(std::uint64_t fence) {
  return {"unknown-token", "The token " + std::to_string(fence) +
                               " holds nothing: it was completed or cancelled before, or its hold has expired"};
}

}  // namespace robotrules::store
