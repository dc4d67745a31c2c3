// How long a response may be used again without asking: RFC 9111, as a private cache reads it.
//
//     Freshness freshness = read_freshness({.cache_control = {"max-age=600"}, .age = "5", .received_at = now});
//     freshness.is_fresh(now + 5min)  →  true
//
// Everything is total: a field that means nothing makes the response stale or is passed over, as the RFC says, and
// times stop at the ends of their scale.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

#include <robotrules/gate.hpp>

namespace robotrules {

struct Response;

// What a response says of its age. Views are looked at during the call only.
struct CacheFields {
  std::vector<std::string_view> cache_control{};  // each field line, in order
  std::optional<std::string_view> expires{};      // of fields given twice the first line counts
  std::optional<std::string_view> age{};
  std::optional<std::string_view> date{};
  std::optional<std::string_view> last_modified{};
  std::optional<Timestamp> requested_at{};  // when the request was sent; null: the moment of the answer
  Timestamp received_at{};                  // when the head of the answer was there
};

// Heuristic freshness (section 4.2.2): where nothing is said, a tenth of the time since Last-Modified.
struct FreshnessOptions {
  bool heuristic = false;
  std::chrono::microseconds heuristic_most = std::chrono::hours(24);
};

struct Freshness {
  std::optional<std::chrono::microseconds> lifetime;  // null: nothing is said; zero: stale from the start
  std::chrono::microseconds age_when_received{0};     // corrected_initial_age of section 4.2.3
  Timestamp received_at;
  bool heuristic = false;        // `lifetime` is a guess
  bool no_store = false;         // it must not be kept
  bool no_cache = false;         // it must not be used again without asking, however fresh
  bool must_revalidate = false;  // it must not be used stale, not even where nobody answers

  std::chrono::microseconds current_age(Timestamp now) const noexcept;
  // Null where nothing is said.
  std::optional<Timestamp> fresh_until() const noexcept;
  // False where nothing is said, and with no_cache.
  bool is_fresh(Timestamp now) const noexcept;
};

// Of several max-age the first counts; max-age that is no number, and Expires that is no date, mean stale. s-maxage is
// for shared caches and passed over. Numbers beyond 2^31 seconds are 2^31. A Date that is missing or no date is
// `received_at`; an Age that is no number is passed over.
Freshness read_freshness(const CacheFields& fields, const FreshnessOptions& options = {});
// Of one that was fetched, by its headers and times.
Freshness freshness_of(const Response& response, const FreshnessOptions& options = {});

// RFC 9309 section 2.4: a robots.txt is not kept for more than 24 hours; and no site is asked for it every second.
struct RobotsFreshness {
  std::chrono::microseconds least = std::chrono::minutes(5);
  std::chrono::microseconds most = std::chrono::hours(24);
  std::chrono::microseconds unsaid = std::chrono::hours(24);  // where nothing is said
};

// How long after `received_at` a robots.txt is fresh: what is left of its lifetime, within `limits`. no_cache, no_store
// and a lifetime that is over on arrival give `least`.
std::chrono::microseconds robots_freshness(const Freshness& freshness, const RobotsFreshness& limits = {}) noexcept;

}  // namespace robotrules
