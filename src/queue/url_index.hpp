// A hash table from the hashes of URLs to their numbers. A place takes 12 bytes; 3/8 to 3/4 of the places are in use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace robotrules::store {

// Different URLs may have the same hash, so the caller of find() compares the URLs. Thread rule: one thread at a time.
class UrlIndex {
 public:
  static constexpr std::int64_t max_number = std::numeric_limits<std::uint32_t>::max() - 1;

  // Adds a URL with this hash. Precondition: `number` is from 1 to `max_number`.
  void add(std::uint64_t hash, std::int64_t number) {
    if ((used_ + 1) * 4 > hashes_.size() * 3) grow();
    ++used_;
    put(hash, static_cast<std::uint32_t>(number));
  }

  // Returns the first number with that hash for which `is_match(number)` is true, or null.
  template <class IsMatch>
  std::optional<std::int64_t> find(std::uint64_t hash, IsMatch is_match) const {
    if (hashes_.empty()) return std::nullopt;
    for (std::size_t place = hash & mask(); numbers_[place] != 0; place = (place + 1) & mask()) {
      if (hashes_[place] == hash && is_match(std::int64_t{numbers_[place]})) return numbers_[place];
    }
    return std::nullopt;
  }

 private:
  std::size_t mask() const noexcept { return hashes_.size() - 1; }
  void put(std::uint64_t hash, std::uint32_t number) noexcept {
    std::size_t place = hash & mask();
    while (numbers_[place] != 0) place = (place + 1) & mask();
    hashes_[place] = hash;
    numbers_[place] = number;
  }
  void grow() {
    UrlIndex larger;
    larger.hashes_.resize(hashes_.empty() ? 1'024 : hashes_.size() * 2);
    larger.numbers_.resize(larger.hashes_.size());
    for (std::size_t place = 0; place < hashes_.size(); ++place) {
      if (numbers_[place] != 0) larger.put(hashes_[place], numbers_[place]);
    }
    hashes_.swap(larger.hashes_);
    numbers_.swap(larger.numbers_);
  }

  std::vector<std::uint64_t> hashes_;   // the number of places is a power of two
  std::vector<std::uint32_t> numbers_;  // 0: a free place
  std::size_t used_ = 0;
};

}  // namespace robotrules::store
