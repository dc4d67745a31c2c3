// Addition and subtraction of times that stop at the first or last value instead of overflowing.
#pragma once

#include <chrono>
#include <cstdint>

#include <robotrules/store.hpp>

namespace robotrules::agent {

using std::chrono::microseconds;

constexpr microseconds saturating_add(microseconds a, microseconds b) noexcept {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a.count(), b.count(), &sum)) return microseconds(sum);
  return b.count() > 0 ? microseconds::max() : microseconds::min();
}
constexpr Timestamp saturating_add(Timestamp a, microseconds b) noexcept {
  return Timestamp(saturating_add(a.time_since_epoch(), b));
}
constexpr microseconds saturating_subtract(microseconds a, microseconds b) noexcept {
  std::int64_t difference = 0;
  if (!__builtin_sub_overflow(a.count(), b.count(), &difference)) return microseconds(difference);
  return b.count() < 0 ? microseconds::max() : microseconds::min();
}
constexpr microseconds saturating_subtract(Timestamp a, Timestamp b) noexcept {
  return saturating_subtract(a.time_since_epoch(), b.time_since_epoch());
}

}  // namespace robotrules::agent
