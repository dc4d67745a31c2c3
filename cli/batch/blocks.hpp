// The input of batch, cut into blocks of whole lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace robotrules::cli {

// Whole lines, and behind them the padding that the parser may read.
class Block {
 public:
  std::string_view text() const noexcept { return {bytes_.get(), size_}; }
  std::uint64_t first_line() const noexcept { return first_line_; }  // number of its first line, from 1
  bool too_long() const noexcept { return too_long_; }               // one line that was too long to be kept; no text

  std::string answers;    // filled by who works on it
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

// Hands on what one read() brought as soon as it holds a whole line: a slow writer gets its answers at once.
class BlockReader {
 public:
  BlockReader(int descriptor, std::size_t longest_line) noexcept
      : descriptor_(descriptor), longest_line_(longest_line) {}

  // The next lines; false at the end of the input or after an error. A last line without a line end counts.
  bool next(Block& block);
  const std::string& error() const noexcept { return error_; }
  std::uint64_t lines() const noexcept { return lines_; }  // read so far

 private:
  bool skip_rest_of_line();
  std::size_t read_into(char* bytes, std::size_t size);  // 0 at the end and after an error
  void finish(Block& block, std::size_t size);

  int descriptor_;
  std::size_t longest_line_;
  std::uint64_t lines_ = 0;
  std::string carried_;    // the beginning of a line whose end has not come yet
  bool skipping_ = false;  // inside a line that is too long
  std::string error_;
};

}  // namespace robotrules::cli
