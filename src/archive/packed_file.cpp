#include "archive/packed_file.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <algorithm>
#include <cerrno>
#include <new>

#include "archive/append_file.hpp"

namespace robotrules::archive {
namespace {

constexpr std::size_t piece = std::size_t{64} << 10;

}  // namespace

class PlainFile final : public PackedFile {
 public:
  PlainFile(int file, std::uint64_t from) : PackedFile(file, Packing::none, from) {}
  Step unpack(const char* from, std::size_t size, char* to, std::size_t room) override {
    const std::size_t count = std::min(size, room);
    std::copy_n(from, count, to);
    return {count, count, false, false};
  }
};

class GzipFile final : public PackedFile {
 public:
  GzipFile(int file, std::uint64_t from) : PackedFile(file, Packing::gzip, from) {
    if (inflateInit2(&stream_, MAX_WBITS + 16) != Z_OK) throw std::bad_alloc();
  }
  ~GzipFile() override { inflateEnd(&stream_); }
  Step unpack(const char* from, std::size_t size, char* to, std::size_t room) override {
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(from));
    stream_.avail_in = static_cast<uInt>(size);
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(room);
    const int code = inflate(&stream_, Z_NO_FLUSH);
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    const bool ended = code == Z_STREAM_END;
    if (ended) inflateReset(&stream_);
    return {size - stream_.avail_in, room - stream_.avail_out, ended, !ended && code != Z_OK && code != Z_BUF_ERROR};
  }

 private:
  z_stream stream_{};
};

class ZstdFile final : public PackedFile {
 public:
  ZstdFile(int file, std::uint64_t from) : PackedFile(file, Packing::zstd, from), context_(ZSTD_createDCtx()) {
    if (context_ == nullptr) throw std::bad_alloc();
  }
  ~ZstdFile() override { ZSTD_freeDCtx(context_); }
  Step unpack(const char* from, std::size_t size, char* to, std::size_t room) override {
    ZSTD_inBuffer in{from, size, 0};
    ZSTD_outBuffer out{to, room, 0};
    const std::size_t left = ZSTD_decompressStream(context_, &out, &in);
    if (ZSTD_isError(left) != 0) return {0, 0, false, true};
    return {in.pos, out.pos, left == 0, false};
  }

 private:
  ZSTD_DCtx* context_;
};

Result<std::unique_ptr<PackedFile>> PackedFile::open(const std::string& path, Packing packing, std::uint64_t from) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return output_error(path, "can't be opened", errno);
  switch (packing) {
    case Packing::gzip: return std::unique_ptr<PackedFile>(std::make_unique<GzipFile>(file, from));
    case Packing::zstd: return std::unique_ptr<PackedFile>(std::make_unique<ZstdFile>(file, from));
    case Packing::none: break;
  }
  return std::unique_ptr<PackedFile>(std::make_unique<PlainFile>(file, from));
}

PackedFile::PackedFile(int file, Packing packing, std::uint64_t from)
    : file_(file), packing_(packing), packed_(piece), offset_(from), plain_(piece), member_end_(from) {}

PackedFile::~PackedFile() { close(file_); }

// Makes some more, or ends a member; false where neither is to be had. What was made before must have been taken.
bool PackedFile::step() {
  if (ended_) return false;
  at_ = filled_ = 0;
  while (true) {
    const Step made = unpack(packed_.data() + packed_at_, packed_filled_ - packed_at_, plain_.data(), plain_.size());
    packed_at_ += made.used;
    offset_ += made.used;
    filled_ = made.made;
    if (made.damaged) break;
    const bool moved = made.used > 0 || made.made > 0;
    if (made.ended && moved) member_end_ = offset_;
    if (moved) in_member_ = !made.ended;
    if (made.made > 0 || (made.ended && moved)) return true;
    if (packed_at_ < packed_filled_) {
      if (made.used == 0) break;
      continue;
    }
    const ssize_t count = pread(file_, packed_.data(), packed_.size(), static_cast<off_t>(offset_));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) error_ = errno;
    if (count <= 0) break;
    packed_at_ = 0;
    packed_filled_ = static_cast<std::size_t>(count);
  }
  filled_ = 0;
  ended_ = true;
  return false;
}

bool PackedFile::fill() {
  while (at_ == filled_) {
    if (!step()) return false;
  }
  return true;
}

std::optional<std::uint64_t> PackedFile::boundary() {
  if (packing_ == Packing::none) return offset_ - (filled_ - at_);
  while (in_member_ && at_ == filled_) {
    if (!step()) return std::nullopt;  // its check, which makes nothing, is still to come
  }
  return at_ == filled_ ? std::optional(member_end_) : std::nullopt;
}

bool PackedFile::take(std::uint64_t count, std::string* into) {
  while (count > 0) {
    if (at_ == filled_ && !fill()) return false;
    const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(count, filled_ - at_));
    if (into != nullptr) into->append(plain_.data() + at_, part);
    at_ += part;
    count -= part;
  }
  return true;
}

}  // namespace robotrules::archive
