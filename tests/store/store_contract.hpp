// What every Store must do, whatever keeps it: one suite, run for each backend.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <robotrules/store.hpp>

namespace robotrules::test {

// A clock that stands still until it is told to go on. Any thread: stores on servers have threads of their own.
class ScriptedClock {
 public:
  Timestamp now() const { return now_; }
  void advance(std::chrono::microseconds by) { now_ = now() + by; }

 private:
  std::atomic<Timestamp> now_{Timestamp(std::chrono::days{20'000})};
};

inline RobotsRecord record_of(std::string_view body, Timestamp fetched_at, Timestamp fresh_until) {
  RobotsRecord record;
  record.body = std::make_shared<const std::string>(body);
  record.url = "https://a.example/robots.txt";
  record.fetched_at = fetched_at;
  record.fresh_until = fresh_until;
  return record;
}

struct Backend {
  std::string name;
  std::function<std::shared_ptr<Store>(std::function<Timestamp()> clock)> make;
  bool is_cluster = false;  // keys of two registrable domains may be on two nodes, which know nothing of each other
};

// Every backend there is.
const std::vector<Backend>& backends();

class StoreContract : public testing::TestWithParam<Backend> {
 protected:
  ScriptedClock clock;
  std::shared_ptr<Store> store = GetParam().make([this] { return clock.now(); });

  RobotsRecord record(std::string_view body) const { return record_of(body, clock.now(), clock.now()); }
  // A host. Hosts of different labels are of different registrable domains, but not in a cluster, where they could not
  // be changed together.
  std::string host(const std::string& label) const {
    return label + (GetParam().is_cluster ? ".site.example" : ".example");
  }
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
