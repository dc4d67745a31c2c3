#include "support/server/bodies.hpp"

#include <brotli/encode.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>

namespace robotrules::test {
namespace {

// Gives the text to pack piece by piece; an empty piece is its end.
using Pieces = std::function<std::string_view()>;

constexpr std::size_t room = 65'536;

void require(bool good) {
  if (!good) throw std::runtime_error("a body could not be packed");
}

std::string deflated(const Pieces& next, int window_bits) {
  z_stream stream{};
  require(deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  const std::unique_ptr<z_stream, int (*)(z_streamp)> end(&stream, deflateEnd);
  std::string out;
  std::array<Bytef, room> buffer;
  int state = Z_OK;
  while (state != Z_STREAM_END) {
    const std::string_view piece = next();
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(piece.data()));
    stream.avail_in = static_cast<uInt>(piece.size());
    do {
      stream.next_out = buffer.data();
      stream.avail_out = room;
      state = deflate(&stream, piece.empty() ? Z_FINISH : Z_NO_FLUSH);
      require(state != Z_STREAM_ERROR);
      out.append(reinterpret_cast<const char*>(buffer.data()), room - stream.avail_out);
    } while (stream.avail_out == 0);
  }
  return out;
}

std::string brotlied(const Pieces& next) {
  const std::unique_ptr<BrotliEncoderState, void (*)(BrotliEncoderState*)> encoder(
      BrotliEncoderCreateInstance(nullptr, nullptr, nullptr), BrotliEncoderDestroyInstance);
  require(encoder != nullptr && BrotliEncoderSetParameter(encoder.get(), BROTLI_PARAM_QUALITY, 5) == BROTLI_TRUE);
  std::string out;
  std::array<std::uint8_t, room> buffer;
  while (BrotliEncoderIsFinished(encoder.get()) == BROTLI_FALSE) {
    const std::string_view piece = next();
    const std::uint8_t* in = reinterpret_cast<const std::uint8_t*>(piece.data());
    std::size_t left = piece.size();
    do {
      std::uint8_t* to = buffer.data();
      std::size_t space = room;
      require(BrotliEncoderCompressStream(encoder.get(),
                                          piece.empty() ? BROTLI_OPERATION_FINISH : BROTLI_OPERATION_PROCESS, &left,
                                          &in, &space, &to, nullptr) == BROTLI_TRUE);
      out.append(reinterpret_cast<const char*>(buffer.data()), room - space);
    } while (left > 0 || BrotliEncoderHasMoreOutput(encoder.get()) == BROTLI_TRUE);
  }
  return out;
}

std::string zstded(const Pieces& next) {
  const std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  require(context != nullptr);
  std::string out;
  std::array<char, room> buffer;
  bool ended = false;
  while (!ended) {
    const std::string_view piece = next();
    ended = piece.empty();
    ZSTD_inBuffer in{piece.data(), piece.size(), 0};
    std::size_t left = 0;
    do {
      ZSTD_outBuffer to{buffer.data(), room, 0};
      left = ZSTD_compressStream2(context.get(), &to, &in, ended ? ZSTD_e_end : ZSTD_e_continue);
      require(ZSTD_isError(left) == 0);
      out.append(buffer.data(), to.pos);
    } while (ended ? left > 0 : in.pos < in.size);
  }
  return out;
}

std::string pack(Coding coding, const Pieces& next) {
  switch (coding) {
    case Coding::gzip: return deflated(next, 15 + 16);
    case Coding::deflate: return deflated(next, 15);
    case Coding::raw_deflate: return deflated(next, -15);
    case Coding::brotli: return brotlied(next);
    case Coding::zstd: return zstded(next);
  }
  throw std::logic_error("no such coding");
}

}  // namespace

std::string_view name_of(Coding coding) {
  switch (coding) {
    case Coding::gzip: return "gzip";
    case Coding::deflate:
    case Coding::raw_deflate: return "deflate";
    case Coding::brotli: return "br";
    case Coding::zstd: return "zstd";
  }
  throw std::logic_error("no such coding");
}

std::string packed(Coding coding, std::string_view text) { return bomb(coding, 0, text); }

std::string bomb(Coding coding, std::size_t bytes, std::string_view prefix, char fill) {
  const std::string block(room, fill);
  std::size_t left = bytes;
  return pack(coding, [&]() -> std::string_view {
    if (!prefix.empty()) {
      const std::string_view piece = prefix.substr(0, room);
      prefix.remove_prefix(piece.size());
      return piece;
    }
    const std::size_t some = std::min(left, room);
    left -= some;
    return std::string_view(block).substr(0, some);
  });
}

std::string unfinished_chunks(std::string_view body, std::size_t piece) {
  if (piece == 0) throw std::logic_error("chunks of no bytes");
  std::string out;
  while (!body.empty()) {
    const std::string_view chunk = body.substr(0, piece);
    std::array<char, 20> size;
    const int digits = std::snprintf(size.data(), size.size(), "%zx\r\n", chunk.size());
    out.append(size.data(), static_cast<std::size_t>(digits)).append(chunk).append("\r\n");
    body.remove_prefix(chunk.size());
  }
  return out;
}

std::string chunked(std::string_view body, std::size_t piece) { return unfinished_chunks(body, piece) + "0\r\n\r\n"; }

std::string header_flood(std::size_t count, std::size_t value_bytes) {
  const std::string value = ": " + std::string(value_bytes, 'v') + "\r\n";
  std::string out;
  for (std::size_t number = 1; number <= count; ++number) out += "X-Flood-" + std::to_string(number) + value;
  return out;
}

std::string interim_flood(std::size_t count) {
  std::string out;
  for (std::size_t number = 0; number < count; ++number) out += "HTTP/1.1 100 Continue\r\n\r\n";
  return out;
}

}  // namespace robotrules::test
