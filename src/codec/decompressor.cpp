#include "codec/decompressor.hpp"

#include <brotli/decode.h>
#include <malloc.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>

namespace robotrules::codec {
namespace {

uInt zlib_size(std::size_t size) {
  return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}

class Inflater final : public Decompressor {
 public:
  explicit Inflater(Format format) : format_(format) {
    if (inflateInit2(&stream_, format == Format::gzip ? 16 + MAX_WBITS : MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() override { inflateEnd(&stream_); }

  Step step(std::string_view input, std::span<char> output) override {
    if (ended_ && format_ == Format::gzip) inflateReset(&stream_);
    if (!begun_ && !input.empty()) {
      begun_ = true;
      if (format_ == Format::deflate && !has_zlib_frame(input.front())) inflateReset2(&stream_, -MAX_WBITS);
    }
    // inflate() does not write to its input.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    stream_.next_out = reinterpret_cast<Bytef*>(output.data());
    const uInt in = stream_.avail_in = zlib_size(input.size());
    const uInt room = stream_.avail_out = zlib_size(output.size());
    const int code = inflate(&stream_, Z_NO_FLUSH);
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    ended_ = code == Z_STREAM_END;
    Step step{.used = in - stream_.avail_in, .made = room - stream_.avail_out, .ended = ended_};
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
      step.damage = stream_.msg != nullptr ? stream_.msg : "compressed data error";
    }
    return step;
  }
  std::size_t memory_bytes() const override { return std::size_t{44} * 1024; }  // zlib's state with its window

 private:
  static bool has_zlib_frame(char first) { return (static_cast<unsigned char>(first) & 0x0F) == Z_DEFLATED; }

  z_stream stream_{};
  Format format_;
  bool begun_ = false;
  bool ended_ = false;
};

class Brotli final : public Decompressor {
 public:
  Brotli() : state_(BrotliDecoderCreateInstance(&Brotli::take, &Brotli::give_back, &held_)) {
    if (state_ == nullptr) throw std::bad_alloc();
  }
  ~Brotli() override { BrotliDecoderDestroyInstance(state_); }

  Step step(std::string_view input, std::span<char> output) override {
    const auto* in = reinterpret_cast<const std::uint8_t*>(input.data());
    auto* out = reinterpret_cast<std::uint8_t*>(output.data());
    std::size_t left = input.size();
    std::size_t room = output.size();
    const auto result = BrotliDecoderDecompressStream(state_, &left, &in, &room, &out, nullptr);
    Step step{
        .used = input.size() - left, .made = output.size() - room, .ended = result == BROTLI_DECODER_RESULT_SUCCESS};
    if (result == BROTLI_DECODER_RESULT_ERROR) {
      const auto code = BrotliDecoderGetErrorCode(state_);
      if (code <= BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES && code >= BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES) {
        throw std::bad_alloc();
      }
      step.damage = BrotliDecoderErrorString(code);
    }
    return step;
  }
  std::size_t memory_bytes() const override { return held_; }

 private:
  static void* take(void* held, std::size_t size) {
    void* block = std::malloc(size);
    if (block != nullptr) *static_cast<std::size_t*>(held) += malloc_usable_size(block);
    return block;
  }
  static void give_back(void* held, void* block) {
    *static_cast<std::size_t*>(held) -= malloc_usable_size(block);
    std::free(block);
  }

  std::size_t held_ = 0;  // before the state, which allocates
  BrotliDecoderState* state_;
};

class Zstandard final : public Decompressor {
 public:
  explicit Zstandard(const Limits& limits) : stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, limits.max_zstd_window_log);
  }
  ~Zstandard() override { ZSTD_freeDStream(stream_); }

  Step step(std::string_view input, std::span<char> output) override {
    ZSTD_inBuffer in{input.data(), input.size(), 0};
    ZSTD_outBuffer out{output.data(), output.size(), 0};
    const std::size_t code = ZSTD_decompressStream(stream_, &out, &in);
    if (ZSTD_isError(code) != 0) {
      if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation) throw std::bad_alloc();
      return {.damage = ZSTD_getErrorName(code)};
    }
    return {.used = in.pos, .made = out.pos, .ended = code == 0};
  }
  std::size_t memory_bytes() const override { return ZSTD_sizeof_DStream(stream_); }

 private:
  ZSTD_DStream* stream_;
};

}  // namespace

std::optional<Format> format_of(std::string_view first_bytes) noexcept {
  if (first_bytes.starts_with("\x1F\x8B")) return Format::gzip;
  if (first_bytes.starts_with("\x28\xB5\x2F\xFD")) return Format::zstd;
  // A skippable frame, with which some programs begin their zstd files.
  const bool skippable =
      first_bytes.size() >= 4 && first_bytes.substr(1, 3) == "\x2A\x4D\x18" && (first_bytes[0] & 0xF0) == 0x50;
  return skippable ? std::optional(Format::zstd) : std::nullopt;
}

bool can_decode(Format) noexcept { return true; }

std::unique_ptr<Decompressor> make_decompressor(Format format, const Limits& limits) {
  if (format == Format::zstd) return std::make_unique<Zstandard>(limits);
  if (format == Format::brotli) return std::make_unique<Brotli>();
  return std::make_unique<Inflater>(format);
}

}  // namespace robotrules::codec
