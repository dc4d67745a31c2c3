// The numbers of URLs by their hashes: 12 bytes a place, and of the places three in eight to three in four in use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace robotrules::store {

// Numbers are 1, 2, 3 and so on. Different URLs may have one hash: who looks says which it is.
// Thread rule: one thread at a time.
class UrlIndex {
 public:
  static constexpr std::int64_t max_number = std::numeric_limits<std::uint32_t>::max() - 1;

  // The number behind the last.
  std::int64_t next() const noexcept { return static_cast<std::int64_t>(used_) + 1; }

  // Gives `hash` the next number. Precondition: it is not beyond `max_number`.
  void add(std::uint64_t hash) {
    if ((used_ + 1) * 4 > hashes_.size() * 3) grow();
    ++used_;
    put(hash, static_cast<std::uint32_t>(used_));
  }

  // The first of the numbers with that hash of which `is_it(number)` is true.
  template <class IsIt>
  std::optional<std::int64_t> find(std::uint64_t hash, IsIt is_it) const {
    if (hashes_.empty()) return std::nullopt;
    for (std::size_t place = hash & mask(); numbers_[place] != 0; place = (place + 1) & mask()) {
      if (hashes_[place] == hash && is_it(std::int64_t{numbers_[place]})) return numbers_[place];
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

  std::vector<std::uint64_t> hashes_;   // a power of two of places
  std::vector<std::uint32_t> numbers_;  // 0: a free place
  std::size_t used_ = 0;
};

}  // namespace robotrules::store
