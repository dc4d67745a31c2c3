#include "queue/sqlite/sqlite_jobs.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "queue/sqlite/crawl_lock.hpp"
#include "queue/sqlite/sqlite_queue_rows.hpp"
#include "store/gate_row.hpp"
#include "store/sqlite/columns.hpp"
#include "store/sqlite/query.hpp"
#include "store/sqlite/sqlite_schema.hpp"

namespace robotrules::store {

bool read_job(const Statement& row, Job& into) {
  if (!row.is(JobColumn::id, ValueKind::number) || !row.is(JobColumn::name, ValueKind::text) ||
      !row.is(JobColumn::fence, ValueKind::number) || !row.is(JobColumn::note, ValueKind::text)) {
    return false;
  }
  into = {row.integer(JobColumn::id), std::string(row.bytes(JobColumn::name)), row.integer(JobColumn::fence),
          std::string(row.bytes(JobColumn::note))};
  return check_job_name(into.name).ok() && into.fence >= 0 && into.fence < max_count;
}

namespace {

Result<std::vector<Job>> all_jobs(Database& database) {
  std::vector<Job> jobs;
  const auto read = run_checked(database, "SELECT * FROM job ORDER BY id", {}, bad_job,
                                [&](const Statement& row) { return read_job(row, jobs.emplace_back()); });
  return read ? Result<std::vector<Job>>(std::move(jobs)) : read.error();
}

}  // namespace

Result<Job> job_with(Database& database, std::int64_t id) {
  std::optional<Job> job;
  const auto read = run_checked(database, "SELECT * FROM job WHERE id = ?1", {id}, bad_job,
                                [&](const Statement& row) { return read_job(row, job.emplace()); });
  if (!read) return read.error();
  if (job) return *std::move(job);
  return Error{"unknown-job", "This job of the database " + database.path() + " was removed: open another one"};
}

Result<QueueCounts> read_counts(Database& database, std::int64_t job) {
  QueueCounts counts;
  std::size_t rows = 0;
  const auto read = run_checked(
      database, "SELECT * FROM queue_count WHERE job = ?1 ORDER BY state", {job}, bad_count, [&](const Statement& row) {
        const std::size_t state = rows++;
        return state < queue_states && row.integer(QueueCountColumn::state) == static_cast<std::int64_t>(state) &&
               read_count(row, QueueCountColumn::urls, counts.of(all_url_states[state]));
      });
  if (!read) return read.error();
  if (rows != queue_states) return database.damaged(bad_count);
  return counts;
}

Result<std::int64_t> find_job(Database& database, const std::string& name) {
  const auto id = find_number(database, "SELECT id FROM job WHERE name = ?1", {name});
  return id ? Result<std::int64_t>(id.value().value_or(0)) : id.error();
}

Result<std::int64_t> find_or_add_job(Database& database, const std::string& name) {
  auto found = find_job(database, name);
  if (!found || found.value() != 0) return found;
  auto done = run(database,
                  "INSERT INTO job(id, name) SELECT 1 + max(coalesce((SELECT max(id) FROM job), 0), coalesce((SELECT"
                  " CAST(value AS INTEGER) FROM meta WHERE name = 'last_removed_job'), 0)), ?1",
                  {name});
  if (!done) return done.error();
  const std::int64_t id = sqlite3_last_insert_rowid(database.handle());
  for (const UrlState state : all_url_states) {
    done = run(database, "INSERT INTO queue_count(job, state, urls) VALUES(?1, ?2, 0)",
               {id, static_cast<std::int64_t>(state)});
    if (!done) return done.error();
  }
  return id;
}

Result<void> remove_job_row(Database& database, std::int64_t job) {
  auto done = run(database,
                  "INSERT OR REPLACE INTO meta(name, value) SELECT 'last_removed_job', max(?1, coalesce((SELECT"
                  " CAST(value AS INTEGER) FROM meta WHERE name = 'last_removed_job'), 0))",
                  {job});
  return done ? run(database, "DELETE FROM job WHERE id = ?1", {job}) : done;
}

Result<std::int64_t> next_claim(Database& database, std::int64_t job) {
  const auto known = job_with(database, job);
  if (!known) return known.error();
  const std::int64_t fence = known.value().fence + 1;
  const auto done = run(database, "UPDATE job SET fence = ?2 WHERE id = ?1", {job, fence});
  return done ? Result<std::int64_t>(fence) : done.error();
}

Result<void> keep_output(Database& database, std::int64_t job, const OutputPosition& output) {
  const auto owner = find_number(database, "SELECT job FROM queue_output WHERE name = ?1", {output.name});
  if (!owner) return owner.error();
  if (owner.value().value_or(job) != job) {
    const auto other = job_with(database, *owner.value());
    if (!other) return other.error();
    return Error{"output-taken", output.name + " belongs to the job " + other.value().name + " of the database " +
                                     database.path() + ": go on with that job, or give another output"};
  }
  const auto position = static_cast<std::int64_t>(std::min<std::uint64_t>(output.position, max_count));
  return run(database, "INSERT OR REPLACE INTO queue_output(name, position, job) VALUES(?1, ?2, ?3)",
             {output.name, position, job});
}

Result<QueueJob> describe_job(Database& database, const Job& job) {
  QueueJob described;
  described.name = job.name;
  described.note = job.note;
  described.is_claimed = CrawlLock::is_taken(database.path(), job.id);
  described.workers = described.is_claimed ? 1 : 0;
  const auto counts = read_counts(database, job.id);
  if (!counts) return counts.error();
  described.counts = counts.value();
  // The file does not have the sites of a worker.
  const auto free_sites = find_number(
      database, "SELECT count(*) FROM queue_site INDEXED BY queue_site_pending WHERE pending > 0 AND job = ?1",
      {job.id});
  if (!free_sites) return free_sites.error();
  described.free_sites = static_cast<std::uint64_t>(free_sites.value().value_or(0));
  auto done = run(database, "SELECT name FROM queue_output WHERE job = ?1 ORDER BY name", {job.id},
                  [&](const Statement& row) { described.outputs.emplace_back(row.bytes(only_column)); });
  return done ? Result<QueueJob>(std::move(described)) : done.error();
}

Result<std::unique_ptr<Database>> open_jobs(const std::string& path, bool to_read) {
  SqliteStoreOptions options;
  options.create = false;
  options.accept_read_only = to_read;
  auto opened = Database::open(path, options);
  if (!opened) return opened;
  if (auto ready = prepare_tables(*opened.value(), options); !ready) return ready.error();
  return opened;
}

Result<std::vector<QueueJob>> list_file_jobs(const std::string& path) {
  const auto opened = open_jobs(path, true);
  if (!opened) return opened.error();
  Database& database = *opened.value();
  return in_transaction(database, [&]() -> Result<std::vector<QueueJob>> {
    const auto known = all_jobs(database);
    if (!known) return known.error();
    std::vector<QueueJob> jobs;
    for (const Job& one : known.value()) {
      auto job = describe_job(database, one);
      if (!job) return job.error();
      jobs.push_back(std::move(job).value());
    }
    return jobs;
  });
}

}  // namespace robotrules::store
