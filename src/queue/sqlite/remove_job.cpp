// Removes a job. The numbers of its URLs stay taken, so that those of all other URLs stay the same: a row of queue_hash
// then has the number of the removed URLs in place of their hashes.
#include <optional>
#include <string>
#include <utility>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "base/escape.hpp"
#include "queue/sqlite/crawl_lock.hpp"
#include "queue/sqlite/known_urls.hpp"
#include "queue/sqlite/sqlite_jobs.hpp"
#include "queue/sqlite/sqlite_queue_changes.hpp"
#include "queue/sqlite/sqlite_queue_rows.hpp"
#include "store/sqlite/columns.hpp"
#include "store/sqlite/query.hpp"

namespace robotrules::store {
namespace {

constexpr std::int64_t urls_at_once = 20'000;  // in one transaction

// URLs that were added together have consecutive ids.
struct Batch {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

// Returns the first batch of the job with an id from `from` on; null: there is none.
Result<std::optional<Batch>> find_batch(Database& database, std::int64_t job, std::int64_t from) {
  std::optional<Batch> found;
  static const std::string sql =
      "SELECT first, hashes FROM queue_hash WHERE first >= ?1 AND typeof(hashes) = 'blob' AND " + job_of_hashes +
      " = ?2 ORDER BY first LIMIT 1";
  const auto read = run_checked(database, sql.c_str(), {from, job}, bad_hash, [&](const Statement& row) {
    const std::int64_t first = row.integer(QueueHashColumn::first);
    const auto hashes = read_hashes(row, first);
    if (hashes) found = Batch{first, first + hashes->urls - 1};
    return hashes.has_value();
  });
  return read ? Result<std::optional<Batch>>(found) : read.error();
}

// Removes the URLs of a batch, and adds the changes of the sums to the tally.
Result<void> remove_batch(Database& database, const Batch& batch, QueueTally& tally) {
  auto done = run_checked(database, "SELECT site, state FROM queue WHERE id BETWEEN ?1 AND ?2",
                          {batch.first, batch.last}, bad_url, [&](const Statement& row) { return leave(row, tally); });
  if (!done) return done;
  done = run(database, "DELETE FROM queue WHERE id BETWEEN ?1 AND ?2", {batch.first, batch.last});
  if (!done) return done;
  return run(database, "UPDATE queue_hash SET hashes = ?2 - ?1 + 1 WHERE first = ?1", {batch.first, batch.last});
}

// Removes a job that has no URLs left.
Result<void> remove_empty_job(Database& database, std::int64_t job) {
  const auto left = read_counts(database, job);
  if (!left) return left.error();
  if (left.value().all() > 0) return database.damaged(bad_hash);
  for (const char* sql : {"DELETE FROM queue_site WHERE job = ?1", "DELETE FROM queue_count WHERE job = ?1",
                          "DELETE FROM queue_output WHERE job = ?1"}) {
    if (auto done = run(database, sql, {job}); !done) return done;
  }
  return remove_job_row(database, job);
}

// Removes the next URLs with ids from `from` on, and moves `from` behind them; or else the job. Returns true if the job
// is removed. Precondition: a transaction.
Result<bool> remove_part(Database& database, std::int64_t job, std::int64_t& from) {
  QueueTally tally;
  const std::int64_t begin = from;
  while (from - begin < urls_at_once) {
    const auto batch = find_batch(database, job, from);
    if (!batch) return batch.error();
    if (!batch.value()) break;
    if (auto done = remove_batch(database, *batch.value(), tally); !done) return done.error();
    from = batch.value()->last + 1;
  }
  if (auto kept = apply(database, job, tally); !kept) return kept.error();
  if (from != begin) return false;
  auto done = remove_empty_job(database, job);
  return done ? Result<bool>(true) : done.error();
}

}  // namespace
Result<QueueJob> remove_file_job(const std::string& path, const std::string& job) {
  const auto opened = open_jobs(path, false);
  if (!opened) return opened.error();
  Database& database = *opened.value();
  const auto id = find_job(database, job);
  if (!id) return id.error();
  if (id.value() == 0) {
    return Error{"unknown-job", "The database " + database.path() + " has no job " + base::excerpt(job)};
  }
  const auto lock = CrawlLock::take(database.path(), id.value());
  if (!lock) return lock.error();
  auto removed = in_transaction(database, [&]() -> Result<QueueJob> {
    const auto row = job_with(database, id.value());
    return row ? describe_job(database, row.value()) : row.error();
  });
  if (!removed) return removed;
  removed.value().is_claimed = false;
  std::int64_t from = 1;
  for (bool done = false; !done;) {
    const auto part = in_transaction(database, [&] { return remove_part(database, id.value(), from); });
    if (!part) return part.error();
    done = part.value();
  }
  return removed;
}

}  // namespace robotrules::store
