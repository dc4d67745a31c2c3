// Headers: the fields of an HTTP request or response, in their order; and Freshness: how long a response may be used
// again without asking the server (RFC 9111, for a private cache).
//
//     robotrules::Headers headers{{"Accept", "text/html"}};
//     headers.add("Accept", "application/xml");      // two fields
//     headers.set("Accept", "*/*");                  // one field
//     if (auto type = headers.get("accept")) use(*type);
//     Freshness freshness = read_freshness({.cache_control = {"max-age=600"}, .age = "5", .received_at = now});
//     if (freshness.is_fresh(now + 5min)) use_again();
//
// Thread rule: value types and pure functions. Errors: none; add() and set() accept every text, and is_sendable() tells
// whether the fields may be sent. Only std::bad_alloc is thrown.
#pragma once

#include <chrono>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <robotrules/base.hpp>

namespace robotrules {

struct HeaderField {
  std::string name;  // as written; Headers ignores its ASCII case
  std::string value;
  friend bool operator==(const HeaderField&, const HeaderField&) = default;
};

// A list of fields. Names may repeat. Views that the functions return are valid until the object changes.
class ROBOTRULES_API Headers {
 public:
  Headers() = default;
  Headers(std::initializer_list<HeaderField> fields) : fields_(fields) {}

  // Appends a field.
  void add(std::string_view name, std::string_view value) {
    fields_.push_back({std::string(name), std::string(value)});
  }
  // Removes all fields with that name and appends this one.
  void set(std::string_view name, std::string_view value);
  // Removes all fields with that name. Returns how many there were.
  std::size_t remove(std::string_view name);

  // Returns the value of the first field with that name, or null if there is none.
  std::optional<std::string_view> get(std::string_view name) const noexcept ROBOTRULES_LIFETIMEBOUND;
  // Returns the values of all fields with that name, in their order.
  std::vector<std::string_view> all(std::string_view name) const ROBOTRULES_LIFETIMEBOUND;
  bool has(std::string_view name) const noexcept { return get(name).has_value(); }

  // Returns true if every name is a token and no value contains a control character other than tab (RFC 9110 section
  // 5). If a field breaks this rule, a server may read it as two fields, or as two requests.
  bool is_sendable() const noexcept;

  std::size_t size() const noexcept { return fields_.size(); }
  bool empty() const noexcept { return fields_.empty(); }
  auto begin() const noexcept { return fields_.begin(); }
  auto end() const noexcept { return fields_.end(); }

  friend bool operator==(const Headers&, const Headers&) = default;

 private:
  std::vector<HeaderField> fields_;
};

// --- freshness -------------------------------------------------------------------------------------------------------

// A field with an invalid value makes the response stale or is ignored, as the RFC says. Times that exceed the range of
// Timestamp become its first or last value.

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
