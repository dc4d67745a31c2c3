// A reader for files that are packed member by member. It tells where the members end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/page_output.hpp>

#include "codec/decompressor.hpp"

namespace robotrules::archive {

// Damage ends the file: the bytes after it are not read. In a gzip file, bytes after a member that do not begin another
// one end it too. Thread rule: one thread at a time.
class PackedFile {
 public:
  // Opens a file at `from`, which must be the beginning of a member. Fails with "output-failed".
  static Result<std::unique_ptr<PackedFile>> open(const std::string& path, Packing packing, std::uint64_t from);
  // Opens a file whose first bytes tell how it is packed. It may be a pipe. Fails with "output-failed".
  static Result<std::unique_ptr<PackedFile>> open_any(const std::string& path);
  ~PackedFile();
  PackedFile(const PackedFile&) = delete;
  PackedFile& operator=(const PackedFile&) = delete;

  // Returns the next byte; -1 at the end.
  int next() { return at_ < filled_ || fill() ? static_cast<unsigned char>(plain_[at_++]) : -1; }
  // Appends the next `count` bytes to `into`, or skips them if it is null. Returns false if there are fewer.
  bool take(std::uint64_t count, std::string* into);
  // Returns the offset past the member that contained the last byte (in a plain file: past that byte); null while that
  // member is incomplete.
  std::optional<std::uint64_t> boundary();
  // Returns how much of the file, as it is stored, has been used.
  std::uint64_t packed_bytes_used() const noexcept { return offset_; }
  // Returns the errno with which reading the file failed; else 0.
  int error() const noexcept { return error_; }
  // Returns why the file ended too early: that error, damage or a member without an end; empty if it did not.
  std::string fault() const;

 private:
  PackedFile(int file, Packing packing, std::uint64_t from);
  void set_packing(Packing packing);
  // Returns the next bytes before they are unpacked: `count`, or fewer at the end of the file.
  std::string_view next_packed(std::size_t count);
  bool fill();
  bool step();
  bool read_more();
  codec::Step unpack();
  std::string_view packed() const noexcept { return {packed_.data() + packed_at_, packed_filled_ - packed_at_}; }

  int file_;
  Packing packing_;
  std::unique_ptr<codec::Decompressor> decompressor_;  // null: the file is not packed
  std::vector<char> packed_;
  std::size_t packed_at_ = 0;
  std::size_t packed_filled_ = 0;
  std::uint64_t offset_;     // of packed_[packed_at_] in the file
  std::vector<char> plain_;  // as large as packed_
  std::size_t at_ = 0;
  std::size_t filled_ = 0;
  bool in_member_ = false;    // the member of plain_[filled_ - 1] has not ended
  std::uint64_t member_end_;  // offset past the last complete member
  bool ended_ = false;
  int error_ = 0;
  const char* damage_ = nullptr;
};

}  // namespace robotrules::archive
