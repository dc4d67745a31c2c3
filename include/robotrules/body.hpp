// Bodies that may be too long for memory: the beginning is in memory, the rest is in a temporary file.
//
//     const robotrules::BodyView body = response.whole_body();
//     auto done = body.for_each_piece([&](std::string_view piece) { return write(piece); });  // a Result<void>
//     if (!done) std::cerr << done.error().message << '\n';
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <robotrules/result.hpp>

namespace robotrules {

namespace agent {
class MemoryHold;  // counts the memory of a response against its agent's limit
}

// A temporary file without a name: it is gone when the last owner lets go of it.
// Thread rule: read() may be called from any thread once nothing is appended any more.
class SpoolFile {
 public:
  // Error "spool-failed": the file can't be made, written or read.
  static Result<std::shared_ptr<SpoolFile>> make(const std::string& folder);
  ~SpoolFile();
  SpoolFile(const SpoolFile&) = delete;
  SpoolFile& operator=(const SpoolFile&) = delete;

  Result<void> append(std::string_view bytes);
  std::uint64_t size() const noexcept { return size_; }
  // Reads up to `room` bytes from `offset` on into `to`; returns how many, 0 at the end.
  Result<std::size_t> read(std::uint64_t offset, char* to, std::size_t room) const;

 private:
  SpoolFile(std::string folder, int file) : folder_(std::move(folder)), file_(file) {}
  std::string folder_;
  int file_;
  std::uint64_t size_ = 0;
};

// All of a body. It looks into the response that it came from, which must outlive it.
class BodyView {
 public:
  BodyView() = default;
  explicit BodyView(std::string_view in_memory, const SpoolFile* rest = nullptr) noexcept
      : in_memory_(in_memory), rest_(rest) {}

  std::uint64_t size() const noexcept { return in_memory_.size() + (rest_ != nullptr ? rest_->size() : 0); }
  // The beginning: all of it where is_in_memory().
  std::string_view in_memory() const noexcept { return in_memory_; }
  bool is_in_memory() const noexcept { return rest_ == nullptr; }
  // Calls `each` with one piece after the other, the part in memory first and then at most 64 KiB at once. An error of
  // `each` ends it and is returned. Error "spool-failed" where the file can't be read.
  Result<void> for_each_piece(const std::function<Result<void>(std::string_view piece)>& each) const;
  // All of it in one string.
  Result<std::string> text() const;

 private:
  std::string_view in_memory_;
  const SpoolFile* rest_ = nullptr;
};

}  // namespace robotrules
