// The table that answers most questions: it finds a site's rules by the bytes of the URL before the path.
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

#include <robotrules/robots_step.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/store.hpp>

namespace robotrules::store {

// Returns the part of an http or https URL before the path, as it is written: "https://example.org". Returns an empty
// view for other URLs, and if this part is longer than SiteTable::max_site.
std::string_view site_prefix(std::string_view url) noexcept;

// The state and the rules of sites, by the sites' names as written in URLs. An entry is valid until the store changes.
// A place holds everything that a question needs. A site is in one of the `reach` places from the one that its hash
// selects, so most questions read one place, however many places there are. The table grows with the number of sites.
// When it cannot grow any more and all places for a site are taken, the site gets one of them only if it is rejected
// twice in a row. So sites that are asked for once do not drive out the others.
// Thread rule: any thread may call any function.
class SiteTable {
 public:
  static constexpr std::size_t max_site = 54;

  // Calls `use(state, rules)` and returns true if the entry of `site` is known, was made at this value of changes(),
  // and is fresh at `now`.
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

  // Does nothing if the site has userinfo or anything else that only a parser can handle.
  void put(std::string_view site, std::uint64_t changes, Timestamp fresh_until, RobotsState state, const Rules& rules);

  void clear();

 private:
  static constexpr std::size_t shard_count = 64;
  static constexpr std::size_t reach = 8;          // number of places where a site may be
  static constexpr std::size_t min_size = 8;       // of a shard
  static constexpr std::size_t max_size = 32'768;  // of a shard; 192 MiB in all

  struct alignas(32) Place {
    Rules rules;
    std::uint64_t changes = 0;
    Timestamp fresh_until;
    RobotsState state = RobotsState::unknown;
    std::uint8_t size = 0;  // length of the site; 0: the place is free
    std::array<char, max_site> site;

    bool holds(std::string_view other) const noexcept {
      return size == other.size() && std::memcmp(site.data(), other.data(), other.size()) == 0;
    }
  };
  static_assert(sizeof(Place) == 96);

  struct alignas(64) Shard {
    mutable std::shared_mutex mutex;
    std::size_t size = 0;       // a power of two; 0: not allocated yet
    std::vector<Place> places;  // `size` of them, and `reach` - 1 after them for the last one
    std::size_t taken = 0;
    std::size_t next = 0;             // selects the place that is given away
    std::uint64_t last_rejected = 0;  // hash of the last site that found no place

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
    // No site is shorter than "http://a", which has 8 bytes. The last step may read some bytes a second time.
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
