// Text as one gzip member.
#pragma once

#include <zlib.h>

#include <string>
#include <string_view>

#include "input.hpp"

namespace robotrules::fuzz {

inline std::string gzip(std::string_view plain) {
  z_stream stream{};
  require(deflateInit2(&stream, 1, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK, "gzip can be begun");
  std::string packed(deflateBound(&stream, static_cast<uLong>(plain.size())), '\0');
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  require(deflate(&stream, Z_FINISH) == Z_STREAM_END, "gzip can be ended");
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace robotrules::fuzz
