// One SQLite connection with prepared statements and errors in words.
#pragma once

#include <sqlite3.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/open_store.hpp>

#include "base/visibility.hpp"
#include "store/sqlite/place.hpp"
#include "store/table_row.hpp"

namespace robotrules::store {

// A prepared statement. It is a row while it has one: after step() has returned SQLITE_ROW.
class Statement final : public TableRow {
 public:
  Statement() = default;
  explicit Statement(sqlite3_stmt* statement) noexcept : statement_(statement, sqlite3_finalize) {}

  // Sets the parameters ?1, ?2 and so on.
  void bind(std::span<const SqlValue> values) noexcept;
  int step() noexcept { return sqlite3_step(statement_.get()); }  // SQLITE_ROW, SQLITE_DONE or an error
  void reset() noexcept { sqlite3_reset(statement_.get()); }

  int columns() const noexcept override { return sqlite3_column_count(statement_.get()); }
  bool is(int column, ValueKind kind) const noexcept override;
  std::int64_t integer(int column) const noexcept override { return sqlite3_column_int64(statement_.get(), column); }
  std::string_view bytes(int column) const noexcept override;  // valid until the next step() or reset()

 private:
  std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> statement_{nullptr, sqlite3_finalize};
};

// Resets a statement at the end of a scope, also after an error. A statement that is not reset keeps the file locked.
class ResetAtEnd {
 public:
  explicit ResetAtEnd(Statement& statement) noexcept : statement_(statement) {}
  ~ResetAtEnd() { statement_.reset(); }
  ResetAtEnd(const ResetAtEnd&) = delete;
  ResetAtEnd& operator=(const ResetAtEnd&) = delete;

 private:
  Statement& statement_;
};

// One connection to a database file. Thread rule: one thread at a time.
class Database {
 public:
  // Opens a store's file, or makes it. Checks the path and fails as open_sqlite_store() does. If the file cannot be
  // written and options.accept_read_only is set, opens it to be read only.
  static Result<std::unique_ptr<Database>> open(const std::string& path, const SqliteStoreOptions& options);
  // Opens a temporary database, which is deleted when the connection is closed.
  static Result<std::unique_ptr<Database>> open_temporary();
  // Opens a file without checking its path, to read a file that may be damaged.
  static Result<std::unique_ptr<Database>> open_unchecked(const std::string& path);
  // Opens a file that does not change, to be read only. Uses no locks and creates no file, and does not read a log.
  static Result<std::unique_ptr<Database>> open_immutable(const std::string& path);
  // Does as open_unchecked(), and locks the file. Fails with "store-busy" if it is already open, in this process or in
  // another one. Until this object is destroyed, no other process can open it.
  static Result<std::unique_ptr<Database>> open_exclusive(const std::string& path);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Returns a statement, which is prepared at the first call and then kept. `sql` must be a literal, because it is
  // recognised by its address.
  Result<Statement*> prepared(const char* sql);
  Result<void> run(const char* sql);  // runs one or more statements and ignores their rows
  // Does the same. If the file is locked, waits for other processes, also where SQLite fails at once.
  Result<void> run_patiently(const char* sql);

  // Extends the write-ahead log with zeros to the size that it reaches before a checkpoint. Otherwise, every commit
  // makes the file longer, and then a commit that waits for the disk takes twice as long. Readers ignore the zeros,
  // because they are not valid frames. Errors are ignored: then the log grows as usual. Precondition: a write
  // transaction.
  void preallocate_log();

  // Fails with "store-moved" if the path no longer leads to the file that was opened, or if its log (-wal) or the index
  // of the log (-shm) was replaced or deleted: another process that opens the path would not see what is written here.
  // A temporary database has no place.
  Result<void> check_place();

  // Fails with "store-io" if the system could not read the file or its log at some time since they were opened. SQLite
  // reports this as damage in some places, such as PRAGMA integrity_check.
  Result<void> check_reads() const;
  // Whether the log stays as it is when this connection ends. Without it, SQLite copies the log into the file and
  // deletes it. It must not do so before the file is known to be at its place: if a repair has moved the file, the log
  // there belongs to the new one.
  void keep_log(bool on) noexcept;

  Error error(int code) const;  // the error of the last call, which returned `code`
  Error damaged(const std::string& detail = {}) const;
  sqlite3* handle() const noexcept { return connection_; }
  bool is_read_only() const noexcept { return sqlite3_db_readonly(connection_, "main") == 1; }
  const std::string& path() const noexcept { return path_; }

 private:
  Database(std::string path, std::chrono::milliseconds patience) : path_(std::move(path)), patience_(patience) {}
  Result<void> connect(int flags, const char* vfs = nullptr);  // null: SQLite's default
  Result<void> connect_to_read();
  Result<void> connect_immutable();
  Result<void> lock_file();
  void note_place();
  static int wait_for_others(void* self, int calls) noexcept;

  std::string path_;
  std::chrono::milliseconds patience_;
  std::chrono::steady_clock::time_point busy_since_;
  sqlite3* connection_ = nullptr;
  std::optional<Place> place_;                                // null: not checked
  std::deque<std::pair<const char*, Statement>> statements_;  // a deque, so that their addresses stay
};

// Rolls a transaction back at the end of a scope, unless it was committed.
class RollbackAtEnd {
 public:
  explicit RollbackAtEnd(Database& database) noexcept : database_(database) {}
  ~RollbackAtEnd() {
    if (sqlite3_get_autocommit(database_.handle()) == 0) {
      sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
    }
  }
  RollbackAtEnd(const RollbackAtEnd&) = delete;
  RollbackAtEnd& operator=(const RollbackAtEnd&) = delete;

 private:
  Database& database_;
};

// Runs `body` as one transaction and commits it if the result is not an error. BEGIN IMMEDIATE locks the file for
// writing, so nothing that `body` reads can change before it writes. A file that is open to be read only cannot be
// locked so. Fails with "store-moved" if the file is no longer at its place, because a change of it would be lost.
template <class Body>
auto in_transaction(Database& database, Body body) -> decltype(body()) {
  const auto begun = database.run(database.is_read_only() ? "BEGIN" : "BEGIN IMMEDIATE");
  if (!begun) {  // SQLite makes the log at the first use of the file, and cannot if the file has gone
    const auto there = database.check_place();
    return there ? begun.error() : there.error();
  }
  const RollbackAtEnd rollback(database);  // also after an exception
  if (const auto there = database.check_place(); !there) return there.error();
  auto result = body();
  if (!result.ok()) return result;
  if (const auto committed = database.run("COMMIT"); !committed) return committed.error();
  return result;
}

// Runs `body` as one transaction that only reads: it sees the file as it was at one moment.
template <class Body>
auto in_read_transaction(Database& database, Body body) -> decltype(body()) {
  if (const auto begun = database.run("BEGIN"); !begun) return begun.error();
  const RollbackAtEnd rollback(database);
  return body();
}

// Returns PATH of "sqlite:PATH". Any other name is the path itself.
ROBOTRULES_INTERNAL_API std::string_view path_in(std::string_view name) noexcept;

// Returns the path of a store's file with the links of its directory resolved. Makes the file if it does not exist and
// options.create is set. Fails if file or directory break the rules of open_sqlite_store().
// If a repair of the file was interrupted between its last steps, finishes it first, or fails with "store-damaged" if
// it may not.
enum class Unfinished { finish, is_error };
Result<std::string> checked_path(const std::string& path, const SqliteStoreOptions& options,
                                 Unfinished unfinished = Unfinished::finish);

// Returns false if the file or its folder is read-only for this process.
bool is_writable(const std::string& path);

}  // namespace robotrules::store
