// Tells a failure of the robot's own network from failures of sites.
//
// The own network has failed if
//   - names cannot be resolved or there is no route, for two sites that have answered before or three times for one of
//     them, or for five sites that have not (two, if no site at all has answered for 10 s), or
//   - at least five sites that have answered before begin to fail within a minute, without a connection or by one that
//     breaks. A site that accepts a connection and says nothing is the cause itself.
// An answer to a request that was sent after a failure proves that the network works, so that failure is one of the
// site, and so are those that follow it until the site answers. While the own network has failed, no failure counts
// against a site. If that lasts for longer than the limit, failures count again until the next answer.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include <robotrules/store.hpp>

namespace robotrules::agent {

class NetworkWatch {
 public:
  // The longest time for which failures are blamed on the own network.
  void limit(std::chrono::microseconds limit) noexcept { limit_ = limit; }

  // Takes the outcome of a request to the site with that gate key, and returns the cause that counts against the site.
  // `sent_at`: when the request was sent. Thread rule: the loop's thread.
  OutcomeCause ended(std::string_view key, const Outcome& outcome, Timestamp sent_at, Timestamp now);

  // Returns since when the own network has failed; null: it has not. Any thread.
  std::optional<Timestamp> failing_since() const noexcept;

 private:
  // A site that has given no answer since then.
  struct Silence {
    Timestamp begun;
    Timestamp last;             // failure
    unsigned times = 1;         // failures
    bool is_local = false;      // names or the route
    bool has_answered = false;  // before
    bool is_of_site = false;    // the network has worked since
  };
  void answered(std::uint64_t site, Timestamp sent_at, Timestamp now);
  void note_failure(std::uint64_t site, bool is_local, Timestamp now);
  bool has_failed(Timestamp now) const;

  std::chrono::microseconds limit_ = std::chrono::hours(1);
  // By the hash of the key.
  std::unordered_set<std::uint64_t> answered_;  // sites that have answered
  std::unordered_map<std::uint64_t, Silence> silent_;
  std::optional<Timestamp> last_answer_;        // of any site
  std::size_t suspects_ = 0;                    // of silent_: not is_of_site
  bool is_given_up_ = false;                    // it has failed for longer than the limit
  std::atomic<std::int64_t> failing_since_{0};  // microseconds since 1970; 0: it has not
};

}  // namespace robotrules::agent
