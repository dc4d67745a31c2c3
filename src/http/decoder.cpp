#include "http/decoder.hpp"

#include <brotli/decode.h>
#include <malloc.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <new>

#include "base/ascii.hpp"

namespace robotrules::agent {
namespace {

constexpr std::size_t piece = std::size_t{64} * 1024;
using Room = std::array<char, piece>;

// Gzip, of any number of members, and deflate, with zlib's frame or (as some servers send it) without.
class Inflater final : public Decoder {
 public:
  explicit Inflater(bool gzip) : gzip_(gzip) { begin(gzip ? 16 + MAX_WBITS : MAX_WBITS); }
  ~Inflater() override { inflateEnd(&stream_); }

  State write(std::string_view octets, const Sink& sink) override {
    if (octets.empty()) return State::going_on;
    if (!gzip_ && !begun_ && !has_zlib_frame(octets.front())) {
      inflateEnd(&stream_);
      begin(-MAX_WBITS);
    }
    begun_ = true;
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(octets.data()));
    stream_.avail_in = static_cast<uInt>(octets.size());
    while (true) {
      if (ended_) {
        if (stream_.avail_in == 0) return State::ended;
        if (!gzip_ || *stream_.next_in != 0x1F) return State::ended;  // what is behind the end is padding
        inflateReset(&stream_);
        ended_ = false;
      }
      stream_.next_out = reinterpret_cast<Bytef*>(room_->data());
      stream_.avail_out = piece;
      const int code = inflate(&stream_, Z_NO_FLUSH);
      const std::size_t made = piece - stream_.avail_out;
      if (made > 0 && !sink({room_->data(), made})) return State::stopped;
      if (code == Z_STREAM_END) {
        ended_ = true;
        continue;
      }
      if (code == Z_BUF_ERROR || (code == Z_OK && stream_.avail_in == 0 && stream_.avail_out > 0)) {
        return State::going_on;
      }
      if (code == Z_MEM_ERROR) throw std::bad_alloc();
      if (code != Z_OK) return State::damaged;
    }
  }
  bool whole() const override { return ended_ || !begun_; }
  std::size_t memory_bytes() const override {
    constexpr std::size_t state = std::size_t{44} * 1024;  // zlib's, with the largest window
    return state + piece;
  }

 private:
  void begin(int window) {
    stream_ = {};
    if (inflateInit2(&stream_, window) != Z_OK) throw std::bad_alloc();
  }
  static bool has_zlib_frame(char first) { return (static_cast<unsigned char>(first) & 0x0F) == Z_DEFLATED; }

  z_stream stream_{};
  bool gzip_;
  bool begun_ = false;
  bool ended_ = false;
  std::unique_ptr<Room> room_ = std::make_unique_for_overwrite<Room>();
};

class Brotli final : public Decoder {
 public:
  Brotli() : state_(BrotliDecoderCreateInstance(&Brotli::take, &Brotli::give_back, &held_)) {
    if (state_ == nullptr) throw std::bad_alloc();
  }
  ~Brotli() override { BrotliDecoderDestroyInstance(state_); }

  State write(std::string_view octets, const Sink& sink) override {
    if (octets.empty()) return State::going_on;
    if (whole_) return State::ended;
    begun_ = true;
    const auto* in = reinterpret_cast<const std::uint8_t*>(octets.data());
    std::size_t left = octets.size();
    while (true) {
      auto* out = reinterpret_cast<std::uint8_t*>(room_->data());
      std::size_t room = piece;
      const auto code = BrotliDecoderDecompressStream(state_, &left, &in, &room, &out, nullptr);
      const std::size_t made = piece - room;
      if (made > 0 && !sink({room_->data(), made})) return State::stopped;
      if (code == BROTLI_DECODER_RESULT_ERROR) return State::damaged;
      if (code == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT) return State::going_on;
      if (code == BROTLI_DECODER_RESULT_SUCCESS) {
        whole_ = true;
        return State::ended;
      }
    }
  }
  bool whole() const override { return whole_ || !begun_; }
  std::size_t memory_bytes() const override { return held_ + piece; }

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
  bool begun_ = false;
  bool whole_ = false;
  std::unique_ptr<Room> room_ = std::make_unique_for_overwrite<Room>();
};

class Zstandard final : public Decoder {
 public:
  Zstandard() : stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, 23);  // RFC 9659: 8 MB for a content coding
  }
  ~Zstandard() override { ZSTD_freeDStream(stream_); }

  State write(std::string_view octets, const Sink& sink) override {
    ZSTD_inBuffer in{octets.data(), octets.size(), 0};
    while (in.pos < in.size) {
      ZSTD_outBuffer out{room_->data(), piece, 0};
      const std::size_t code = ZSTD_decompressStream(stream_, &out, &in);
      if (out.pos > 0 && !sink({room_->data(), out.pos})) return State::stopped;
      if (ZSTD_isError(code) != 0) return State::damaged;
      whole_ = code == 0;
      if (out.pos == piece) {
        if (!drain(sink)) return State::stopped;
      }
    }
    return whole_ ? State::ended : State::going_on;
  }
  bool whole() const override { return whole_; }
  std::size_t memory_bytes() const override { return ZSTD_sizeof_DStream(stream_) + piece; }

 private:
  // What it holds back because there was no room.
  bool drain(const Sink& sink) {
    ZSTD_inBuffer none{nullptr, 0, 0};
    while (true) {
      ZSTD_outBuffer out{room_->data(), piece, 0};
      const std::size_t code = ZSTD_decompressStream(stream_, &out, &none);
      if (ZSTD_isError(code) != 0) return true;  // the next octets will say so
      if (out.pos > 0) whole_ = code == 0;
      if (out.pos > 0 && !sink({room_->data(), out.pos})) return false;
      if (out.pos < piece) return true;
    }
  }

  ZSTD_DStream* stream_;
  bool whole_ = true;  // no octet at all is whole
  std::unique_ptr<Room> room_ = std::make_unique_for_overwrite<Room>();
};

class Chain final : public Decoder {
 public:
  explicit Chain(std::vector<std::unique_ptr<Decoder>> links) : links_(std::move(links)) {}
  State write(std::string_view octets, const Sink& sink) override { return write(0, octets, sink); }
  bool whole() const override {
    return std::all_of(links_.begin(), links_.end(), [](const auto& link) { return link->whole(); });
  }
  std::size_t memory_bytes() const override {
    std::size_t bytes = 0;
    for (const auto& link : links_) bytes += link->memory_bytes();
    return bytes;
  }

 private:
  State write(std::size_t link, std::string_view octets, const Sink& sink) {  // as deep as there are codings: two
    if (link + 1 == links_.size()) return links_[link]->write(octets, sink);
    State below = State::going_on;
    const State own = links_[link]->write(octets, [&](std::string_view decoded) {
      below = write(link + 1, decoded, sink);
      return below == State::going_on || below == State::ended;
    });
    return own == State::stopped ? below : own;
  }
  std::vector<std::unique_ptr<Decoder>> links_;
};

}  // namespace

Codings codings_of(const std::vector<std::string_view>& content_encoding) {
  Codings codings;
  for (const std::string_view field : content_encoding) {
    std::string_view rest = field;
    while (true) {
      const std::size_t comma = rest.find(',');
      const std::string name = base::lower_case(base::trimmed(rest.substr(0, comma)));
      if (name == "gzip" || name == "x-gzip")
        codings.names.emplace_back("gzip");
      else if (name == "deflate" || name == "br" || name == "zstd")
        codings.names.push_back(name);
      else if (!name.empty() && name != "identity")
        codings.known = false;
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
  }
  std::reverse(codings.names.begin(), codings.names.end());
  return codings;
}

std::unique_ptr<Decoder> make_decoder(std::string_view coding) {
  if (coding == "gzip") return std::make_unique<Inflater>(true);
  if (coding == "deflate") return std::make_unique<Inflater>(false);
  if (coding == "br") return std::make_unique<Brotli>();
  if (coding == "zstd") return std::make_unique<Zstandard>();
  return nullptr;
}

std::unique_ptr<Decoder> make_decoder(const std::vector<std::string>& codings) {
  if (codings.size() == 1) return make_decoder(codings.front());
  std::vector<std::unique_ptr<Decoder>> links;
  for (const std::string& coding : codings) links.push_back(make_decoder(coding));
  return std::make_unique<Chain>(std::move(links));
}

}  // namespace robotrules::agent
