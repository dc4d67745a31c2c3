#include "store/sqlite/database.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <random>
#include <system_error>
#include <thread>
#include <utility>

#include "base/hex.hpp"
#include "store/sqlite/repair_place.hpp"

namespace robotrules::store {

void Statement::bind(std::span<const SqlValue> values) noexcept {
  int place = 0;
  for (const SqlValue& value : values) {
    ++place;
    const char* const bytes = value.bytes.data() == nullptr ? "" : value.bytes.data();
    switch (value.kind) {
      case ValueKind::null: sqlite3_bind_null(statement_.get(), place); break;
      case ValueKind::number: sqlite3_bind_int64(statement_.get(), place, value.number); break;
      case ValueKind::text:
        sqlite3_bind_text64(statement_.get(), place, bytes, value.bytes.size(), SQLITE_STATIC, SQLITE_UTF8);
        break;
      case ValueKind::bytes:
        sqlite3_bind_blob64(statement_.get(), place, bytes, value.bytes.size(), SQLITE_STATIC);
        break;
    }
  }
}

bool Statement::is(int column, ValueKind kind) const noexcept {
  switch (sqlite3_column_type(statement_.get(), column)) {
    case SQLITE_NULL: return kind == ValueKind::null;
    case SQLITE_INTEGER: return kind == ValueKind::number;
    case SQLITE_TEXT: return kind == ValueKind::text;
    case SQLITE_BLOB: return kind == ValueKind::bytes;
    default: return false;
  }
}

std::string_view Statement::bytes(int column) const noexcept {
  const auto* data = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return data == nullptr ? std::string_view() : std::string_view(data, static_cast<std::size_t>(size));
}

Result<std::unique_ptr<Database>> Database::open(const std::string& path, const SqliteStoreOptions& options) {
  auto checked = checked_path(path, options);
  if (!checked) return checked.error();
  std::unique_ptr<Database> database(new Database(std::move(checked).value(), options.busy_timeout));
  if (is_emptied(database->path_)) return database->damaged(" (it is empty, but has a log)");
  const bool to_read = options.accept_read_only && !is_writable(database->path_);
  const auto connected =
      to_read ? database->connect_to_read() : database->connect(SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW);
  if (!connected) return connected.error();
  if (to_read) return database;
  database->note_place();
  database->keep_log(true);
  return database;
}

Result<std::unique_ptr<Database>> Database::open_temporary() {
  std::unique_ptr<Database> database(new Database("", std::chrono::seconds(1)));
  const auto connected = database->connect(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  database->path_ = "(temporary)";
  if (!connected) return connected.error();
  return database;
}

Result<std::unique_ptr<Database>> Database::open_unchecked(const std::string& path) {
  std::unique_ptr<Database> database(new Database(path, std::chrono::seconds(1)));
  const auto connected = database->connect(SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW);
  if (!connected) return connected.error();
  return database;
}

Result<std::unique_ptr<Database>> Database::open_exclusive(const std::string& path) {
  // First the file is locked with the usual locks, to find out whether this process has it open. Then it is locked with
  // "unix-excl", to keep other processes out.
  std::unique_ptr<Database> database;
  for (const char* vfs : {static_cast<const char*>(nullptr), "unix-excl"}) {
    database.reset();
    database.reset(new Database(path, std::chrono::milliseconds(0)));
    auto locked = database->connect(SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW, vfs);
    if (locked) locked = database->lock_file();
    if (!locked) return locked.error();
  }
  return database;
}

// Locks the file itself. To lock it by a transaction, SQLite would have to read it, and a damaged file cannot always be
// read so far. The lock fails if the file is open elsewhere: SQLite keeps a lock on a file in WAL mode while it is
// open.
Result<void> Database::lock_file() {
  sqlite3_file* file = nullptr;
  int code = sqlite3_file_control(connection_, "main", SQLITE_FCNTL_FILE_POINTER, static_cast<void*>(&file));
  if (code == SQLITE_OK && file->pMethods == nullptr) code = SQLITE_CANTOPEN;
  if (code != SQLITE_OK) return error(code);
  code = file->pMethods->xLock(file, SQLITE_LOCK_SHARED);
  if (code == SQLITE_OK) code = file->pMethods->xLock(file, SQLITE_LOCK_EXCLUSIVE);
  file->pMethods->xUnlock(file, SQLITE_LOCK_NONE);  // "unix-excl" keeps other processes out until the file is closed
  if (code == SQLITE_OK) return {};
  if ((code & 0xFF) != SQLITE_BUSY) return error(code);
  return Error{"store-busy", "The store " + path_ + " is in use: stop the program that uses it and try again"};
}

Database::~Database() {
  statements_.clear();
  sqlite3_close(connection_);
}

namespace {

// Returns the URI of a file that does not change. SQLite then reads it without locks and without the index of its log.
std::string immutable_uri(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      base::append_percent(uri, c);
    } else {
      uri += c;
    }
  }
  return uri + "?immutable=1";
}

}  // namespace

Result<void> Database::connect_immutable() {
  const std::string path = std::exchange(path_, immutable_uri(path_));
  auto connected = connect(SQLITE_OPEN_READONLY | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_URI);
  path_ = path;
  return connected;
}

Result<std::unique_ptr<Database>> Database::open_immutable(const std::string& path) {
  std::unique_ptr<Database> database(new Database(path, std::chrono::seconds(1)));
  const auto connected = database->connect_immutable();
  if (!connected) return connected.error();
  return database;
}

// SQLite needs the index of the log (-shm) to read a file with a log. In a folder that cannot be written it cannot make
// the index, and elsewhere it would leave one that cannot be written. Without a log, the file has everything.
Result<void> Database::connect_to_read() {
  constexpr int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOFOLLOW;
  std::error_code missing;
  const auto log = std::filesystem::file_size(path_ + "-wal", missing);
  if (missing || log == 0) return connect_immutable();
  auto connected = connect(flags);
  if (connected) connected = run("SELECT count(*) FROM sqlite_schema");
  if (connected || connected.error().code != "store-io") return connected;
  return Error{"store-io", "The store " + path_ + " has a log (" + path_ +
                               "-wal) that can't be read, because the folder can't be written: copy both files to a "
                               "folder that you own"};
}

Result<void> Database::connect(int flags, const char* vfs) {
  // SQLite needs no mutexes, because only one thread at a time uses the connection.
  const int code =
      sqlite3_open_v2(path_.c_str(), &connection_, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, vfs);
  if (code != SQLITE_OK) return error(code);
  // A file must not decide which code runs in this process. A store has neither triggers nor views, so both are off.
  for (const auto& [what, on] : {std::pair{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                 {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                 {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                 {SQLITE_DBCONFIG_ENABLE_VIEW, 0}}) {
    sqlite3_db_config(connection_, what, on, nullptr);
  }
  sqlite3_busy_handler(connection_, wait_for_others, this);
  return {};
}

// SQLite tells whether the file was replaced between its opening and this call.
void Database::note_place() {
  int has_moved = 0;
  sqlite3_file_control(connection_, "main", SQLITE_FCNTL_HAS_MOVED, &has_moved);
  const auto file = file_at(path_);
  place_.emplace(path_, has_moved == 0 && file ? *file : FileId());
}

Result<void> Database::check_place() {
  const std::string* const moved = place_ ? place_->find_moved() : nullptr;
  if (moved == nullptr) return {};
  return Error{"store-moved", "The store " + path_ + " is no longer the file that was opened: " + *moved +
                                  " was moved, replaced or deleted. Put it back with its -wal file, and run the "
                                  "command again"};
}

Result<void> Database::check_reads() const {
  sqlite3_file* log = nullptr;
  int number = 0;
  sqlite3_file_control(connection_, "main", SQLITE_FCNTL_LAST_ERRNO, &number);
  if (number == 0 &&
      sqlite3_file_control(connection_, "main", SQLITE_FCNTL_JOURNAL_POINTER, static_cast<void*>(&log)) == SQLITE_OK &&
      log != nullptr && log->pMethods != nullptr) {
    log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &number);
  }
  if (number == 0) return {};
  return Error{"store-io", "The store " + path_ + " could not be read (" + std::generic_category().message(number) +
                               "), which is no damage of the file: check the disk and try again"};
}

void Database::keep_log(bool on) noexcept {
  sqlite3_db_config(connection_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, on ? 1 : 0, nullptr);
}

// The busy handler. SQLite's own handler sleeps for longer and longer, so that later callers overtake: with four
// writers, a call sometimes took half a second. This one sleeps for a short random time.
int Database::wait_for_others(void* self, int calls) noexcept {
  auto& database = *static_cast<Database*>(self);
  const auto now = std::chrono::steady_clock::now();
  if (calls == 0) database.busy_since_ = now;
  if (now - database.busy_since_ > database.patience_) return 0;
  thread_local std::minstd_rand random(static_cast<unsigned>(getpid()) * 2'654'435'761u + 1);
  const unsigned longest = std::min(50u << std::min(calls, 5), 1'000u);
  std::this_thread::sleep_for(std::chrono::microseconds(20 + random() % longest));
  return 1;
}

Result<Statement*> Database::prepared(const char* sql) {
  for (auto& [text, statement] : statements_) {
    if (text == sql) return &statement;
  }
  sqlite3_stmt* made = nullptr;
  const int code = sqlite3_prepare_v3(connection_, sql, -1, SQLITE_PREPARE_PERSISTENT, &made, nullptr);
  if (code != SQLITE_OK) return error(code);
  statements_.emplace_back(sql, Statement(made));
  return &statements_.back().second;
}

Result<void> Database::run(const char* sql) {
  // Single statements, such as BEGIN and COMMIT, run too often to be prepared each time.
  if (std::string_view(sql).find(';') == std::string_view::npos) {
    auto statement = prepared(sql);
    if (!statement) return statement.error();
    const ResetAtEnd reset(*statement.value());
    const int code = statement.value()->step();
    return code == SQLITE_DONE || code == SQLITE_ROW ? Result<void>() : Result<void>(error(code));
  }
  const int code = sqlite3_exec(connection_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return error(code);
  return {};
}

Result<void> Database::run_patiently(const char* sql) {
  for (int calls = 0;; ++calls) {
    auto done = run(sql);
    if (done || done.error().code != "store-busy" || wait_for_others(this, calls) == 0) return done;
  }
}

void Database::preallocate_log() {
  constexpr sqlite3_int64 frames = 1'000;  // SQLite's own wal_autocheckpoint
  constexpr sqlite3_int64 wanted = 32 + frames * (24 + 4'096);
  sqlite3_file* log = nullptr;
  if (sqlite3_file_control(connection_, "main", SQLITE_FCNTL_JOURNAL_POINTER, static_cast<void*>(&log)) != SQLITE_OK)
    return;
  sqlite3_int64 size = wanted;
  if (log == nullptr || log->pMethods == nullptr || log->pMethods->xFileSize(log, &size) != SQLITE_OK) return;
  static constexpr std::array<char, 65'536> zeros{};  // SQLite writes no more than 128 KiB at once
  while (size < wanted) {
    const sqlite3_int64 count = std::min(wanted - size, static_cast<sqlite3_int64>(zeros.size()));
    if (log->pMethods->xWrite(log, zeros.data(), static_cast<int>(count), size) != SQLITE_OK) return;
    size += count;
  }
}

Error Database::damaged(const std::string& detail) const {
  return {"store-damaged", "The store " + path_ + " is damaged" + detail + ": robotrules db " + path_ +
                               " check --repair saves what can be read"};
}

Error Database::error(int code) const {
  const std::string subject = "The store " + path_ + " ";
  const std::string detail = std::string(" (SQLite: ") + sqlite3_errmsg(connection_) + ")";
  const int system =
      (code & 0xFF) == SQLITE_IOERR || (code & 0xFF) == SQLITE_CANTOPEN ? sqlite3_system_errno(connection_) : 0;
  if ((code & 0xFF) == SQLITE_FULL || system == ENOSPC || system == EDQUOT) {
    return {disk_full_code, subject + "could not be written, because the disk is full" + detail + ": free some space"};
  }
  switch (code & 0xFF) {
    // The statements are right for our tables. If one fails in this way, the tables are damaged.
    case SQLITE_ERROR:
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
    case SQLITE_CORRUPT: return damaged(detail);
    case SQLITE_NOTADB:
      return {"store-foreign", subject + "is not a database, or its header is damaged" + detail +
                                   ": give another path, or run robotrules db " + path_ + " check"};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {"store-busy",
              subject + "was locked by another process for too long" + detail + ": try again, or stop that process"};
    case SQLITE_READONLY:
      return {"store-io", subject + "is read-only" + detail + ": give write permission to the file and its folder"};
    case SQLITE_CANTOPEN:
      return {"store-io", subject + "could not be opened" + detail + ": check the path and its permissions"};
    case SQLITE_NOMEM:
      return {"store-io",
              subject + "could not be used, because memory ran out" + detail + ": free some memory and try again"};
    default: return {"store-io", subject + "could not be read or written" + detail + ": check the disk and try again"};
  }
}

}  // namespace robotrules::store
