// What every Store must do, whatever keeps it: one suite, run for each backend.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include <robotrules/store.hpp>

namespace robotrules::test {

// A clock that stands still until it is told to go on.
class ScriptedClock {
 public:
  Timestamp now() const { return now_; }
  void advance(std::chrono::microseconds by) { now_ += by; }

 private:
  Timestamp now_{std::chrono::days{20'000}};
};

struct Backend {
  std::string name;
  std::function<std::shared_ptr<Store>(std::function<Timestamp()> clock)> make;
};

class StoreContract : public testing::TestWithParam<Backend> {
 protected:
  ScriptedClock clock;
  std::shared_ptr<Store> store = GetParam().make([this] { return clock.now(); });

  static Origin origin(std::string_view url) { return *Origin::of(url); }
  std::shared_ptr<const RobotsRecord> robots(std::string_view url) const {
    const auto found = store->robots(origin(url));
    EXPECT_TRUE(found.ok());
    return found.ok() ? found.value() : nullptr;
  }
  Visits visits(std::string_view url) const {
    const auto found = store->visits(origin(url));
    EXPECT_TRUE(found.ok());
    return found.ok() ? found.value() : Visits{};
  }
};

}  // namespace robotrules::test
