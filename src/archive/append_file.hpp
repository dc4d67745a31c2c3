// A file that grows by complete pages.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <robotrules/base.hpp>

namespace robotrules::archive {

// Returns the error "output-failed", or "disk-full" if `error` says so, with the message "PATH what: TEXT", where TEXT
// describes the errno `error`.
Error output_error(const std::string& path, std::string_view what, int error);

// Returns the same, but always "output-failed": trying again would not help.
Error final_output_error(const std::string& path, std::string_view what, int error);

// The users that can read the file. `owner`: if others can read an existing file, open() removes that permission.
enum class Readers : std::uint8_t { anyone, owner };

// Thread rule: one thread at a time.
class AppendFile {
 public:
  // Opens a file, or creates it, and locks it until it is closed. Fails with "output-busy" if another process or
  // another object has locked it. Fails with "output-failed" otherwise, also if the path is a link that belongs to
  // another user, which may lead anywhere.
  static Result<std::unique_ptr<AppendFile>> open(const std::string& path, Readers readers = Readers::anyone);
  // Creates a file that does not exist yet, for a name that other users can predict: no link is followed, and an
  // existing file is an error.
  static Result<std::unique_ptr<AppendFile>> create(const std::string& path);
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  // Adds to a page. Up to 1 MiB is kept in memory and written by commit(); of a longer page, a part is written earlier.
  // An error takes back all that was added since the last commit().
  Result<void> add(std::string_view bytes);
  // Ends a page: writes the rest of it and moves position() past it.
  Result<void> commit();
  // Takes back what was added since the last commit().
  void take_back() noexcept;
  // Removes the file if open() has made it and nothing was written.
  void remove_if_new() noexcept;
  // Removes everything after `position`. Precondition: nothing was added since the last commit().
  Result<void> cut(std::uint64_t position);
  // Syncs the file to the disk, with its name if it is new.
  Result<void> sync();
  // Fails with "output-moved" if the path leads to another file or to none: later runs would not find the pages.
  Result<void> check_place() const;
  // Opens the file again by its path, as open() does, unless the path still leads to the same file. After an error the
  // old file stays open. Precondition: nothing was added since the last commit().
  Result<void> reopen();
  std::uint64_t position() const noexcept { return position_; }
  // Returns the size that the file has after commit().
  std::uint64_t end() const noexcept { return position_ + written_ + added_.size(); }

 private:
  AppendFile(std::string path, int file, bool is_new) noexcept;
  static Result<std::unique_ptr<AppendFile>> opened(std::unique_ptr<AppendFile> file, Readers readers);
  Result<void> write(std::string_view bytes);

  std::string path_;
  int file_;
  bool is_regular_ = false;  // false: a pipe, a terminal or a device
  bool is_new_ = false;      // its name is not yet on the disk
  std::uint64_t position_ = 0;
  std::uint64_t written_ = 0;  // bytes in the file after position_
  std::string added_;          // added bytes that are not written yet
};

// Replaces a file, or creates it: `write` adds the bytes of the new file, which has the name PATH.new until it is
// complete and on the disk. If this fails, the file is as before, and there is no new one.
Result<void> replace_file(const std::string& path, const std::function<Result<void>(AppendFile& into)>& write);

}  // namespace robotrules::archive
