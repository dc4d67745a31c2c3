// Hashes and keys that are used both to build compiled rules and to search them.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace robotrules::core {

inline std::uint64_t load_bytes(const char* data) noexcept {
  std::uint64_t bytes;
  std::memcpy(&bytes, data, sizeof bytes);
  return bytes;
}

// Keeps the first `count` < 8 of eight bytes and sets the others to zero.
inline std::uint64_t low_bytes(std::uint64_t bytes, std::size_t count) noexcept {
  if constexpr (std::endian::native == std::endian::little) return bytes & ((std::uint64_t{1} << (8 * count)) - 1);
  return count == 0 ? 0 : bytes & ~(~std::uint64_t{0} >> (8 * count));
}

// Returns the four bytes after the first "/" of a path, with zeros if it is shorter. `path` must be padded.
inline std::uint32_t list_key(std::string_view path) noexcept {
  if (path.size() < 2) return 0;
  const std::uint64_t bytes = load_bytes(path.data() + 1);
  const std::size_t count = path.size() - 1 < 4 ? path.size() - 1 : 4;
  const std::uint64_t kept = low_bytes(bytes, count);
  if constexpr (std::endian::native == std::endian::little) return static_cast<std::uint32_t>(kept);
  return static_cast<std::uint32_t>(kept >> 32);
}
inline std::uint32_t list_mask(std::size_t count) noexcept {
  const std::uint64_t kept = low_bytes(~std::uint64_t{0}, count < 4 ? count : 4);
  if constexpr (std::endian::native == std::endian::little) return static_cast<std::uint32_t>(kept);
  return static_cast<std::uint32_t>(kept >> 32);
}

// The number of bytes after the first "/" that choose the bucket of a rule: the largest of these that the rule has.
inline constexpr std::size_t bucket_levels[] = {0, 1, 2, 3, 4, 8, 12, 16, 24};

inline constexpr auto level_of_size = [] {
  std::array<std::uint8_t, 25> all{};
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = static_cast<std::uint8_t>(i < 4 ? i : i < 8 ? 4 : i < 12 ? 5 : i < 16 ? 6 : i < 24 ? 7 : 8);
  return all;
}();

// Returns the index of the level of a rule with this many bytes after its "/". It uses a table, because lengths are
// random and branches would be predicted wrongly.
inline std::size_t bucket_level(std::size_t bytes) noexcept {
  return level_of_size[bytes < level_of_size.size() ? bytes : level_of_size.size() - 1];
}

// Offsets of the last and the middle eight bytes of each level.
inline constexpr std::uint8_t level_last[] = {0, 0, 0, 0, 0, 0, 4, 8, 16};
inline constexpr std::uint8_t level_middle[] = {0, 0, 0, 0, 0, 0, 0, 0, 8};

// Returns the hash of the bytes of a level at `data`; at least 8 bytes must be readable. It combines the first, the
// last and the middle eight bytes in the same way for all levels.
inline std::uint64_t bucket_hash(const char* data, std::size_t level) noexcept {
  constexpr std::uint64_t golden = 0x9E3779B97F4A7C15u;
  constexpr std::uint64_t other = 0xD6E8FEB86659FD93u;
  const std::uint64_t kept = level < 5 ? low_bytes(~std::uint64_t{0}, level) : ~std::uint64_t{0};
  const std::uint64_t first = (load_bytes(data) & kept) * other;
  const std::uint64_t rest =
      (load_bytes(data + level_last[level]) & kept) + (load_bytes(data + level_middle[level]) & kept) * 3;
  return ((first ^ (first >> 32)) + (rest ^ (rest >> 31)) + level) * golden;
}

// Hashes prefixes of a text, eight bytes at a time. The text must be padded.
class PrefixHash {
 public:
  explicit PrefixHash(const char* text) noexcept : text_(text) {}

  // Returns the hash of the first `size` bytes. `size` must not decrease from call to call.
  std::uint64_t of(std::size_t size) noexcept {
    for (; at_ + 8 <= size; at_ += 8) state_ = mix(state_, load_bytes(text_ + at_));
    return mix(state_ + size, low_bytes(load_bytes(text_ + at_), size - at_));
  }

 private:
  static std::uint64_t mix(std::uint64_t state, std::uint64_t bytes) noexcept {
    const std::uint64_t product = (state ^ bytes) * 0x9E3779B97F4A7C15u;
    return product ^ (product >> 32);
  }

  const char* text_;
  std::size_t at_ = 0;
  std::uint64_t state_ = 0x243F6A8885A308D3u;
};

// If this many slots are taken, a rule goes into the list. So a file of patterns with colliding hashes costs no more
// than a file of wildcards.
inline constexpr std::uint32_t max_crowd_probes = 64;

// A slot of the table of crowded rules has eight bits of the hash and the number of the rule plus one; 0: free.
inline std::uint32_t crowd_tag(std::uint64_t hash) noexcept { return static_cast<std::uint32_t>(hash) & 0xFF000000u; }
inline std::uint32_t crowd_slot(std::uint64_t hash, std::uint32_t size) noexcept {
  return static_cast<std::uint32_t>(((hash >> 32) * size) >> 32);
}

// Returns the set of bytes in a text, by their low six bits. A path cannot match a pattern if it lacks one of its
// bytes.
inline std::uint64_t byte_set(std::string_view text) noexcept {
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
