#include "http/mirror.hpp"

#include <sys/stat.h>
#include <sys/xattr.h>

#include <array>
#include <chrono>

#include "fields/http_date.hpp"

namespace robotrules {

std::optional<Timestamp> Response::last_modified() const {
  const auto field = headers.get("Last-Modified");
  return field ? agent::parse_http_date(*field, received_at) : std::nullopt;
}

namespace agent {

std::string mirror_note(Timestamp modified, std::string_view etag) {
  if (etag.empty()) return {};
  const auto since = std::chrono::nanoseconds(modified.time_since_epoch());
  return std::to_string(since.count()) + ' ' + std::string(etag);
}

Timestamp modified_of(const Response& response) {
  const auto said = response.last_modified();
  return said && *said <= response.received_at ? *said : response.received_at;
}

Headers mirror_conditions(const std::string& path) {
  Headers conditions;
  struct stat there{};
  if (stat(path.c_str(), &there) != 0 || !S_ISREG(there.st_mode)) return conditions;
  const auto since = std::chrono::seconds(there.st_mtim.tv_sec) + std::chrono::nanoseconds(there.st_mtim.tv_nsec);
  conditions.add("If-Modified-Since", format_http_date(Timestamp(std::chrono::floor<Timestamp::duration>(since))));
  std::array<char, 1'024> note{};
  const ssize_t size = getxattr(path.c_str(), mirror_attribute, note.data(), note.size());
  if (size <= 0) return conditions;
  const std::string_view text(note.data(), static_cast<std::size_t>(size));
  const std::size_t space = text.find(' ');
  if (space != std::string_view::npos && text.substr(0, space) == std::to_string(since.count())) {
    conditions.add("If-None-Match", text.substr(space + 1));
  }
  return conditions;
}

}  // namespace agent
}  // namespace robotrules
