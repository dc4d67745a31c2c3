#include "archive/record_packer.hpp"

#include <libdeflate.h>
#include <zlib.h>
#include <zstd.h>

#include <cstddef>
#include <new>
#include <string>

namespace robotrules::archive {
namespace {

constexpr std::size_t room_bytes = std::size_t{128} * 1024;

// Calls `each` with all parts of a record, in order.
Result<void> for_each_piece(std::string_view head, const BodyView& body, std::string_view end,
                            const std::function<Result<void>(std::string_view)>& each) {
  if (auto done = each(head); !done) return done;
  if (auto done = body.for_each_piece(each); !done) return done;
  return each(end);
}

class AsItIs final : public RecordPacker {
 public:
  Result<void> pack(AppendFile& out, std::string_view head, const BodyView& body, std::string_view end) override {
    return for_each_piece(head, body, end, [&out](std::string_view piece) { return out.add(piece); });
  }
};

// Compresses a record in memory at once with libdeflate, three times as fast as zlib, and a longer one piece by piece
// with zlib.
class Gzip final : public RecordPacker {
 public:
  explicit Gzip(int level) : level_(level), compressor_(libdeflate_alloc_compressor(level)) {
    if (compressor_ == nullptr) throw std::bad_alloc();
  }
  ~Gzip() override { libdeflate_free_compressor(compressor_); }

  Result<void> pack(AppendFile& out, std::string_view head, const BodyView& body, std::string_view end) override {
    if (!body.is_in_memory()) return pack_pieces(out, head, body, end);
    record_.clear();
    record_.reserve(head.size() + body.in_memory().size() + end.size());
    record_.append(head).append(body.in_memory()).append(end);
    packed_.resize(libdeflate_gzip_compress_bound(compressor_, record_.size()));
    const std::size_t size =
        libdeflate_gzip_compress(compressor_, record_.data(), record_.size(), packed_.data(), packed_.size());
    auto done = out.add(std::string_view(packed_).substr(0, size));
    if (record_.capacity() > max_kept) {
      std::string().swap(record_);
      std::string().swap(packed_);
    }
    return done;
  }

 private:
  // zlib's state for one member.
  struct Deflate {
    explicit Deflate(int level) {
      constexpr int gzip = 16;
      constexpr int memory_level = 8;  // the default of zlib
      if (deflateInit2(&stream, level, Z_DEFLATED, gzip + MAX_WBITS, memory_level, Z_DEFAULT_STRATEGY) != Z_OK) {
        throw std::bad_alloc();
      }
    }
    ~Deflate() { deflateEnd(&stream); }
    Deflate(const Deflate&) = delete;
    Deflate& operator=(const Deflate&) = delete;
    z_stream stream{};
  };

  Result<void> pack_pieces(AppendFile& out, std::string_view head, const BodyView& body, std::string_view end) {
    Deflate member(level_);
    packed_.resize(room_bytes);
    const auto step = [&](std::string_view piece, int flush) -> Result<void> {
      z_stream& stream = member.stream;
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
      stream.avail_in = static_cast<uInt>(piece.size());
      do {
        stream.next_out = reinterpret_cast<Bytef*>(packed_.data());
        stream.avail_out = static_cast<uInt>(packed_.size());
        deflate(&stream, flush);  // cannot fail with output space and a valid state
        if (auto done = out.add(std::string_view(packed_).substr(0, packed_.size() - stream.avail_out)); !done) {
          return done;
        }
      } while (stream.avail_out == 0);
      return {};
    };
    auto done = for_each_piece(head, body, end, [&](std::string_view piece) { return step(piece, Z_NO_FLUSH); });
    return done ? step({}, Z_FINISH) : done;
  }

  static constexpr std::size_t max_kept = std::size_t{1} << 20;
  int level_;
  libdeflate_compressor* compressor_;
  std::string record_;
  std::string packed_;
};

class Zstd final : public RecordPacker {
 public:
  explicit Zstd(int level) : context_(ZSTD_createCCtx()) {
    if (context_ == nullptr) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(context_, ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(context_, ZSTD_c_checksumFlag, 1);
    room_.resize(room_bytes);
  }
  ~Zstd() override { ZSTD_freeCCtx(context_); }

  Result<void> pack(AppendFile& out, std::string_view head, const BodyView& body, std::string_view end) override {
    ZSTD_CCtx_reset(context_, ZSTD_reset_session_only);
    ZSTD_CCtx_setPledgedSrcSize(context_, head.size() + body.size() + end.size());
    auto done = for_each_piece(head, body, end, [&](std::string_view piece) -> Result<void> {
      ZSTD_inBuffer from{piece.data(), piece.size(), 0};
      while (from.pos < from.size) {
        if (auto stepped = step(out, from, ZSTD_e_continue); !stepped) return stepped.error();
      }
      return {};
    });
    if (!done) return done;
    ZSTD_inBuffer nothing{nullptr, 0, 0};
    while (true) {
      const auto left = step(out, nothing, ZSTD_e_end);
      if (!left) return left.error();
      if (left.value() == 0) return {};
    }
  }

 private:
  // Returns how much libzstd still holds.
  Result<std::size_t> step(AppendFile& out, ZSTD_inBuffer& from, ZSTD_EndDirective what) {
    ZSTD_outBuffer to{room_.data(), room_.size(), 0};
    const std::size_t left = ZSTD_compressStream2(context_, &to, &from, what);
    if (ZSTD_isError(left) != 0) throw std::bad_alloc();  // it fails only without memory, because there is output space
    if (auto done = out.add(std::string_view(room_).substr(0, to.pos)); !done) return done.error();
    return left;
  }
  ZSTD_CCtx* context_;
  std::string room_;
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

}  // namespace robotrules::archive
