// Removes single URLs of a job. Their numbers stay taken, as those of a removed job (remove_job.cpp): the row of
// queue_hash that has the hash of a removed URL becomes up to three rows.
#include <string>
#include <string_view>

#include "queue/sqlite/sqlite_queue_changes.hpp"
#include "queue/sqlite/sqlite_queue_rows.hpp"
#include "store/sqlite/columns.hpp"
#include "store/sqlite/query.hpp"

namespace robotrules::store {
namespace {

// Adds or replaces a row of queue_hash, unless it would have no hashes.
Result<void> put_hashes(Database& database, std::int64_t first, std::string_view hashes) {
  if (hashes.empty()) return {};
  return run(database, "INSERT OR REPLACE INTO queue_hash(first, hashes) VALUES(?1, ?2)",
             {first, SqlValue::blob(hashes)});
}

// Replaces the hash of a URL by a number of one removed URL.
Result<void> remove_hash(Database& database, std::int64_t id) {
  std::int64_t first = 0;
  std::string hashes;
  auto done = run(database, "SELECT first, hashes FROM queue_hash WHERE first <= ?1 ORDER BY first DESC LIMIT 1", {id},
                  [&](const Statement& row) {
                    first = row.integer(QueueHashColumn::first);
                    if (const auto found = read_hashes(row, first)) hashes = found->hashes;
                  });
  if (!done) return done;
  constexpr std::size_t size = sizeof(std::uint64_t);
  const auto at = static_cast<std::size_t>(id - first) * size;
  if (at >= hashes.size()) return database.damaged(bad_hash);
  const std::string_view all = hashes;
  done = put_hashes(database, first, all.substr(0, at));
  if (done) done = put_hashes(database, id + 1, all.substr(at + size));
  if (!done) return done;
  return run(database, "INSERT OR REPLACE INTO queue_hash(first, hashes) VALUES(?1, 1)", {id});
}

// Removes a URL and adds the changes of the sums to the tally. Returns false if the job does not have it.
Result<bool> remove_url(Database& database, std::int64_t job, std::int64_t id, QueueTally& tally) {
  bool is_listed = false;
  auto done = run_checked(
      database,
      "SELECT site, state FROM queue JOIN queue_site ON queue_site.id = site WHERE queue.id = ?1 AND job = ?2",
      {id, job}, bad_url, [&](const Statement& row) { return is_listed = leave(row, tally); });
  if (!done) return done.error();
  if (!is_listed) return false;
  done = run(database, "DELETE FROM queue WHERE id = ?1", {id});
  if (done) done = remove_hash(database, id);
  return done ? Result<bool>(true) : done.error();
}

}  // namespace

Result<std::uint64_t> remove_urls(Database& database, std::int64_t job, std::span<const std::int64_t> ids) {
  QueueTally tally;
  std::uint64_t removed = 0;
  for (const std::int64_t id : ids) {
    const auto done = remove_url(database, job, id, tally);
    if (!done) return done.error();
    if (done.value()) ++removed;
  }
  auto kept = apply(database, job, tally);
  return kept ? Result<std::uint64_t>(removed) : kept.error();
}

}  // namespace robotrules::store
