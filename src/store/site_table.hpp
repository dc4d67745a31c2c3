// The way from a URL to its site's rules that most questions take: by the octets before the path, as they are written.
#pragma once

#include <array>
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

// What was answered for a site as it was written, good until the store changes. A table of fixed size: of two sites in
// one place the later stays.
// Thread rule: every function may be called from any thread.
class SiteTable {
 public:
  SiteTable();

  // Calls `use(rules)` where the rules of `site` are known for that state of the store and fresh at `now`.
  template <class Use>
  bool find(std::string_view site, std::uint64_t changes, Timestamp now, Use use) const {
    const std::size_t hash = std::hash<std::string_view>{}(site);
    const Place& place = places_[hash % place_count];
    const std::shared_lock lock(locks_[hash % lock_count].mutex);
    if (!place.rules || place.changes != changes || place.fresh_until < now || place.site != site) return false;
    use(*place.rules);
    return true;
  }

  void put(std::string_view site, std::uint64_t changes, Timestamp fresh_until, const Rules& rules);

 private:
  struct Place {
    std::string site;
    std::uint64_t changes = 0;
    Timestamp fresh_until;
    std::optional<Rules> rules;
  };
  struct alignas(64) Lock {
    mutable std::shared_mutex mutex;
  };
  static constexpr std::size_t place_count = 32'768;
  static constexpr std::size_t lock_count = 256;  // divides place_count: a place has one lock
  static_assert(place_count % lock_count == 0);

  std::vector<Place> places_;
  std::array<Lock, lock_count> locks_;
};

}  // namespace robotrules::store
