// The input of batch, split into blocks of whole lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace robotrules::cli {

// Whole lines, followed by the padding that the parser may read.
class Block {
 public:
  std::string_view text() const noexcept { return {bytes_.get(), size_}; }
  std::uint64_t first_line() const noexcept { return first_line_; }  // number of its first line, from 1
  bool too_long() const noexcept { return too_long_; }  // true for a line that was too long; the block has no text then

  std::string answers;    // set by the worker
  std::uint64_t bad = 0;  // error lines among them
  bool done = false;

 private:
  friend class BlockReader;
  void clear() noexcept;
  void reserve(std::size_t size);  // keeps the text

  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
  std::uint64_t first_line_ = 0;
  bool too_long_ = false;
};

// Reads blocks. A block is complete as soon as one read() brings a whole line, so a slow writer gets answers at once.
class BlockReader {
 public:
  BlockReader(int descriptor, std::size_t max_line_bytes) noexcept
      : descriptor_(descriptor), max_line_bytes_(max_line_bytes) {}

  // Reads the next lines, also a last line without a line end. Returns false at the end of the input or after an error.
  bool next(Block& block);
  const std::string& error() const noexcept { return error_; }
  std::uint64_t lines() const noexcept { return lines_; }  // read so far

 private:
  bool skip_rest_of_line();
  std::size_t read_into(char* bytes, std::size_t size);  // returns 0 at the end and after an error
  void finish(Block& block, std::size_t size);

  int descriptor_;
  std::size_t max_line_bytes_;
  std::uint64_t lines_ = 0;
  std::string carried_;    // the beginning of an incomplete line
  bool skipping_ = false;  // inside a line that is too long
  std::string error_;
};

}  // namespace robotrules::cli
