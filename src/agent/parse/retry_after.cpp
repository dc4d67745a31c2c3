#include "agent/parse/retry_after.hpp"

#include <algorithm>

#include "agent/parse/ascii.hpp"
#include "agent/parse/http_date.hpp"
#include "agent/parse/saturate.hpp"

namespace robotrules::agent {

using std::chrono::microseconds;
using std::chrono::seconds;

std::optional<microseconds> parse_retry_after(std::string_view value, std::optional<Timestamp> date,
                                              Timestamp now) noexcept {
  value = trimmed(value);
  constexpr std::int64_t most = std::chrono::duration_cast<seconds>(longest_retry_after).count();
  if (const std::optional<std::int64_t> delta = read_digits(value, most)) {
    return *delta == 0 ? std::nullopt : std::optional<microseconds>(seconds(*delta));
  }
  const std::optional<Timestamp> until = parse_http_date(value, now);
  const Timestamp from = date.value_or(now);
  if (!until || *until <= from) return std::nullopt;
  return std::min(saturating_subtract(*until, from), longest_retry_after);
}

}  // namespace robotrules::agent
