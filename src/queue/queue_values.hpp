// What is common to all URL queues, whatever keeps them: checks of arguments, and values as the tables store them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <robotrules/url_queue.hpp>

#include "base/visibility.hpp"

namespace robotrules::store {

inline constexpr std::size_t queue_states = all_url_states.size();
inline constexpr std::size_t max_warning = 1'000;  // bytes

// Fails with "invalid-job" if the name is empty, longer than 200 bytes, not UTF-8, or has spaces or control characters.
ROBOTRULES_INTERNAL_API Result<void> check_job_name(const std::string& name);
// Fails with "invalid-request" if a method is not a token.
ROBOTRULES_INTERNAL_API Result<void> check_methods(std::span<const QueuedUrl> urls);
// Fails with "invalid-request" if a new state is not final.
ROBOTRULES_INTERNAL_API Result<void> check_states(std::span<const FinishedUrl> settled);

// Returns true if the text has no space, control character or "#".
ROBOTRULES_INTERNAL_API bool is_queueable(std::string_view text) noexcept;
// Returns the URL as a queue of an older version has it as its key: in the spelling in which it was found. Empty: that
// is `url.url`, or cannot be a key. add() counts a URL as a duplicate that the queue has under this key.
ROBOTRULES_INTERNAL_API std::string older_key(const QueuedUrl& url);
// Return the errors "invalid-url", "unknown-site", "unknown-url" and "claim-lost".
ROBOTRULES_INTERNAL_API Error invalid_url(std::string_view url);
ROBOTRULES_INTERNAL_API Error unknown_site(std::int64_t id);
ROBOTRULES_INTERNAL_API Error unknown_url(std::int64_t id);
ROBOTRULES_INTERNAL_API Error claim_lost();
// Returns the part of a URL before path and query.
ROBOTRULES_INTERNAL_API std::string_view site_part(std::string_view url) noexcept;
// Returns the URL that a row stores as `stored`: the part after the site's origin, or the whole URL. Null: it is not a
// URL of this site.
ROBOTRULES_INTERNAL_API std::optional<std::string> whole_url(std::string_view origin, std::string_view stored);

ROBOTRULES_INTERNAL_API std::string pack_headers(const Headers& headers);
// Returns null if pack_headers() did not make these bytes.
ROBOTRULES_INTERNAL_API std::optional<Headers> unpack_headers(std::string_view bytes);

// A rank orders URLs and sites: the least one comes first.
constexpr std::int64_t rank_of(std::int32_t priority) noexcept { return -std::int64_t{priority}; }
constexpr std::int64_t rank_of(const std::optional<QueuePlace>& place) noexcept {
  return place ? rank_of(place->priority) : std::numeric_limits<std::int64_t>::min();
}
constexpr std::int32_t priority_of(std::int64_t rank) noexcept { return static_cast<std::int32_t>(-rank); }
constexpr bool is_rank(std::int64_t value) noexcept {
  return value >= -std::int64_t{std::numeric_limits<std::int32_t>::max()} &&
         value <= -std::int64_t{std::numeric_limits<std::int32_t>::min()};
}

// The states of a query, one bit for each.
constexpr std::int64_t bit(UrlState state) noexcept { return std::int64_t{1} << static_cast<unsigned>(state); }

inline std::int64_t limit_of(std::size_t count) noexcept {
  return static_cast<std::int64_t>(std::min<std::size_t>(count, std::numeric_limits<std::int32_t>::max()));
}

}  // namespace robotrules::store
