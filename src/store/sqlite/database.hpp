// SQLite, as the store uses it: one connection, statements made once, and errors in words.
#pragma once

#include <sqlite3.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/result.hpp>
#include <robotrules/sqlite_store.hpp>

namespace robotrules::store {

// A prepared statement between two runs. Columns are read while a row is there.
class Statement {
 public:
  Statement() = default;
  explicit Statement(sqlite3_stmt* statement) noexcept : statement_(statement, sqlite3_finalize) {}

  Statement& bind(int index, std::int64_t value) noexcept;
  Statement& bind(int index, std::optional<std::int64_t> value) noexcept;
  Statement& bind(int index, std::string_view text) noexcept;        // must live until the run is over
  Statement& bind_blob(int index, std::string_view bytes) noexcept;  // the same
  Statement& bind_null(int index) noexcept;

  int step() noexcept { return sqlite3_step(statement_.get()); }  // SQLITE_ROW, SQLITE_DONE or an error
  void reset() noexcept;

  int columns() const noexcept { return sqlite3_column_count(statement_.get()); }
  std::int64_t integer(int column) const noexcept { return sqlite3_column_int64(statement_.get(), column); }
  int type(int column) const noexcept { return sqlite3_column_type(statement_.get(), column); }  // SQLITE_INTEGER, ...
  bool is_null(int column) const noexcept { return type(column) == SQLITE_NULL; }
  std::string_view bytes(int column) const noexcept;  // until the next step or reset

 private:
  std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> statement_{nullptr, sqlite3_finalize};
};

// However a run ends: a statement that is not reset keeps its old bindings and the file's lock.
class ResetAtEnd {
 public:
  explicit ResetAtEnd(Statement& statement) noexcept : statement_(statement) {}
  ~ResetAtEnd() { statement_.reset(); }
  ResetAtEnd(const ResetAtEnd&) = delete;
  ResetAtEnd& operator=(const ResetAtEnd&) = delete;

 private:
  Statement& statement_;
};

// Thread rule: one thread at a time.
class Database {
 public:
  // As open_sqlite_store() says.
  static Result<std::unique_ptr<Database>> open(const std::string& path, const SqliteStoreOptions& options);
  // In no file that has a name: gone with the connection.
  static Result<std::unique_ptr<Database>> open_temporary();
  // For looking only, whatever is in it.
  static Result<std::unique_ptr<Database>> open_as_it_is(const std::string& path);
  // The same, and nobody else may have the file open: error "store-busy". No other process can until this ends.
  static Result<std::unique_ptr<Database>> open_alone(const std::string& path);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Made at the first use and kept. `sql` must be a literal: it is known by its address.
  Result<Statement*> prepared(const char* sql);
  Result<void> run(const char* sql);  // one or more statements, without answers

  // Gives the write-ahead log the size that it has between two checkpoints. A commit that waits for the disk takes
  // twice as long where the file grows by it. Zeros behind the end are no frames, to any reader. What fails here is
  // left: the log grows by itself then. Precondition: a write transaction.
  void lay_out_log();

  Error error(int code) const;  // of the last call, which gave `code`
  Error damaged(const std::string& detail = {}) const;
  sqlite3* handle() const noexcept { return connection_; }
  const std::string& path() const noexcept { return path_; }

 private:
  Database(std::string path, std::chrono::milliseconds patience) : path_(std::move(path)), patience_(patience) {}
  Result<void> connect(int flags, const char* vfs = nullptr);  // null: SQLite's usual one
  Result<void> lock_file();
  static int wait_for_others(void* self, int calls) noexcept;

  std::string path_;
  std::chrono::milliseconds patience_;
  std::chrono::steady_clock::time_point busy_since_;
  sqlite3* connection_ = nullptr;
  std::deque<std::pair<const char*, Statement>> statements_;  // whose addresses stay
};

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

// Runs what it is given as one transaction: BEGIN IMMEDIATE, so that nothing read in it is old when it writes.
template <class Body>
auto in_transaction(Database& database, Body body) -> decltype(body()) {
  if (const auto begun = database.run("BEGIN IMMEDIATE"); !begun) return begun.error();
  const RollbackAtEnd rollback(database);  // where nothing was committed, an exception included
  auto result = body();
  if (!result.ok()) return result;
  if (const auto committed = database.run("COMMIT"); !committed) return committed.error();
  return result;
}

// The path in "sqlite:PATH"; another name is the path.
std::string_view path_in(std::string_view name) noexcept;

// "path/name" with the directory's links resolved, where the rules on files hold; the file is made where it is missing
// and wanted.
Result<std::string> checked_path(const std::string& path, const SqliteStoreOptions& options);

}  // namespace robotrules::store
