// The list of problems of a file, and functions that find them or save the queue.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "store/sqlite/database.hpp"

namespace robotrules::store {

// Calls `each` for every row that can be read, and returns the code with which reading ended: SQLITE_DONE or an error.
// `sql` must be a literal.
template <class Each>
int read_all(Database& database, const char* sql, Each each) {
  auto statement = database.prepared(sql);
  if (!statement) return sqlite3_errcode(database.handle());
  const ResetAtEnd reset(*statement.value());
  int code;
  while ((code = statement.value()->step()) == SQLITE_ROW) each(std::as_const(*statement.value()));
  return code;
}

// Whether a call of SQLite ended with `code` because of the contents of the file.
inline bool is_damage(int code) noexcept { return (code & 0xFF) == SQLITE_CORRUPT || (code & 0xFF) == SQLITE_NOTADB; }

// Sentences about faults; those after the first 100 are dropped.
class Problems {
 public:
  explicit Problems(std::vector<std::string>& list) : list_(list) {}
  void add(std::string problem) {
    if (list_.size() < max_problems) list_.push_back(std::move(problem));
  }
  bool any() const { return !list_.empty(); }

 private:
  static constexpr std::size_t max_problems = 100;
  std::vector<std::string>& list_;
};

// Adds the problems of the queue's tables, if the file has a queue. Returns the code with which reading ended.
int find_queue_problems(Database& database, Problems& problems);

// Copies the readable part of a damaged file's queue to the file `to`. Returns the number of URLs that were saved.
Result<std::uint64_t> rescue_queue(Database& from, const std::string& to);

}  // namespace robotrules::store
