#include "repair/mended_copy.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "repair/sqlite_problems.hpp"
#include "store/sqlite/columns.hpp"
#include "store/sqlite/repair_place.hpp"
#include "store/sqlite/sqlite_schema.hpp"

namespace robotrules::store {
namespace {

namespace fs = std::filesystem;

// Offsets in a database file, https://www.sqlite.org/fileformat.html section 1.3.
constexpr std::size_t header_size = 100;
constexpr std::size_t write_version = 18;
constexpr std::size_t read_version = 19;
constexpr std::size_t size_in_pages = 28;
constexpr char wal_version = 2;

// A table of which a repair saves rows, and how rows of it look that are not those of another table.
struct Table {
  const char* name;
  const char* sound_rows;
};
constexpr Table tables[] = {
    {"meta",
     "SELECT 1 FROM meta NOT INDEXED WHERE name IN ('agent', 'boot_id', 'clock_offset', 'just_visited', 'policy',"
     " 'queue_salt')"},
    {"body",
     "SELECT 1 FROM body NOT INDEXED WHERE typeof(hash) = 'blob' AND typeof(octets) = 'blob' AND coding IN (0, 1)"
     " AND typeof(size) = 'integer'"},
    {"robots",
     "SELECT 1 FROM robots NOT INDEXED WHERE typeof(origin) = 'text' AND origin GLOB 'http*://*'"
     " AND typeof(etag) <> 'integer' AND typeof(lease_until) = 'integer'"},
    {"gate",
     "SELECT 1 FROM gate NOT INDEXED WHERE typeof(key) = 'text' AND typeof(interval) = 'integer'"
     " AND typeof(penalty_until) = 'integer' AND typeof(visits) = 'integer' AND typeof(fence) = 'integer'"
     " AND typeof(holds) IN ('blob', 'null')"},
    {"job",
     "SELECT 1 FROM job NOT INDEXED WHERE typeof(name) = 'text' AND name <> 'body' AND typeof(fence) = 'integer'"
     " AND typeof(note) = 'text'"},
    {"queue_site",
     "SELECT 1 FROM queue_site NOT INDEXED WHERE typeof(origin) = 'text' AND origin GLOB 'http*://*'"
     " AND typeof(pending) = 'integer' AND typeof(rank) = 'integer'"},
    {"queue",
     "SELECT 1 FROM queue NOT INDEXED WHERE typeof(url) = 'text' AND typeof(site) = 'integer'"
     " AND typeof(rank) = 'integer' AND typeof(state) = 'integer' AND state BETWEEN 0 AND 5"},
};

Error not_copied(const std::string& path, int number) {
  if (number == ENOSPC || number == EDQUOT) {
    return {disk_full_code,
            "There is no room to repair the store " + path + ": free as much space as the file has, and try again"};
  }
  return {"store-io", "The store " + path + " can't be copied to be repaired (" +
                          std::generic_category().message(number) + "): check the disk, and try again"};
}

// Returns the file of an empty store.
Result<std::string> empty_store() {
  const auto made = Database::open_temporary();
  if (!made) return made.error();
  if (auto ready = prepare_temporary(*made.value()); !ready) return ready.error();
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, decltype(&sqlite3_free)> octets(
      sqlite3_serialize(made.value()->handle(), "main", &size, 0), sqlite3_free);
  if (octets == nullptr) return made.value()->error(SQLITE_NOMEM);
  return std::string(reinterpret_cast<const char*>(octets.get()), static_cast<std::size_t>(size));
}

std::size_t page_size_of(const std::string& store) {
  const auto byte = [&store](std::size_t at) { return std::size_t{static_cast<unsigned char>(store[at])}; };
  const std::size_t size = byte(16) << 8 | byte(17);
  return size == 1 ? 65'536 : size;
}

// Writes the first `size` octets of the empty store `model` over those of a file, with the number of the file's pages.
bool write_head(const std::string& path, std::string model, std::size_t size, std::uint64_t pages) {
  model.resize(std::max(size, header_size));
  model[write_version] = model[read_version] = wal_version;
  for (std::size_t i = 0; i < 4; ++i) model[size_in_pages + i] = static_cast<char>(pages >> (24 - 8 * i));
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.write(model.data(), static_cast<std::streamsize>(size));
  file.flush();
  return file.good();
}

// Copies through SQLite's handle, because closing another one would end the lock of the file.
Result<void> copy_octets(Database& from, const std::string& to) {
  sqlite3_file* file = nullptr;
  int code = sqlite3_file_control(from.handle(), "main", SQLITE_FCNTL_FILE_POINTER, static_cast<void*>(&file));
  sqlite3_int64 size = 0;
  if (code == SQLITE_OK) code = file->pMethods->xFileSize(file, &size);
  if (code != SQLITE_OK) return from.error(code);
  // A new file: a link that lies there is not followed.
  const int made = ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (made < 0) return not_copied(from.path(), errno);
  ::close(made);
  std::ofstream copy(to, std::ios::binary);
  std::array<char, 65'536> octets{};
  for (sqlite3_int64 at = 0; at < size; at += static_cast<sqlite3_int64>(octets.size())) {
    const auto count = std::min(size - at, static_cast<sqlite3_int64>(octets.size()));
    code = file->pMethods->xRead(file, octets.data(), static_cast<int>(count), at);
    if (code != SQLITE_OK) return from.error(code);
    if (!copy.write(octets.data(), count)) return not_copied(from.path(), errno);
  }
  copy.close();
  return copy ? Result<void>() : Result<void>(not_copied(from.path(), errno));
}

// Returns the number that `sql`, a literal, selects, or 0 if it cannot be read.
std::int64_t number_of(Database& database, const char* sql) {
  std::int64_t found = 0;
  const int code = read_all(database, sql, [&](const Statement& row) { found = row.integer(only_column); });
  return code == SQLITE_DONE ? found : 0;
}
// Returns true if the schema has all tables of a version, or all tables of this version with other definitions.
bool has_tables(Database& database) {
  const auto version = version_by_tables(database);
  if (version && version.value()) return true;
  return number_of(database,
                   "SELECT count(*) FROM sqlite_schema WHERE name IN ('meta', 'body', 'robots', 'gate', 'job',"
                   " 'queue_site', 'queue')") == std::int64_t{std::size(tables)};
}
bool has_settings(Database& database) { return number_of(database, "SELECT count(*) FROM meta") > 0; }

// How many rows can be read if the table has its root in this page.
struct Found {
  std::uint64_t rows = 0;
  bool to_end = false;
};
// A page may be the child of several others in a damaged file, so the number of rows is bounded.
Found try_root(Database& copy, const Table& table, std::uint64_t page, std::uint64_t max_rows) {
  const std::string sql = std::string("UPDATE sqlite_schema SET rootpage = ") + std::to_string(page) +
                          " WHERE name = '" + table.name + "'; PRAGMA writable_schema = RESET; " +
                          "PRAGMA writable_schema = ON;";
  if (!copy.run(sql.c_str())) return {};
  sqlite3_stmt* made = nullptr;
  if (sqlite3_prepare_v2(copy.handle(), table.sound_rows, -1, &made, nullptr) != SQLITE_OK) return {};
  Statement rows(made);
  Found found;
  int code;
  while ((code = rows.step()) == SQLITE_ROW && found.rows < max_rows) ++found.rows;
  found.to_end = code == SQLITE_DONE;
  return found;
}

// Gives each table the root with the most rows, and removes tables without any. Not in one transaction, because SQLite
// writes nothing more in a transaction in which it has found damage. Returns the number of tables found.
Result<std::size_t> guess_roots(Database& copy, std::uint64_t pages) {
  sqlite3_db_config(copy.handle(), SQLITE_DBCONFIG_DEFENSIVE, 0, nullptr);
  auto begun = copy.run(
      "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE type <> 'table' OR name NOT IN ('meta',"
      " 'body', 'robots', 'gate', 'job', 'queue_site', 'queue'); PRAGMA writable_schema = RESET;"
      " PRAGMA writable_schema = ON;");
  if (!begun) return begun.error();
  std::size_t tables_found = 0;
  for (const Table& table : tables) {
    Found best;
    std::uint64_t root = 0;
    for (std::uint64_t page = 2; page <= pages; ++page) {
      const Found found = try_root(copy, table, page, pages * 2'048);
      if (std::pair(found.rows, found.to_end) <= std::pair(best.rows, best.to_end)) continue;
      best = found;
      root = page;
    }
    if (root != 0) ++tables_found;
    const std::string name = std::string("'") + table.name + "'";
    const std::string sql =
        (root != 0 ? "UPDATE sqlite_schema SET rootpage = " + std::to_string(root) + " WHERE name = " + name
                   : "DELETE FROM sqlite_schema WHERE name = " + name) +
        "; PRAGMA writable_schema = RESET; PRAGMA writable_schema = ON;";
    if (auto set = copy.run(sql.c_str()); !set) return set.error();
  }
  if (auto done = copy.run("PRAGMA writable_schema = RESET"); !done) return done.error();
  return tables_found;
}

}  // namespace

Result<MendedCopy> MendedCopy::of(Database& damaged) {
  MendedCopy copy(mended_path(damaged.path()));
  if (auto filled = copy.fill(damaged); !filled) return filled.error();
  return copy;
}

Result<void> MendedCopy::open() {
  database_.reset();
  auto opened = Database::open_unchecked(path_);
  if (!opened) return opened.error();
  database_ = std::move(opened).value();
  for (const char* sql : {"PRAGMA cell_size_check = ON", "PRAGMA synchronous = OFF"}) {
    static_cast<void>(database_->run(sql));  // the second reads the schema, which may be damaged
  }
  return {};
}

Result<void> MendedCopy::fill(Database& damaged) {
  const auto model = empty_store();
  if (!model) return model.error();
  const std::size_t page = page_size_of(model.value());
  if (auto copied = copy_octets(damaged, path_); !copied) return copied;
  std::error_code failed;
  fs::copy_file(damaged.path() + "-wal", path_ + "-wal", failed);
  if (failed && failed.value() != ENOENT) return not_copied(damaged.path(), failed.value());

  // Pages that the schema of an empty store names must exist, or SQLite does not read that schema.
  std::uint64_t pages = 0;
  const auto write_first = [&](std::size_t size) {
    const auto octets = fs::file_size(path_, failed);
    if (failed) return false;
    pages = std::max<std::uint64_t>((octets + page - 1) / page, model.value().size() / page);
    fs::resize_file(path_, pages * page, failed);
    return !failed && write_head(path_, model.value(), size, pages);
  };
  const bool has_page = fs::file_size(path_, failed) >= page;
  if (!write_first(has_page ? header_size : page)) return not_copied(damaged.path(), errno);
  if (auto opened = open(); !opened) return opened;
  // PRAGMA wal_checkpoint reads the schema, and this function does not. The log is opened by the first query.
  static_cast<void>(has_tables(*database_));
  sqlite3_wal_checkpoint_v2(database_->handle(), "main", SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
  if (auto read = database_->check_reads(); !read) return read;
  database_.reset();
  for (const char* part : {"-wal", "-shm"}) fs::remove(path_ + part, failed);
  if (!write_first(header_size)) return not_copied(damaged.path(), errno);
  if (auto opened = open(); opened && has_tables(*database_) && (has_page || has_settings(*database_))) return {};

  is_guessed_ = true;
  database_.reset();
  if (!write_first(page)) return not_copied(damaged.path(), errno);
  if (auto opened = open(); !opened) return opened;
  const auto found = guess_roots(*database_, pages);
  if (found && found.value() > 0) return open();
  if (auto read = database_->check_reads(); !read) return read;
  if (!found && found.error().code != "store-damaged") return found.error();
  return Error{"store-damaged", "No table of a store can be found in " + damaged.path() +
                                    ", so nothing can be saved, and the file stays as it is: put a copy of it in its "
                                    "place, or delete it"};
}

MendedCopy::MendedCopy(MendedCopy&& other) noexcept
    : path_(std::exchange(other.path_, {})), database_(std::move(other.database_)), is_guessed_(other.is_guessed_) {}

MendedCopy::~MendedCopy() {
  database_.reset();
  if (path_.empty()) return;
  std::error_code ignored;
  for (const char* part : {"", "-wal", "-shm", "-journal"}) fs::remove(path_ + part, ignored);
}

}  // namespace robotrules::store
