#include "base/utf8.hpp"

#include <cstring>

namespace robotrules::base {

bool is_utf8(std::string_view text) noexcept {
  constexpr std::uint64_t high_bits = 0x8080'8080'8080'8080;
  std::size_t at = 0;
  while (at < text.size()) {
    if (std::uint64_t word = 0; text.size() - at >= sizeof word) {  // most text is ASCII: eight bytes at a time
      std::memcpy(&word, text.data() + at, sizeof word);
      if ((word & high_bits) == 0) {
        at += sizeof word;
        continue;
      }
    }
    const Utf8Character character = utf8_at(text, at);
    if (!character.valid) return false;
    at += character.size;
  }
  return true;
}

}  // namespace robotrules::base
