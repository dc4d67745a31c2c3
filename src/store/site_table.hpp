// The way from a URL to its site's rules that most questions take: by the octets before the path, as they are written.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/gate.hpp>
#include <robotrules/rules.hpp>

namespace robotrules::store {

// "https://example.org" of an absolute http or https URL without userinfo, as it is written; empty for others, and
// where it is longer than a name may be.
std::string_view written_site(std::string_view url) noexcept;

// What was answered for a site as it was written, good until the store changes. A site has four places; where all are
// taken, one is given away to who is turned away twice in a row, so that sites asked for once don't drive out the
// others. Thread rule: find() and put() from any thread.
class SiteTable {
 public:
  // A power of two.
  explicit SiteTable(std::size_t places);

  // Calls `use(rules)` where the rules of `site` are known for that state of the store and fresh at `now`.
  template <class Use>
  bool find(std::string_view site, std::uint64_t changes, Timestamp now, Use use) const {
    const std::size_t hash = std::hash<std::string_view>{}(site);
    const std::size_t first = set_of(hash);
    const std::shared_lock lock(lock_of(first));
    for (std::size_t i = first; i < first + ways; ++i) {
      if (hashes_[i] != hash) continue;
      const Place& place = places_[i];
      if (!place.rules || place.changes != changes || place.fresh_until < now || place.site != site) continue;
      use(*place.rules);
      return true;
    }
    return false;
  }

  // True where the table has given away so much that a greater one is worth its memory.
  bool put(std::string_view site, std::uint64_t changes, Timestamp fresh_until, const Rules& rules);

  std::size_t size() const noexcept { return places_.size(); }
  static constexpr std::size_t largest = 65'536;

 private:
  struct Place {
    std::string site;
    std::uint64_t changes = 0;
    Timestamp fresh_until;
    std::optional<Rules> rules;
  };
  struct alignas(64) Lock {
    std::shared_mutex mutex;
  };
  static constexpr std::size_t ways = 4;
  static constexpr std::size_t lock_count = 64;

  std::size_t set_of(std::size_t hash) const noexcept { return hash % (places_.size() / ways) * ways; }
  std::shared_mutex& lock_of(std::size_t first) const noexcept { return locks_[first / ways % lock_count].mutex; }

  std::vector<std::size_t> hashes_;
  std::vector<Place> places_;
  std::vector<std::uint8_t> next_;      // of each set: the place to give away
  std::vector<std::size_t> asked_for_;  // of each full set: who was turned away last
  mutable std::array<Lock, lock_count> locks_;
  std::atomic<std::size_t> given_away_{0};
};

}  // namespace robotrules::store
