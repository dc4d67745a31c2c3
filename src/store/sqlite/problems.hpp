// What looking through a file is made of.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "store/sqlite/database.hpp"

namespace robotrules::store {

// Every row of the answer, as far as it goes; the code it ended with. `sql` as Database::prepared() takes it.
template <class Each>
int read_all(Database& database, const char* sql, Each each) {
  auto statement = database.prepared(sql);
  if (!statement) return sqlite3_errcode(database.handle());
  const ResetAtEnd reset(*statement.value());
  int code;
  while ((code = statement.value()->step()) == SQLITE_ROW) each(std::as_const(*statement.value()));
  return code;
}

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

// The queue's tables, where the file has them; the code that reading ended with.
int look_through_queue(Database& database, Problems& problems);

// What can be read of a damaged file's queue is put into the new file. Answers how many URLs.
Result<std::uint64_t> rescue_queue(Database& from, const std::string& to);

}  // namespace robotrules::store
