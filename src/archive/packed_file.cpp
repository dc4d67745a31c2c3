#include "archive/packed_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "archive/append_file.hpp"

namespace robotrules::archive {
namespace {

constexpr std::size_t buffer_size = std::size_t{64} << 10;

std::unique_ptr<codec::Decompressor> decompressor_for(Packing packing) {
  switch (packing) {
    case Packing::gzip: return codec::make_decompressor(codec::Format::gzip);
    case Packing::zstd: return codec::make_decompressor(codec::Format::zstd);
    case Packing::none: break;
  }
  return nullptr;
}

}  // namespace

Result<std::unique_ptr<PackedFile>> PackedFile::open(const std::string& path, Packing packing, std::uint64_t from) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return output_error(path, "cannot be opened", errno);
  auto opened = std::unique_ptr<PackedFile>(new PackedFile(file, packing, from));
  if (from > 0 && lseek(file, static_cast<off_t>(from), SEEK_SET) < 0) {
    return output_error(path, "cannot be read", errno);
  }
  return opened;
}

Result<std::unique_ptr<PackedFile>> PackedFile::open_any(const std::string& path) {
  auto opened = open(path, Packing::none, 0);
  if (!opened) return opened;
  const auto format = codec::format_of(opened.value()->next_packed(codec::max_magic_size));
  if (format == codec::Format::gzip) opened.value()->set_packing(Packing::gzip);
  if (format == codec::Format::zstd) opened.value()->set_packing(Packing::zstd);
  return opened;
}

PackedFile::PackedFile(int file, Packing packing, std::uint64_t from)
    : file_(file),
      packing_(packing),
      decompressor_(decompressor_for(packing)),
      packed_(buffer_size),
      offset_(from),
      plain_(buffer_size),
      member_end_(from) {}

PackedFile::~PackedFile() { close(file_); }

std::string PackedFile::fault() const {
  if (error_ != 0) return std::generic_category().message(error_);
  return damage_ != nullptr ? damage_ : "";
}

void PackedFile::set_packing(Packing packing) {
  packing_ = packing;
  decompressor_ = decompressor_for(packing);
}

std::string_view PackedFile::next_packed(std::size_t count) {
  while (packed().size() < count && read_more()) {
  }
  return packed().substr(0, count);
}

bool PackedFile::read_more() {
  const std::string_view left = packed();
  std::copy(left.begin(), left.end(), packed_.begin());
  packed_at_ = 0;
  packed_filled_ = left.size();
  ssize_t count = 0;
  do {
    count = read(file_, packed_.data() + packed_filled_, packed_.size() - packed_filled_);
  } while (count < 0 && errno == EINTR);
  if (count < 0) error_ = errno;
  if (count <= 0) return false;
  packed_filled_ += static_cast<std::size_t>(count);
  return true;
}

codec::Step PackedFile::unpack() {
  if (decompressor_ != nullptr) return decompressor_->step(packed(), plain_);
  const std::string_view all = packed();
  std::copy(all.begin(), all.end(), plain_.begin());
  return {.used = all.size(), .made = all.size()};
}

// Makes more plain bytes, or reaches the end of a member. Returns false at the end of the file. Precondition: the bytes
// made before were taken.
bool PackedFile::step() {
  at_ = filled_ = 0;
  while (!ended_) {
    if (packing_ == Packing::gzip && !in_member_ &&
        codec::format_of(next_packed(codec::max_magic_size)) != codec::Format::gzip) {
      break;
    }
    const codec::Step made = unpack();
    packed_at_ += made.used;
    offset_ += made.used;
    damage_ = made.damage;
    if (damage_ != nullptr) break;
    const bool moved = made.used > 0 || made.made > 0;
    if (moved) in_member_ = !made.ended;
    if (moved && made.ended) member_end_ = offset_;
    if (made.made > 0 || (moved && made.ended)) {
      filled_ = made.made;
      return true;
    }
    if (!packed().empty()) {
      if (!moved) break;
    } else if (!read_more()) {
      if (in_member_ && decompressor_ != nullptr) damage_ = "unexpected end of file";
      break;
    }
  }
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
    if (!step()) return std::nullopt;  // the checksum after the last byte has not been read yet
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
