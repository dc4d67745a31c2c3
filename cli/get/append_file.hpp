// A file that grows by whole pieces.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <robotrules/result.hpp>

namespace robotrules::cli {

// "output-failed": PATH what: the system's words. `error`: an errno.
Error output_error(const std::string& path, std::string_view what, int error);

// Who may read the file. `owner`: a file that others can read is closed to them when it is opened.
enum class Readers : std::uint8_t { anyone, owner };

// Thread rule: one thread at a time.
class AppendFile {
 public:
  // Made where it is missing. Held by a lock until it is closed: error "output-busy" where another process, or another
  // object, has it; else "output-failed", also for a link that belongs to another user, as that may lead anywhere.
  static Result<std::unique_ptr<AppendFile>> open(const std::string& path, Readers readers = Readers::anyone);
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  // In one write(2), so that a kill cuts at one place at most. What can't be written whole is taken back.
  Result<void> append(std::string_view octets);
  // Cuts off what stands behind `position`.
  Result<void> cut(std::uint64_t position);
  // On the disk.
  Result<void> sync();
  std::uint64_t position() const noexcept { return position_; }

 private:
  AppendFile(std::string path, int file, std::uint64_t position) noexcept;
  std::string path_;
  int file_;
  std::uint64_t position_;
};

}  // namespace robotrules::cli
