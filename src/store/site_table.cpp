#include "store/site_table.hpp"

#include <algorithm>
#include <utility>

namespace robotrules::store {
namespace {

bool is_plain(std::string_view site) {
  return std::ranges::all_of(site.substr(site.find("://") + 3),
                             [](char c) { return c > ' ' && c != '?' && c != '#' && c != '@' && c != '\\'; });
}

}  // namespace

std::string_view site_prefix(std::string_view url) noexcept {
  const std::size_t host = url.starts_with("https://") ? 8 : url.starts_with("http://") ? 7 : 0;
  if (host == 0) return {};
  const std::string_view start = url.substr(0, SiteTable::max_site + 1);
  const std::size_t end = std::min(start.find('/', host), start.size());
  return end > host && end <= SiteTable::max_site ? url.substr(0, end) : std::string_view();
}

// Returns the place for a site: its own, a free one, or an outdated one. Returns null if current entries of other sites
// take all places.
SiteTable::Place* SiteTable::Shard::place_for(std::string_view site, std::uint64_t hash,
                                              std::uint64_t changes) noexcept {
  Place* const first = &places[home(hash)];
  Place* old = nullptr;
  for (Place* place = first; place < first + reach; ++place) {
    if (place->size == 0) return old == nullptr ? place : old;
    if (place->holds(site)) return place;
    if (old == nullptr && place->changes != changes) old = place;
  }
  return old;
}

// Doubles the number of places. Entries that are outdated, because the store has changed since, are dropped.
void SiteTable::Shard::grow(std::uint64_t changes) {
  const std::size_t greater = size == 0 ? min_size : 2 * size;
  const std::vector<Place> before = std::exchange(places, std::vector<Place>(greater + reach - 1));
  size = greater;
  taken = 0;
  for (const Place& place : before) {
    if (place.size == 0 || place.changes != changes) continue;
    const std::string_view site(place.site.data(), place.size);
    Place* const to = place_for(site, hash_of(site), changes);
    if (to == nullptr) continue;
    *to = place;
    ++taken;
  }
}

void SiteTable::put(std::string_view site, std::uint64_t changes, Timestamp fresh_until, RobotsState state,
                    const Rules& rules) {
  if (!is_plain(site)) return;
  const std::uint64_t hash = hash_of(site);
  Shard& shard = shards_[hash % shard_count];
  const std::unique_lock lock(shard.mutex);
  if (shard.size == 0) shard.grow(changes);
  Place* place = shard.place_for(site, hash, changes);
  // The table grows only if it is half full. So an attacker cannot make it grow with names that share one place.
  if (place == nullptr && shard.taken >= shard.size / 2 && shard.size < max_size) {
    shard.grow(changes);
    place = shard.place_for(site, hash, changes);
  }
  if (place == nullptr) {
    if (std::exchange(shard.last_rejected, hash) != hash) return;
    place = &shard.places[shard.home(hash) + shard.next++ % reach];
  }
  if (place->size == 0) ++shard.taken;
  place->state = state;
  place->rules = rules;
  place->changes = changes;
  place->fresh_until = fresh_until;
  place->size = static_cast<std::uint8_t>(site.size());
  std::ranges::copy(site, place->site.begin());
}

void SiteTable::clear() {
  for (Shard& shard : shards_) {
    const std::unique_lock lock(shard.mutex);
    shard.places = {};
    shard.size = 0;
    shard.taken = 0;
  }
}

}  // namespace robotrules::store
