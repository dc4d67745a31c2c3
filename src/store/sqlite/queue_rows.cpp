#include "store/sqlite/queue_rows.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>

#include "store/gate_row.hpp"
#include "store/sqlite/query.hpp"
#include "store/url_index.hpp"

namespace robotrules {

std::string_view to_string(UrlState state) noexcept {
  switch (state) {
    case UrlState::pending: return "pending";
    case UrlState::done: return "done";
    case UrlState::denied: return "denied";
    case UrlState::failed: return "failed";
    case UrlState::parked: break;
  }
  return "parked";
}

}  // namespace robotrules

namespace robotrules::store {
namespace {

// "4:name5:value": whatever octets a field is made of.
void pack(std::string_view text, std::string& into) {
  into.append(std::to_string(text.size())).append(":").append(text);
}

std::optional<std::string_view> unpack(std::string_view& octets) {
  std::size_t size = 0;
  const auto [end, failed] = std::from_chars(octets.data(), octets.data() + octets.size(), size);
  if (failed != std::errc() || end == octets.data() + octets.size() || *end != ':') return std::nullopt;
  octets.remove_prefix(static_cast<std::size_t>(end - octets.data()) + 1);
  if (size > octets.size()) return std::nullopt;
  const std::string_view text = octets.substr(0, size);
  octets.remove_prefix(size);
  return text;
}

bool is(const Statement& row, int column, int type) noexcept { return row.type(column) == type; }
bool is_or_null(const Statement& row, int column, int type) noexcept {
  return is(row, column, type) || row.is_null(column);
}
bool within(const Statement& row, int column, std::int64_t least, std::int64_t greatest) noexcept {
  return is(row, column, SQLITE_INTEGER) && row.integer(column) >= least && row.integer(column) <= greatest;
}
bool is_rank(const Statement& row, int column) noexcept {
  return within(row, column, -std::int64_t{std::numeric_limits<std::int32_t>::max()},
                -std::int64_t{std::numeric_limits<std::int32_t>::min()});
}

}  // namespace

bool is_queueable(std::string_view text) noexcept {
  return std::none_of(text.begin(), text.end(),
                      [](char c) { return static_cast<unsigned char>(c) <= 0x20 || c == 0x7F || c == '#'; });
}

std::string pack_headers(const Headers& headers) {
  std::string octets;
  for (const HeaderField& field : headers) {
    pack(field.name, octets);
    pack(field.value, octets);
  }
  return octets;
}

std::optional<Headers> unpack_headers(std::string_view octets) {
  Headers headers;
  while (!octets.empty()) {
    const auto name = unpack(octets);
    if (!name) return std::nullopt;
    const auto value = unpack(octets);
    if (!value) return std::nullopt;
    headers.add(*name, *value);
  }
  return headers;
}

bool read_site(const Statement& row, QueueSite& into) {
  if (!within(row, 0, 1, greatest_count) || !is(row, 1, SQLITE_TEXT) || !within(row, 2, 0, UrlIndex::greatest) ||
      !is_rank(row, 3)) {
    return false;
  }
  const auto origin = Origin::of(row.octets(1));
  if (!origin || origin->to_string() != row.octets(1)) return false;
  into = {row.integer(0), std::string(row.octets(1)), static_cast<std::uint64_t>(row.integer(2)),
          static_cast<std::int32_t>(-row.integer(3))};
  return true;
}

bool read_item(const Statement& row, std::string_view origin, QueueItem& into) {
  constexpr auto least_status = std::numeric_limits<int>::min();
  constexpr auto greatest_status = std::numeric_limits<int>::max();
  const bool sound = within(row, 0, 1, UrlIndex::greatest) && within(row, 1, 1, greatest_count) && is_rank(row, 2) &&
                     within(row, 3, 0, queue_states - 1) && is(row, 4, SQLITE_TEXT) &&
                     is_or_null(row, 5, SQLITE_TEXT) && is_or_null(row, 6, SQLITE_BLOB);
  if (!sound) return false;
  into = {};
  into.id = row.integer(0);
  into.site = row.integer(1);
  into.request.priority = static_cast<std::int32_t>(-row.integer(2));
  into.state = static_cast<UrlState>(row.integer(3));
  const std::string_view url = row.octets(4);
  if (!is_queueable(url)) return false;
  if (url.empty() || url.front() == '/' || url.front() == '?') {
    into.request.url.append(origin).append(url);
  } else {
    const auto own = Origin::of(url);
    if (!own || own->to_string() != origin) return false;
    into.request.url = url;
  }
  if (!row.is_null(5)) into.request.method = row.octets(5);
  auto headers = unpack_headers(row.octets(6));
  if (!headers) return false;
  into.request.headers = *std::move(headers);
  if (row.is_null(11)) return into.state == UrlState::pending;
  if (!within(row, 7, least_status, greatest_status) || !is_or_null(row, 8, SQLITE_TEXT) ||
      !is_or_null(row, 9, SQLITE_BLOB) || !is_or_null(row, 10, SQLITE_BLOB) ||
      !within(row, 11, -greatest_time, greatest_time) || !within(row, 12, 0, greatest_count)) {
    return false;
  }
  into.result = UrlResult{static_cast<int>(row.integer(7)), std::string(row.octets(8)),
                          std::string(row.octets(9)),       std::string(row.octets(10)),
                          time_of(row.integer(11)),         static_cast<std::uint64_t>(row.integer(12))};
  return true;
}

bool read_count(const Statement& row, int column, std::uint64_t& into) {
  into = static_cast<std::uint64_t>(row.integer(column));
  return within(row, column, 0, greatest_count);
}

Error damaged_queue(const Database& database, const std::string& what) {
  return database.damaged(" (" + what + " of its queue can't be read)");
}

Result<SipKey> queue_key(Database& database) {
  SipKey key{};
  bool sound = false;
  auto read = run(database, "SELECT value FROM meta WHERE name = 'queue_salt'", {}, [&](const Statement& row) {
    sound = is(row, 0, SQLITE_BLOB) && row.octets(0).size() == sizeof key;
    if (sound) std::memcpy(key.data(), row.octets(0).data(), sizeof key);
  });
  if (!read) return read.error();
  if (!sound) return damaged_queue(database, "the key");
  return key;
}

std::uint64_t url_hash(const SipKey& key, std::string_view method, std::string_view url) {
  thread_local std::string both;
  both.assign(method).append(" ").append(url);
  return sip_hash(key, both);
}

std::optional<std::string_view> read_hashes(const Statement& row, std::int64_t next) {
  if (!is(row, 0, SQLITE_INTEGER) || row.integer(0) != next || !is(row, 1, SQLITE_BLOB)) return std::nullopt;
  const std::string_view octets = row.octets(1);
  const auto left = static_cast<std::uint64_t>(UrlIndex::greatest - next + 1);
  if (octets.empty() || octets.size() % 8 != 0 || octets.size() / 8 > left) return std::nullopt;
  return octets;
}

}  // namespace robotrules::store
