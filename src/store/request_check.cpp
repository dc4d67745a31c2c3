#include "store/request_check.hpp"

#include <robotrules/store.hpp>

#include <algorithm>

#include "base/escape.hpp"

namespace robotrules::store {

std::optional<Error> find_fault(const ReserveRequest& request) {
  const auto fault = [](std::string message) { return Error{"invalid-request", std::move(message)}; };
  if (request.keys.empty()) return fault("A reservation needs at least one gate key: give gate_key(origin)");
  for (auto key = request.keys.begin(); key != request.keys.end(); ++key) {
    if (key->empty()) return fault("A gate key is empty: give gate_key(origin)");
    if (std::find(request.keys.begin(), key, *key) != key)
      return fault("A gate key is given twice: give each key once");
  }
  using std::chrono::microseconds;
  if (request.interval < microseconds(0) || request.interval > max_duration) {
    return fault("The interval is negative or longer than a year: give a value from 0 to a year");
  }
  if (request.adaptive.max < microseconds(0) || request.adaptive.max > max_duration) {
    return fault("The maximum adaptive interval is negative or longer than a year: give a value from 0 to a year");
  }
  if (request.hold <= microseconds(0) || request.hold > max_duration) {
    return fault("The hold is zero, negative or longer than a year: give a time of up to a year");
  }
  if (request.max_penalty < microseconds(0) || request.max_penalty > max_duration) {
    return fault("The maximum penalty is negative or longer than a year: give a value from 0 to a year");
  }
  return std::nullopt;
}

std::optional<Error> find_fault(std::chrono::microseconds lease) {
  if (lease > std::chrono::microseconds(0) && lease <= max_duration) return std::nullopt;
  return Error{"invalid-request", "The lease is zero, negative or longer than a year: give a time of up to a year"};
}

std::optional<Error> find_fault(const std::string& kept, const std::string& next, OtherAgent other) {
  if (other == OtherAgent::clears || kept.empty() || kept == next) return std::nullopt;
  return Error{"other-agent", "The store belongs to the robot " + base::excerpt(kept) + ", not to " +
                                  base::excerpt(next) +
                                  ": give the robot's name, use another store, or let the new name clear this one"};
}

Error forked(const std::string& name) {
  return {"store-forked", "The store " + name +
                              " was opened before this process was forked: open stores after fork(), or in a program "
                              "started by exec"};
}

Error unknown_token(std::uint64_t fence) {
  return {"unknown-token",
          "The token " + std::to_string(fence) +
              " is not valid any more: it was completed, cancelled or released, or it expired. Ask for a new one"};
}

}  // namespace robotrules::store
