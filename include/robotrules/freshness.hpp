// Freshness: how long a response may be used again without asking the server (RFC 9111, for a private cache).
//
//     Freshness freshness = read_freshness({.cache_control = {"max-age=600"}, .age = "5", .received_at = now});
//     freshness.is_fresh(now + 5min)  →  true
//
// A field with an invalid value makes the response stale or is ignored, as the RFC says. Times that exceed the range of
// Timestamp become its first or last value.
//
// Thread rule: value types and pure functions. Errors: none.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

#include <robotrules/export.hpp>
#include <robotrules/time.hpp>

namespace robotrules {

// The fields and times of a response that determine its freshness. The views are read during the call only.
struct CacheFields {
  std::vector<std::string_view> cache_control{};  // each field line, in order
  std::optional<std::string_view> expires{};      // the first line, if the field is repeated
  std::optional<std::string_view> age{};
  std::optional<std::string_view> date{};
  std::optional<std::string_view> last_modified{};
  std::optional<Timestamp> requested_at{};  // when the request was sent; null: received_at
  Timestamp received_at{};                  // when the response was received
};

// Heuristic freshness (RFC 9111 section 4.2.2): if no field gives a lifetime, it is a tenth of the time since
// Last-Modified, at most `heuristic_most`.
struct FreshnessOptions {
  bool heuristic = false;
  std::chrono::microseconds heuristic_most = std::chrono::hours(24);
};

// The freshness of one response.
struct ROBOTRULES_API Freshness {
  std::optional<std::chrono::microseconds> lifetime;  // null: no field gives one; zero: stale from the start
  std::chrono::microseconds age_when_received{0};     // corrected_initial_age of section 4.2.3
  Timestamp received_at;
  bool heuristic = false;        // `lifetime` is heuristic
  bool no_store = false;         // the response must not be stored
  bool no_cache = false;         // it must not be used again without asking the server, even if it is fresh
  bool must_revalidate = false;  // it must not be used stale, not even if the server cannot be reached

  // Returns the age of the response at `now` (section 4.2.3).
  std::chrono::microseconds current_age(Timestamp now) const noexcept;
  // Returns the time when the lifetime ends; null if there is no lifetime.
  std::optional<Timestamp> fresh_until() const noexcept;
  // Returns true if the lifetime has not ended at `now`. Returns false if there is no lifetime, and with no_cache.
  bool is_fresh(Timestamp now) const noexcept;
};

// Returns the freshness that these fields give. The first max-age counts. A max-age that is not a number, and an
// Expires that is not a date, mean stale. s-maxage is ignored, because it is for shared caches. Numbers above 2^31
// seconds count as 2^31. Without a valid Date, `received_at` is used. An Age that is not a number is ignored.
ROBOTRULES_API Freshness read_freshness(const CacheFields& fields, const FreshnessOptions& options = {});

// Limits on the freshness of a robots.txt. It is fresh for at most 24 hours (RFC 9309 section 2.4), and `min` ensures
// that a site is not asked for it again at once.
struct RobotsFreshness {
  std::chrono::microseconds min = std::chrono::minutes(5);
  std::chrono::microseconds max = std::chrono::hours(24);
  std::chrono::microseconds unsaid = std::chrono::hours(24);  // used if no field gives a lifetime
};

// Returns how long after `received_at` a robots.txt stays fresh: the rest of its lifetime, within `limits`. With
// no_cache, no_store, or a lifetime that was over on arrival, this is `min`.
ROBOTRULES_API std::chrono::microseconds robots_freshness(const Freshness& freshness,
                                                          const RobotsFreshness& limits = {}) noexcept;

}  // namespace robotrules
