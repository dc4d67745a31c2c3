// The small arithmetic that building and asking compiled rules share.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace robotrules::core {

inline std::uint64_t load_octets(const char* data) noexcept {
  std::uint64_t octets;
  std::memcpy(&octets, data, sizeof octets);
  return octets;
}

// The first `count` < 8 octets of eight, the rest zero.
inline std::uint64_t low_octets(std::uint64_t octets, std::size_t count) noexcept {
  if constexpr (std::endian::native == std::endian::little) return octets & ((std::uint64_t{1} << (8 * count)) - 1);
  return count == 0 ? 0 : octets & ~(~std::uint64_t{0} >> (8 * count));
}

// The four octets behind the first "/" of a path, zeros where it is shorter. `path` is padded.
inline std::uint32_t list_key(std::string_view path) noexcept {
  if (path.size() < 2) return 0;
  const std::uint64_t octets = load_octets(path.data() + 1);
  const std::size_t count = path.size() - 1 < 4 ? path.size() - 1 : 4;
  const std::uint64_t kept = low_octets(octets, count);
  if constexpr (std::endian::native == std::endian::little) return static_cast<std::uint32_t>(kept);
  return static_cast<std::uint32_t>(kept >> 32);
}
inline std::uint32_t list_mask(std::size_t count) noexcept {
  const std::uint64_t kept = low_octets(~std::uint64_t{0}, count < 4 ? count : 4);
  if constexpr (std::endian::native == std::endian::little) return static_cast<std::uint32_t>(kept);
  return static_cast<std::uint32_t>(kept >> 32);
}

// How many octets behind the first "/" choose a rule's bucket: the greatest of these that the rule has.
inline constexpr std::size_t bucket_levels[] = {0, 1, 2, 3, 4, 8, 12, 16, 24};

inline constexpr auto level_of_size = [] {
  std::array<std::uint8_t, 25> all{};
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = static_cast<std::uint8_t>(i < 4 ? i : i < 8 ? 4 : i < 12 ? 5 : i < 16 ? 6 : i < 24 ? 7 : 8);
  return all;
}();

// The number of the level of a rule with `octets` behind its "/". Lengths follow each other at random: a table is
// never guessed wrong.
inline std::size_t bucket_level(std::size_t octets) noexcept {
  return level_of_size[octets < level_of_size.size() ? octets : level_of_size.size() - 1];
}

// Where the last and the middle eight octets of a level begin.
inline constexpr std::uint8_t level_last[] = {0, 0, 0, 0, 0, 0, 4, 8, 16};
inline constexpr std::uint8_t level_middle[] = {0, 0, 0, 0, 0, 0, 0, 0, 8};

// The hash of the octets of that level at `data`, of which 8 are readable: the first, the last and the middle eight of
// them, one way for all levels.
inline std::uint64_t bucket_hash(const char* data, std::size_t level) noexcept {
  constexpr std::uint64_t golden = 0x9E3779B97F4A7C15u;
  constexpr std::uint64_t other = 0xD6E8FEB86659FD93u;
  const std::uint64_t kept = level < 5 ? low_octets(~std::uint64_t{0}, level) : ~std::uint64_t{0};
  const std::uint64_t first = (load_octets(data) & kept) * other;
  const std::uint64_t rest =
      (load_octets(data + level_last[level]) & kept) + (load_octets(data + level_middle[level]) & kept) * 3;
  return ((first ^ (first >> 32)) + (rest ^ (rest >> 31)) + level) * golden;
}

// A hash of every prefix of a text, carried on eight octets at a time. The text is padded.
class PrefixHash {
 public:
  explicit PrefixHash(const char* text) noexcept : text_(text) {}

  // Of the first `size` octets; sizes must not fall from call to call.
  std::uint64_t of(std::size_t size) noexcept {
    for (; at_ + 8 <= size; at_ += 8) state_ = mix(state_, load_octets(text_ + at_));
    return mix(state_ + size, low_octets(load_octets(text_ + at_), size - at_));
  }

 private:
  static std::uint64_t mix(std::uint64_t state, std::uint64_t octets) noexcept {
    const std::uint64_t product = (state ^ octets) * 0x9E3779B97F4A7C15u;
    return product ^ (product >> 32);
  }

  const char* text_;
  std::size_t at_ = 0;
  std::uint64_t state_ = 0x243F6A8885A308D3u;
};

// A rule that finds no free slot among so many goes into the list: a file made of patterns whose hashes collide costs
// no more than one of wildcards.
inline constexpr std::uint32_t max_crowd_probes = 64;

// A slot of the table of crowded rules: eight bits of hash and the rule's number plus one; 0 is a free slot.

inline std::uint32_t crowd_tag(std::uint64_t hash) noexcept { return static_cast<std::uint32_t>(hash) & 0xFF000000u; }
inline std::uint32_t crowd_slot(std::uint64_t hash, std::uint32_t size) noexcept {
  return static_cast<std::uint32_t>(((hash >> 32) * size) >> 32);
}

// Which octets, by their low six bits, stand in a text: a path that lacks one that a pattern needs can't match.
inline std::uint64_t octet_set(std::string_view text) noexcept {
  const auto bit = [&text](std::size_t i) { return std::uint64_t{1} << (static_cast<unsigned char>(text[i]) & 63); };
  std::uint64_t even = 0;
  std::uint64_t odd = 0;
  std::size_t i = 0;
  for (; i + 2 <= text.size(); i += 2) {
    even |= bit(i);
    odd |= bit(i + 1);
  }
  return i < text.size() ? even | odd | bit(i) : even | odd;
}

}  // namespace robotrules::core
