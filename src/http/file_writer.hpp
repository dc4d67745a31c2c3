// A file that is there whole or not at all.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <robotrules/store.hpp>

namespace robotrules::agent {

// New files have mode 0600.
enum class FileMode {
  kept,    // one that is replaced keeps its own
  secret,  // 0600 whatever was there
};

// Writes beside `path` and moves the file there at the end; left unfinished, nothing of it stays.
class FileWriter {
 public:
  explicit FileWriter(std::string path, FileMode mode = FileMode::kept);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  // False where it can't be written; sentence() says why.
  bool write(std::string_view octets);
  bool finish(std::optional<Timestamp> modified = std::nullopt);
  // An extended attribute of the file (mirror.hpp); a file system without them keeps none. Empty: none.
  void note(const std::string& text);
  const std::string& sentence() const noexcept { return sentence_; }

 private:
  bool fail(const char* what);
  std::string path_;
  std::string beside_;
  int file_ = -1;
  std::string sentence_;
};

}  // namespace robotrules::agent
