// Files, pipes and standard input.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace robotrules::cli {

// The largest file that is read: a hundred times the minimum that RFC 9309 requires of crawlers. A larger file was
// probably given by mistake.
inline constexpr std::size_t max_file_bytes = std::size_t{64} << 20;

// A whole file, or an error: a sentence that names the file and says what to do.
struct FileBytes {
  std::string bytes;
  std::string error;
  bool missing = false;  // the file does not exist
  bool ok() const noexcept { return error.empty(); }
};

// Reads `path`; "-" is standard input. A FIFO or /dev/stdin works too.
FileBytes read_file(const std::string& path);

// Reads the file `name` in the open directory. Fails if it is not a regular file.
FileBytes read_file_at(int directory, const std::string& directory_name, const std::string& name);

// Returns "standard input" for "-", else the printable path.
std::string input_name(std::string_view path);

// Reads the lines of a descriptor as they arrive.
class LineReader {
 public:
  // A longer line ends the reading with an error.
  static constexpr std::size_t max_line_bytes = std::size_t{16} << 20;

  explicit LineReader(int descriptor) noexcept : descriptor_(descriptor) {}

  // Reads the next line, without its LF or CRLF; the last line may have no line end. Returns false at the end or after
  // an error.
  bool next(std::string& line);
  // Returns true if next() may have to wait for input.
  bool would_wait() const noexcept { return buffer_.find('\n', begin_) == std::string::npos; }
  const std::string& error() const noexcept { return error_; }

 private:
  int descriptor_;
  std::string buffer_;
  std::size_t begin_ = 0;
  bool ended_ = false;
  std::string error_;
};

// Replaces the bytes of a regular file, so that it is never half written; it keeps its mode and, if the process may
// give it away, its owner. If `path` is a symbolic link, its target is replaced. The new file has an unpredictable name
// in the same folder until it is on the disk; no link that another user has put there is followed. Returns a sentence
// without the name if this fails, and then the file is as it was.
std::string replace_file(const std::string& path, std::string_view bytes);

}  // namespace robotrules::cli
