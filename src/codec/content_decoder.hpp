// Content codings, removed from a body while it arrives: gzip, deflate, br, zstd.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/visibility.hpp"
#include "codec/decompress_stream.hpp"

namespace robotrules::codec {

inline constexpr std::size_t max_codings = 2;  // of one body

// The codings that Content-Encoding names, in the order of decoding. `known` is false if one of them is not supported.
struct Codings {
  std::vector<Format> formats;
  bool known = true;
};
ROBOTRULES_INTERNAL_API Codings codings_of(const std::vector<std::string_view>& content_encoding);

// A decoder for the codings of one body, applied one after the other.
class ROBOTRULES_INTERNAL_API ContentDecoder {
 public:
  using Sink = DecompressStream::Sink;
  using Outcome = DecompressStream::Outcome;

  // Precondition: there is at least one coding.
  explicit ContentDecoder(const std::vector<Format>& codings);
  // Gives decoded pieces of at most 64 KiB to `sink`.
  Outcome write(std::string_view bytes, const Sink& sink) { return write(0, bytes, sink); }
  // Returns true if the bytes so far are a complete body. Each of these codings marks its end. No bytes at all are
  // complete too.
  bool whole() const;
  // Returns the bytes of memory that the decoder uses now, with its windows.
  std::size_t memory_bytes() const;

 private:
  Outcome write(std::size_t stream, std::string_view bytes, const Sink& sink);

  std::vector<DecompressStream> streams_;
};

// How the decoding of a whole body ended.
enum class Decoded : std::uint8_t {
  whole,       // all of it, or an empty body
  cut,         // there is more than the limit
  unfinished,  // the body ends inside its coding
  damaged,
};

// Appends the decoded body to `to`, until this has `limit` bytes. Precondition: there is at least one coding.
ROBOTRULES_INTERNAL_API Decoded decode_body(const std::vector<Format>& codings, std::string_view body,
                                            std::size_t limit, std::string& to);

}  // namespace robotrules::codec
