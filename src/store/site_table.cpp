#include "store/site_table.hpp"

#include <mutex>

namespace robotrules::store {

std::string_view written_site(std::string_view url) noexcept {
  constexpr std::size_t longest = 300;
  const std::size_t host = url.starts_with("https://") ? 8 : url.starts_with("http://") ? 7 : 0;
  if (host == 0) return {};
  for (std::size_t i = host; i < url.size() && i < longest; ++i) {
    const char c = url[i];
    if (c == '/' || c == '?' || c == '#') return i == host ? std::string_view() : url.substr(0, i);
    if (c == '@' || c == '\\' || c <= ' ') return {};
  }
  return url.size() < longest && url.size() > host ? url : std::string_view();
}

SiteTable::SiteTable() : places_(place_count) {}

void SiteTable::put(std::string_view site, std::uint64_t changes, Timestamp fresh_until, const Rules& rules) {
  const std::size_t hash = std::hash<std::string_view>{}(site);
  std::string name(site);
  const std::unique_lock lock(locks_[hash % lock_count].mutex);
  Place& place = places_[hash % place_count];
  place.site = std::move(name);
  place.changes = changes;
  place.fresh_until = fresh_until;
  place.rules.emplace(rules);
}

}  // namespace robotrules::store
