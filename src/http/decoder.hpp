// Content codings taken off a body as it comes: gzip, deflate, br, zstd.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace robotrules::agent {

// One coding. Pieces go to `sink` as they are decoded, at most 64 KiB at once, so that whoever counts them stops a bomb
// in time.
class Decoder {
 public:
  using Sink = std::function<bool(std::string_view octets)>;  // false: no more
  enum class State { going_on, ended, damaged, stopped };

  virtual ~Decoder() = default;
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  virtual State write(std::string_view octets, const Sink& sink) = 0;
  // Was what came a whole body? Its end says so in each of these codings; no octet at all is whole too.
  virtual bool whole() const = 0;
  // Bytes that it holds now, its window among them.
  virtual std::size_t memory_bytes() const = 0;

 protected:
  Decoder() = default;
};

// What Content-Encoding names, in the order it must be taken off. `known` is false where one of them is none of ours.
struct Codings {
  std::vector<std::string> names;
  bool known = true;
};
Codings codings_of(const std::vector<std::string_view>& content_encoding);

// Null where there is no such coding here.
std::unique_ptr<Decoder> make_decoder(std::string_view coding);
// Of several, one after the other. Precondition: all are known.
std::unique_ptr<Decoder> make_decoder(const std::vector<std::string>& codings);

}  // namespace robotrules::agent
