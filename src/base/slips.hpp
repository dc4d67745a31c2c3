// The number of slips of a writer between two words.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/visibility.hpp"

namespace robotrules::base {

// Longer words are never similar.
inline constexpr std::size_t max_word_bytes = 64;

// Returns the number of slips between two words: letters added, missing, wrong, or swapped with a neighbour. Returns at
// most `max` + 1, also for words of more than max_word_bytes. ASCII case is ignored.
ROBOTRULES_INTERNAL_API std::size_t slips_between(std::string_view a, std::string_view b, std::size_t max) noexcept;

}  // namespace robotrules::base
