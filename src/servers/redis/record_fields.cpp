#include "servers/redis/record_fields.hpp"

#include <charconv>
#include <concepts>
#include <cstddef>
#include <limits>

#include "store/gate_row.hpp"

namespace robotrules::store::redis {
namespace {

// Each field is written as its length, ":" and its bytes.
void append(std::string& out, std::string_view field) {
  out.append(std::to_string(field.size())).append(":").append(field);
}
void append(std::string& out, std::int64_t value) { append(out, std::string_view(std::to_string(value))); }

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool read(std::string& into) {
    std::size_t size = 0;
    const auto [end, fault] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
    if (fault != std::errc() || end == rest_.data() + rest_.size() || *end != ':') return false;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()) + 1);
    if (size > rest_.size()) return false;
    into = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return true;
  }
  bool read(std::integral auto& into, std::int64_t min, std::int64_t max) {
    std::string text;
    std::int64_t value = 0;
    if (!read(text)) return false;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc() || end != text.data() + text.size() || value < min || value > max) return false;
    into = static_cast<std::remove_reference_t<decltype(into)>>(value);
    return true;
  }
  bool is_at_end() const noexcept { return rest_.empty(); }

 private:
  std::string_view rest_;
};

constexpr std::int64_t no_time = std::numeric_limits<std::int64_t>::min();

}  // namespace

std::string pack_fields(const RobotsRecord& record) {
  std::string out;
  append(out, record.url);
  append(out, record.etag);
  append(out, record.last_modified);
  append(out, static_cast<std::int64_t>(record.outcome));
  append(out, std::int64_t{record.status});
  append(out, record.failing_since ? bounded(*record.failing_since).time_since_epoch().count() : no_time);
  append(out, std::int64_t{record.failures});
  append(out, std::int64_t{record.truncated});
  append(out, std::int64_t{record.body != nullptr});
  for (const std::string& hop : record.hops) append(out, std::string_view(hop));
  return out;
}

bool unpack_fields(std::string_view text, RobotsRecord& into) {
  Reader reader(text);
  int outcome = 0;
  std::int64_t failing_since = no_time;
  bool has_body = false;
  const bool is_sound = reader.read(into.url) && reader.read(into.etag) && reader.read(into.last_modified) &&
                        reader.read(outcome, 0, 2) &&
                        reader.read(into.status, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()) &&
                        reader.read(failing_since, no_time, max_time) &&
                        reader.read(into.failures, 0, std::numeric_limits<std::uint32_t>::max()) &&
                        reader.read(into.truncated, 0, 1) && reader.read(has_body, 0, 1);
  if (!is_sound) return false;
  into.outcome = static_cast<RobotsOutcome>(outcome);
  if (failing_since != no_time) into.failing_since = bounded(Timestamp(std::chrono::microseconds(failing_since)));
  if (has_body) into.body = std::make_shared<const std::string>();
  while (!reader.is_at_end()) {
    if (!reader.read(into.hops.emplace_back())) return false;
  }
  return true;
}

}  // namespace robotrules::store::redis
