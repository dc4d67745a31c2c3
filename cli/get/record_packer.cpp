#include "cli/get/record_packer.hpp"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstddef>
#include <new>

namespace robotrules::cli {
namespace {

constexpr std::size_t most_at_once = std::size_t{1} << 30;  // zlib counts in 32 bits

std::size_t size_of(std::initializer_list<std::string_view> pieces) {
  std::size_t size = 0;
  for (const std::string_view piece : pieces) size += piece.size();
  return size;
}

class AsItIs final : public RecordPacker {
 public:
  void pack(std::string& out, std::initializer_list<std::string_view> pieces) override {
    out.reserve(out.size() + size_of(pieces));
    for (const std::string_view piece : pieces) out += piece;
  }
};

class Gzip final : public RecordPacker {
 public:
  explicit Gzip(int level) {
    if (deflateInit2(&stream_, level, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  ~Gzip() override { deflateEnd(&stream_); }

  void pack(std::string& out, std::initializer_list<std::string_view> pieces) override {
    deflateReset(&stream_);
    std::size_t filled = out.size();
    out.resize(filled + deflateBound(&stream_, size_of(pieces)));
    const auto deflate_into = [&](int flush) {
      int code = Z_OK;
      do {
        if (filled == out.size()) out.resize(filled + (std::size_t{64} << 10));
        const std::size_t room = std::min(out.size() - filled, most_at_once);
        stream_.next_out = reinterpret_cast<Bytef*>(out.data() + filled);
        stream_.avail_out = static_cast<uInt>(room);
        code = deflate(&stream_, flush);
        filled += room - stream_.avail_out;
      } while (stream_.avail_in > 0 || (flush == Z_FINISH && code == Z_OK));
    };
    for (std::string_view piece : pieces) {
      while (!piece.empty()) {
        const std::string_view part = piece.substr(0, most_at_once);
        stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(part.data()));
        stream_.avail_in = static_cast<uInt>(part.size());
        deflate_into(Z_NO_FLUSH);
        piece.remove_prefix(part.size());
      }
    }
    deflate_into(Z_FINISH);
    out.resize(filled);
  }

 private:
  z_stream stream_{};
};

class Zstd final : public RecordPacker {
 public:
  explicit Zstd(int level) : context_(ZSTD_createCCtx()) {
    if (context_ == nullptr) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(context_, ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(context_, ZSTD_c_checksumFlag, 1);
  }
  ~Zstd() override { ZSTD_freeCCtx(context_); }

  void pack(std::string& out, std::initializer_list<std::string_view> pieces) override {
    const std::size_t size = size_of(pieces);
    ZSTD_CCtx_reset(context_, ZSTD_reset_session_only);
    ZSTD_CCtx_setPledgedSrcSize(context_, size);
    const std::size_t before = out.size();
    out.resize(before + ZSTD_compressBound(size) + 64);
    ZSTD_outBuffer to{out.data() + before, out.size() - before, 0};
    for (const std::string_view piece : pieces) {
      ZSTD_inBuffer from{piece.data(), piece.size(), 0};
      while (from.pos < from.size) step(to, from, ZSTD_e_continue);
    }
    ZSTD_inBuffer nothing{nullptr, 0, 0};
    while (step(to, nothing, ZSTD_e_end) != 0) {
    }
    out.resize(before + to.pos);
  }

 private:
  std::size_t step(ZSTD_outBuffer& to, ZSTD_inBuffer& from, ZSTD_EndDirective what) {
    const std::size_t left = ZSTD_compressStream2(context_, &to, &from, what);
    if (ZSTD_isError(left) != 0) throw std::bad_alloc();  // its only way to fail: there is room for all of it
    return left;
  }
  ZSTD_CCtx* context_;
};

}  // namespace

std::unique_ptr<RecordPacker> make_packer(Packing packing, int level) {
  switch (packing) {
    case Packing::gzip: return std::make_unique<Gzip>(level);
    case Packing::zstd: return std::make_unique<Zstd>(level);
    case Packing::none: break;
  }
  return std::make_unique<AsItIs>();
}

}  // namespace robotrules::cli
