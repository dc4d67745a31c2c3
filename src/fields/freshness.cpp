#include <robotrules/headers.hpp>

#include <algorithm>

#include "base/ascii.hpp"
#include "fields/cache_control.hpp"
#include "fields/http_date.hpp"
#include "fields/saturate.hpp"

namespace robotrules {

using namespace agent;
using std::chrono::microseconds;

std::chrono::microseconds Freshness::current_age(Timestamp now) const noexcept {
  // If the clock was set back, the age does not become smaller.
  const microseconds resident = std::max(saturating_subtract(now, received_at), microseconds(0));
  return saturating_add(age_when_received, resident);
}

std::optional<Timestamp> Freshness::fresh_until() const noexcept {
  if (!lifetime) return std::nullopt;
  return saturating_add(received_at, saturating_subtract(*lifetime, age_when_received));
}

bool Freshness::is_fresh(Timestamp now) const noexcept {
  return lifetime.has_value() && !no_cache && *lifetime > current_age(now);
}

Freshness read_freshness(const CacheFields& fields, const FreshnessOptions& options) {
  const Timestamp received = fields.received_at;
  const auto date_of = [received](const std::optional<std::string_view>& field) {
    return field ? parse_http_date(*field, received) : std::nullopt;
  };
  const CacheControl control = parse_cache_control(fields.cache_control);
  const Timestamp date = date_of(fields.date).value_or(received);

  Freshness result;
  result.received_at = received;
  result.no_store = control.no_store;
  result.no_cache = control.no_cache;
  result.must_revalidate = control.must_revalidate;

  // Section 4.2.3. If Age is a list, its first value counts (section 5.1).
  const microseconds apparent = std::max(saturating_subtract(received, date), microseconds(0));
  const microseconds delay =
      std::max(saturating_subtract(received, fields.requested_at.value_or(received)), microseconds(0));
  const std::string_view age = fields.age.value_or(std::string_view());
  const microseconds said = parse_delta(age.substr(0, age.find(','))).value_or(std::chrono::seconds(0));
  result.age_when_received = std::max(apparent, saturating_add(said, delay));

  // Section 4.2.1.
  if (control.max_age) {
    result.lifetime = *control.max_age;
  } else if (fields.expires) {
    const std::optional<Timestamp> expires = date_of(fields.expires);
    result.lifetime = expires ? std::max(saturating_subtract(*expires, date), microseconds(0)) : microseconds(0);
  } else if (const std::optional<Timestamp> modified = date_of(fields.last_modified); modified && options.heuristic) {
    const microseconds tenth = saturating_subtract(date, *modified) / 10;
    result.lifetime = std::clamp(tenth, microseconds(0), std::max(options.heuristic_most, microseconds(0)));
    result.heuristic = true;
  }
  return result;
}

std::chrono::microseconds robots_freshness(const Freshness& freshness, const RobotsFreshness& limits) noexcept {
  microseconds left = limits.unsaid;
  if (freshness.lifetime) left = saturating_subtract(*freshness.lifetime, freshness.age_when_received);
  if (freshness.no_cache || freshness.no_store) left = limits.min;
  return std::min(std::max(left, limits.min), limits.max);
}

}  // namespace robotrules
