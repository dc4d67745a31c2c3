// A file that is written completely or not at all.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <robotrules/store.hpp>

namespace robotrules::agent {

// The mode of the written file. New files have mode 0600.
enum class FileMode {
  kept,    // a replaced file keeps its mode
  secret,  // 0600 in all cases
};

// Writes a file next to `path`; finish() renames it to `path`. Without finish() it is deleted.
class FileWriter {
 public:
  explicit FileWriter(std::string path, FileMode mode = FileMode::kept);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  // Both return false if the file cannot be written; sentence() says why.
  bool write(std::string_view bytes);
  bool finish(std::optional<Timestamp> modified = std::nullopt);
  // Sets the extended attribute of mirrored files (mirror.hpp). Does nothing for an empty text or if the file system
  // has no such attributes.
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
