#include "base/slips.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/ascii.hpp"

namespace robotrules::base {

std::size_t slips_between(std::string_view a, std::string_view b, std::size_t max) noexcept {
  const std::size_t apart = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (apart > max || std::max(a.size(), b.size()) > max_word_bytes) return max + 1;
  const auto same = [&](std::size_t i, std::size_t j) { return lower(a[i - 1]) == lower(b[j - 1]); };
  std::array<std::array<std::uint8_t, max_word_bytes + 1>, 3> rows{};  // the last three of a table of prefixes
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = static_cast<std::uint8_t>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto& row = rows[i % 3];
    const auto& above = rows[(i - 1) % 3];
    const auto& two_above = rows[(i + 1) % 3];
    row[0] = static_cast<std::uint8_t>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      int fewest = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same(i, j) ? 0 : 1)});
      if (i > 1 && j > 1 && same(i, j - 1) && same(i - 1, j)) fewest = std::min(fewest, two_above[j - 2] + 1);
      row[j] = static_cast<std::uint8_t>(fewest);
    }
  }
  return std::min<std::size_t>(rows[a.size() % 3][b.size()], max + 1);
}

}  // namespace robotrules::base
