#include "servers/redis/record_fields.hpp"

#include <concepts>
#include <limits>
#include <type_traits>

#include "store/gate_row.hpp"
#include "store/packing.hpp"

namespace robotrules::store::redis {
namespace {

void append(std::string& out, std::int64_t value) { append_text(out, std::to_string(value)); }

bool read(std::string_view& text, std::string& into) {
  const auto field = take_text(text);
  if (field) into = *field;
  return field.has_value();
}
bool read(std::string_view& text, std::integral auto& into, std::int64_t min, std::int64_t max) {
  const auto field = take_text(text);
  const auto value = field ? number_in(*field) : std::nullopt;
  if (!value || *value < min || *value > max) return false;
  into = static_cast<std::remove_reference_t<decltype(into)>>(*value);
  return true;
}

constexpr std::int64_t no_time = std::numeric_limits<std::int64_t>::min();

}  // namespace

std::string pack_fields(const RobotsRecord& record) {
  std::string out;
  append_text(out, record.url);
  append_text(out, record.etag);
  append_text(out, record.last_modified);
  append(out, static_cast<std::int64_t>(record.outcome));
  append(out, std::int64_t{record.status});
  append(out, record.failing_since ? bounded(*record.failing_since).time_since_epoch().count() : no_time);
  append(out, std::int64_t{record.failures});
  append(out, std::int64_t{record.truncated});
  append(out, std::int64_t{record.body != nullptr});
  for (const std::string& hop : record.hops) append_text(out, hop);
  return out;
}

bool unpack_fields(std::string_view text, RobotsRecord& into) {
  int outcome = 0;
  std::int64_t failing_since = no_time;
  bool has_body = false;
  const bool is_sound = read(text, into.url) && read(text, into.etag) && read(text, into.last_modified) &&
                        read(text, outcome, 0, 2) &&
                        read(text, into.status, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()) &&
                        read(text, failing_since, no_time, max_time) &&
                        read(text, into.failures, 0, std::numeric_limits<std::uint32_t>::max()) &&
                        read(text, into.truncated, 0, 1) && read(text, has_body, 0, 1);
  if (!is_sound) return false;
  into.outcome = static_cast<RobotsOutcome>(outcome);
  if (failing_since != no_time) into.failing_since = bounded(Timestamp(std::chrono::microseconds(failing_since)));
  if (has_body) into.body = std::make_shared<const std::string>();
  while (!text.empty()) {
    if (!read(text, into.hops.emplace_back())) return false;
  }
  return true;
}

}  // namespace robotrules::store::redis
