// Files, pipes and standard input.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace robotrules::cli {

// The largest robots.txt that is read. A hundred times what RFC 9309 asks a crawler to read; beyond it something else
// was given by mistake.
inline constexpr std::size_t largest_file = std::size_t{64} << 20;

// A whole file, or why there is none: `error` is then a sentence that names the file and says what to do.
struct FileBytes {
  std::string bytes;
  std::string error;
  bool missing = false;  // there is no file of that name
  bool ok() const noexcept { return error.empty(); }
};

// Reads `path`; "-" is standard input, and a FIFO or /dev/stdin will do.
FileBytes read_file(const std::string& path);

// Reads the regular file `name` under the open directory; anything but a regular file is an error.
FileBytes read_file_at(int directory, const std::string& directory_name, const std::string& name);

// "standard input" for "-", else the printable path.
std::string input_name(std::string_view path);

// Lines of a descriptor, as they come.
class LineReader {
 public:
  // Lines longer than this end the reading with an error.
  static constexpr std::size_t longest_line = std::size_t{16} << 20;

  explicit LineReader(int descriptor) noexcept : descriptor_(descriptor) {}

  // The next line, without its LF or CRLF; a last line without an end counts. False at the end or after an error.
  bool next(std::string& line);
  // True where next() may have to wait for the other side.
  bool would_wait() const noexcept { return buffer_.find('\n', begin_) == std::string::npos; }
  const std::string& error() const noexcept { return error_; }

 private:
  int descriptor_;
  std::string buffer_;
  std::size_t begin_ = 0;
  bool ended_ = false;
  std::string error_;
};

}  // namespace robotrules::cli
