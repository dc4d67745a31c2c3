// A copy of a damaged database file that SQLite can read.
#pragma once

#include <memory>
#include <string>

#include <robotrules/base.hpp>

#include "store/sqlite/database.hpp"

namespace robotrules::store {

// SQLite reads nothing of a file whose first page is damaged. All stores have the same header, so the copy has the
// header of an empty store. If its schema cannot be read either, it gets the schema of an empty store, and each page of
// the file is tried as the root of each table. The log is applied. The file itself is only read.
class MendedCopy {
 public:
  // Precondition: `damaged` has the file locked. Fails with "store-damaged" if no table of a store can be found, and
  // with "store-io" or "disk-full" if the file cannot be read or the copy cannot be written.
  static Result<MendedCopy> of(Database& damaged);
  MendedCopy(MendedCopy&& other) noexcept;
  MendedCopy& operator=(MendedCopy&&) = delete;
  ~MendedCopy();  // deletes the copy

  Database& database() const noexcept { return *database_; }
  // True: the roots of the tables were found by trying, so rows may be missing.
  bool is_guessed() const noexcept { return is_guessed_; }

 private:
  explicit MendedCopy(std::string path) : path_(std::move(path)) {}
  Result<void> fill(Database& damaged);
  Result<void> open();

  std::string path_;
  std::unique_ptr<Database> database_;
  bool is_guessed_ = false;
};

}  // namespace robotrules::store
