// Decompression of gzip, deflate, zstd and brotli, one step at a time.
//
//     auto decompressor = codec::make_decompressor(codec::Format::gzip);
//     std::array<char, 65536> output;
//     const codec::Step step = decompressor->step(input, output);
//     input.remove_prefix(step.used);
//     file.write(output.data(), step.made);
//
// DecompressStream has this loop.
// Thread rule: one thread at a time. Errors: damaged input is part of the result; std::bad_alloc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "base/visibility.hpp"

namespace robotrules::codec {

enum class Format : std::uint8_t {
  gzip,     // RFC 1952, one member after the other
  zlib,     // RFC 1950
  deflate,  // zlib, or deflate without a frame (RFC 1951); the first byte decides
  zstd,     // RFC 8878, one frame after the other
  brotli,   // RFC 7932
};

// Returns the format of a file whose first bytes show one: gzip or zstd. They need not be more than max_magic_size.
inline constexpr std::size_t max_magic_size = 4;
ROBOTRULES_INTERNAL_API std::optional<Format> format_of(std::string_view first_bytes) noexcept;

// Limits on the memory that the input may ask for. The windows of the other formats are small: 32 KiB, brotli 16 MiB.
struct Limits {
  int max_zstd_window_log = 27;  // 2^27 bytes. A frame with a larger window is damaged
};

struct Step {
  std::size_t used = 0;          // bytes of the input
  std::size_t made = 0;          // bytes of the output
  bool ended = false;            // true: a gzip member, a zstd frame or the whole stream ends here
  const char* damage = nullptr;  // the fault of the input, in words; null: there is none
};

class ROBOTRULES_INTERNAL_API Decompressor {
 public:
  virtual ~Decompressor() = default;
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;

  // Decodes until the input is used, the output is full, or a member or frame ends. If the output is full, there may be
  // more of it without new input. After the end of a gzip member or a zstd frame, the next call begins another one;
  // after the end of the other formats, nothing is used and `ended` stays true. Precondition: `output` is not empty.
  virtual Step step(std::string_view input, std::span<char> output) = 0;
  // Returns the bytes of memory that it uses now, with its window.
  virtual std::size_t memory_bytes() const = 0;

 protected:
  Decompressor() = default;
};

// Returns false if this build has no library for the format.
ROBOTRULES_INTERNAL_API bool can_decode(Format format) noexcept;

// Precondition: can_decode(format).
ROBOTRULES_INTERNAL_API std::unique_ptr<Decompressor> make_decompressor(Format format, const Limits& limits = {});

}  // namespace robotrules::codec
