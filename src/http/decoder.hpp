// Content codings, removed from a body while it arrives: gzip, deflate, br, zstd.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace robotrules::agent {

// A decoder for one coding. It gives decoded pieces of at most 64 KiB to `sink`, so that a sink that counts them can
// stop a decompression bomb in time.
class Decoder {
 public:
  using Sink = std::function<bool(std::string_view octets)>;  // false: stop
  enum class State { going_on, ended, damaged, stopped };

  virtual ~Decoder() = default;
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  virtual State write(std::string_view octets, const Sink& sink) = 0;
  // Returns true if the bytes so far are a complete body. Each of these codings marks its end. No bytes at all are
  // complete too.
  virtual bool whole() const = 0;
  // Returns the bytes of memory that the decoder uses now, with its window.
  virtual std::size_t memory_bytes() const = 0;

 protected:
  Decoder() = default;
};

// The codings that Content-Encoding names, in the order of decoding. `known` is false if one of them is not supported.
struct Codings {
  std::vector<std::string> names;
  bool known = true;
};
Codings codings_of(const std::vector<std::string_view>& content_encoding);

// Returns a decoder, or null if the coding is not supported.
std::unique_ptr<Decoder> make_decoder(std::string_view coding);
// Returns a decoder for several codings, applied one after the other. Precondition: all are supported.
std::unique_ptr<Decoder> make_decoder(const std::vector<std::string>& codings);

}  // namespace robotrules::agent
