#include "fields/retry_after.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "fields/http_date.hpp"
#include "fields/saturate.hpp"

namespace robotrules::agent {

using std::chrono::microseconds;
using std::chrono::seconds;

std::optional<microseconds> parse_retry_after(std::string_view value, std::optional<Timestamp> date,
                                              Timestamp now) noexcept {
  value = base::trimmed(value);
  constexpr std::int64_t max_seconds = std::chrono::duration_cast<seconds>(max_retry_after).count();
  if (const std::optional<std::int64_t> delta = base::read_digits(value, max_seconds)) {
    return *delta == 0 ? std::nullopt : std::optional<microseconds>(seconds(*delta));
  }
  const std::optional<Timestamp> until = parse_http_date(value, now);
  const Timestamp from = date.value_or(now);
  if (!until || *until <= from) return std::nullopt;
  return std::min(saturating_subtract(*until, from), max_retry_after);
}

std::optional<microseconds> retry_after_of(const Headers& headers, Timestamp now) {
  const auto value = headers.get("Retry-After");
  if (!value) return std::nullopt;
  std::optional<Timestamp> date;
  if (const auto field = headers.get("Date")) date = parse_http_date(*field, now);
  return parse_retry_after(*value, date, now);
}

}  // namespace robotrules::agent
