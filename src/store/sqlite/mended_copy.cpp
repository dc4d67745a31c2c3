#include "store/sqlite/mended_copy.hpp"

#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

namespace robotrules::store {
namespace {

namespace fs = std::filesystem;

// The schema format, https://www.sqlite.org/fileformat.html section 1.3: 1 to 4 are known, and 0 is the format of a
// database without tables. It is the last of four bytes; SQLite ignores the other three.
constexpr std::streamoff format_offset = 47;
constexpr char format_of_stores = 4;

bool has_known_format(std::istream& file) {
  char format = 0;
  file.seekg(format_offset);
  if (!file.get(format)) return true;  // the file is too short for a header
  return format >= 0 && format <= format_of_stores;
}

}  // namespace

std::optional<MendedCopy> MendedCopy::of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || has_known_format(file)) return std::nullopt;
  MendedCopy copy(path + ".mended");
  std::error_code failed;
  if (!fs::copy_file(path, copy.path_, failed)) {
    copy.path_.clear();  // so that the destructor deletes no file that was there before
    return std::nullopt;
  }
  fs::copy_file(path + "-wal", copy.path_ + "-wal", failed);  // the log may not exist
  std::fstream mended(copy.path_, std::ios::binary | std::ios::in | std::ios::out);
  mended.seekp(format_offset);
  mended.put(format_of_stores);
  mended.flush();
  return mended ? std::optional(std::move(copy)) : std::nullopt;
}

MendedCopy::MendedCopy(MendedCopy&& other) noexcept : path_(std::exchange(other.path_, {})) {}

MendedCopy::~MendedCopy() {
  if (path_.empty()) return;
  std::error_code ignored;
  for (const char* part : {"", "-wal", "-shm"}) fs::remove(path_ + part, ignored);
}

}  // namespace robotrules::store
