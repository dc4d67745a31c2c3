// The way from a URL to its site's rules that most questions take: by the bytes before the path, as they are written.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string_view>
#include <vector>

#include <robotrules/robots_state.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/store.hpp>

namespace robotrules::store {

// "https://example.org" of an http or https URL, as it is written: what stands before the first "/" behind the scheme.
// Empty for others, and where it is longer than a place holds.
std::string_view written_site(std::string_view url) noexcept;

// What was answered for a site as it was written, good until the store changes. A place holds all that a question
// needs, and a site stands in one of the few places behind the one that its hash says: so most questions look at one
// place, however many there are. The table grows with its sites. Where it can't any more and these places are taken,
// one is given away to who is turned away twice in a row, so that sites asked for once don't drive out the others.
// Thread rule: every function may be called from any thread.
class SiteTable {
 public:
  static constexpr std::size_t max_site = 54;

  // Calls `use(state, rules)` where those of `site` are known for that state of the store and fresh at `now`.
  template <class Use>
  bool find(std::string_view site, std::uint64_t changes, Timestamp now, Use use) const {
    const std::uint64_t hash = hash_of(site);
    const Shard& shard = shards_[hash % shard_count];
    const std::shared_lock lock(shard.mutex);
    const Place* const place = shard.find(site, hash);
    if (place == nullptr || place->changes != changes || place->fresh_until < now) return false;
    use(place->state, place->rules);
    return true;
  }

  // A site with userinfo or anything else that needs a parser is not kept.
  void put(std::string_view site, std::uint64_t changes, Timestamp fresh_until, RobotsState state, const Rules& rules);

  void clear();

 private:
  static constexpr std::size_t shard_count = 64;
  static constexpr std::size_t reach = 8;          // the places that a site may stand in
  static constexpr std::size_t min_size = 8;       // of a shard
  static constexpr std::size_t max_size = 32'768;  // 192 MiB in all

  struct alignas(32) Place {
    Rules rules;
    std::uint64_t changes = 0;
    Timestamp fresh_until;
    RobotsState state = RobotsState::unknown;
    std::uint8_t size = 0;  // of the site; 0: free
    std::array<char, max_site> site;

    bool holds(std::string_view other) const noexcept {
      return size == other.size() && std::memcmp(site.data(), other.data(), other.size()) == 0;
    }
  };
  static_assert(sizeof(Place) == 96);

  struct alignas(64) Shard {
    mutable std::shared_mutex mutex;
    std::size_t size = 0;       // a power of two, or nothing yet
    std::vector<Place> places;  // as many, and behind them what the last one may reach
    std::size_t taken = 0;
    std::size_t next = 0;           // which one to give away
    std::uint64_t turned_away = 0;  // the hash of the last site that found no place

    const Place* find(std::string_view site, std::uint64_t hash) const noexcept {
      if (size == 0) return nullptr;
      const Place* const first = &places[home(hash)];
      for (const Place* place = first; place < first + reach && place->size != 0; ++place) {
        if (place->holds(site)) return place;
      }
      return nullptr;
    }
    std::size_t home(std::uint64_t hash) const noexcept { return hash / shard_count & (size - 1); }
    Place* place_for(std::string_view site, std::uint64_t hash, std::uint64_t changes) noexcept;
    void grow(std::uint64_t changes);
  };

  static std::uint64_t hash_of(std::string_view site) noexcept {
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15;
    const auto bytes = [site](std::size_t at) {
      std::uint64_t loaded;
      std::memcpy(&loaded, site.data() + at, sizeof loaded);
      return loaded;
    };
    // No site is shorter than "http://a"; the last step may meet bytes for the second time.
    std::uint64_t hash = site.size();
    for (std::size_t at = 0; at + sizeof hash < site.size(); at += sizeof hash) {
      hash = (hash ^ bytes(at)) * odd;
      hash ^= hash >> 32;
    }
    hash = (hash ^ bytes(site.size() - sizeof hash)) * odd;
    return hash ^ hash >> 32;
  }

  std::array<Shard, shard_count> shards_;
};

}  // namespace robotrules::store
