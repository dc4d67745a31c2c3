// Waits for what another process or thread does, without a fixed time.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace robotrules::test {

// Returns true as soon as the condition holds, and false if that takes too long.
inline bool eventually(const std::function<bool()>& condition,
                       std::chrono::milliseconds limit = std::chrono::seconds(20)) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

}  // namespace robotrules::test
