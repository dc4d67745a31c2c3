// A compressed body or file, decoded while it arrives.
//
//     codec::DecompressStream stream(codec::Format::gzip);
//     while (...) stream.write(bytes, [&](std::string_view piece) { return keep(piece); });
//     if (!stream.is_whole()) return truncated();
//
// Thread rule: one thread at a time. Errors: see Outcome; std::bad_alloc.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "base/visibility.hpp"
#include "codec/decompressor.hpp"

namespace robotrules::codec {

class ROBOTRULES_INTERNAL_API DecompressStream {
 public:
  using Sink = std::function<bool(std::string_view bytes)>;  // false: stop
  // After `stopped` and `damaged`, write() must not be called again.
  enum class Outcome : std::uint8_t { taken, stopped, damaged };

  explicit DecompressStream(Format format, const Limits& limits = {});

  // Decodes `bytes` and gives the result to the sink in pieces of at most 64 KiB, so that a sink that counts them can
  // stop a decompression bomb in time. Several gzip members or zstd frames are one text. Bytes after the end are
  // ignored, with two exceptions: after a gzip member, 0x1F begins another one, and after a zstd frame, anything does.
  Outcome write(std::string_view bytes, const Sink& sink);
  // Returns true if the bytes so far end where a member, frame or stream ends, or if there were none.
  bool is_whole() const noexcept { return place_ != Place::inside; }
  // Returns true if bytes were ignored, because they follow the end.
  bool is_past_end() const noexcept { return place_ == Place::past_end; }
  // Returns what is wrong with the input, after the outcome `damaged`; else null.
  const char* damage() const noexcept { return damage_; }
  // Returns the bytes of memory that it uses now, with its window.
  std::size_t memory_bytes() const { return decompressor_->memory_bytes() + sizeof(Piece); }

 private:
  using Piece = std::array<char, std::size_t{64} * 1024>;
  enum class Place : std::uint8_t { start, inside, between, past_end };
  // Returns true if a member or frame begins with this byte after another one has ended.
  bool goes_on_with(char next) const noexcept;

  Format format_;
  Place place_ = Place::start;
  const char* damage_ = nullptr;
  std::unique_ptr<Decompressor> decompressor_;
  std::unique_ptr<Piece> piece_;
};

}  // namespace robotrules::codec
