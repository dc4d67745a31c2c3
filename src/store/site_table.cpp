#include "store/site_table.hpp"

#include <mutex>
#include <utility>

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

SiteTable::SiteTable(std::size_t places)
    : hashes_(places), places_(places), next_(places / ways), asked_for_(places / ways) {}

bool SiteTable::put(std::string_view site, std::uint64_t changes, Timestamp fresh_until, const Rules& rules) {
  const std::size_t hash = std::hash<std::string_view>{}(site);
  const std::size_t first = set_of(hash);
  std::string name(site);
  const std::unique_lock lock(lock_of(first));
  std::size_t at = first;
  while (at < first + ways && places_[at].rules && (hashes_[at] != hash || places_[at].site != site)) ++at;
  bool crowded = false;
  if (at == first + ways) {
    if (std::exchange(asked_for_[first / ways], hash) != hash) {
      return ++given_away_ > places_.size() && places_.size() < largest;
    }
    at = first + next_[first / ways];
    next_[first / ways] = static_cast<std::uint8_t>((next_[first / ways] + 1) % ways);
    crowded = ++given_away_ > places_.size() && places_.size() < largest;
  }
  hashes_[at] = hash;
  places_[at] = {std::move(name), changes, fresh_until, rules};
  return crowded;
}

}  // namespace robotrules::store
