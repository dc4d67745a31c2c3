// A file that grows by whole pieces.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <robotrules/result.hpp>

namespace robotrules::archive {

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

  // Adds to a page. Up to 1 MiB is written at once, with commit(); of a longer page a part stands in the file before.
  // An error takes back what was added since the last commit().
  Result<void> add(std::string_view bytes);
  // The page is whole: position() is behind it.
  Result<void> commit();
  // Takes back what was added since the last commit().
  void take_back() noexcept;
  // Cuts off what stands behind `position`. Nothing was added since the last commit().
  Result<void> cut(std::uint64_t position);
  // On the disk.
  Result<void> sync();
  std::uint64_t position() const noexcept { return position_; }

 private:
  AppendFile(std::string path, int file, std::uint64_t position) noexcept;
  Result<void> write(std::string_view bytes);

  std::string path_;
  int file_;
  std::uint64_t position_;
  std::uint64_t written_ = 0;  // behind position_
  std::string added_;          // and not written yet
};

}  // namespace robotrules::archive
