// Shared by the functions of store and agent: errors with a code and a sentence, and times as numbers.
#pragma once

#include <robotrules.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/base.hpp>
#include <robotrules/robot_rules.hpp>
#include <robotrules/store.hpp>

#include "c/core/common.hpp"

struct robotrules_error {
  std::string code;
  std::string message;
};

struct robotrules_store {
  std::shared_ptr<robotrules::Store> store;
};

struct robotrules_database {
  std::shared_ptr<robotrules::RobotRules> rules;
};

namespace robotrules::c_abi {

constexpr std::int64_t time_of(Timestamp time) noexcept { return time.time_since_epoch().count(); }
constexpr std::int64_t time_of(const std::optional<Timestamp>& time) noexcept {
  return time ? time_of(*time) : ROBOTRULES_NO_TIME;
}

// Gives the error to the caller, if it wants one. Returns ROBOTRULES_FAILED.
robotrules_status fail(const Error& failure, robotrules_error** error);

// Returns ROBOTRULES_OK, or gives the error of the result.
template <class T>
robotrules_status status_of(const Result<T>& result, robotrules_error** error) {
  return result ? ROBOTRULES_OK : fail(result.error(), error);
}

// Calls `work` as guarded() does if the arguments are valid. Before that there is no error.
template <class Work>
robotrules_status guarded_if(bool valid, robotrules_error** error, const Work& work) noexcept {
  if (error != nullptr) *error = nullptr;
  return valid ? guarded(work) : ROBOTRULES_INVALID_ARGUMENT;
}

}  // namespace robotrules::c_abi
