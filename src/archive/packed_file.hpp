// Octets of a file that is packed member by member, with the places where its members end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <robotrules/result.hpp>

#include <robotrules/page_output.hpp>

namespace robotrules::archive {

// Damage is an end: what stands behind it is not read. Thread rule: one thread at a time.
class PackedFile {
 public:
  // From `from` on, which must be the beginning of a member. Error "output-failed".
  static Result<std::unique_ptr<PackedFile>> open(const std::string& path, Packing packing, std::uint64_t from);
  virtual ~PackedFile();
  PackedFile(const PackedFile&) = delete;
  PackedFile& operator=(const PackedFile&) = delete;

  // The next octet; -1 at the end.
  int next() { return at_ < filled_ || fill() ? static_cast<unsigned char>(plain_[at_++]) : -1; }
  // False where there are not so many. `into`: they are appended; null: passed over.
  bool take(std::uint64_t count, std::string* into);
  // Where in the file the member ends that the last octet was in (of a plain file: that octet itself); null where
  // others of its octets are still to come, or where it is not whole.
  std::optional<std::uint64_t> boundary();
  // Where the file could not be read: an errno; else 0.
  int error() const noexcept { return error_; }

 protected:
  PackedFile(int file, Packing packing, std::uint64_t from);
  struct Step {
    std::size_t used = 0;
    std::size_t made = 0;
    bool ended = false;  // a member
    bool damaged = false;
  };
  // One step of unpacking.
  virtual Step unpack(const char* from, std::size_t size, char* to, std::size_t room) = 0;

 private:
  bool fill();
  bool step();

  int file_;
  Packing packing_;
  std::vector<char> packed_;
  std::size_t packed_at_ = 0;
  std::size_t packed_filled_ = 0;
  std::uint64_t offset_;  // of packed_[packed_at_] in the file
  std::vector<char> plain_;
  std::size_t at_ = 0;
  std::size_t filled_ = 0;
  bool in_member_ = false;    // behind plain_[filled_] it goes on
  std::uint64_t member_end_;  // of the last that is whole
  bool ended_ = false;
  int error_ = 0;
};

}  // namespace robotrules::archive
