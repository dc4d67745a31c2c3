#include "servers/postgres/queue/queue_jobs.hpp"

#include <robotrules/open_store.hpp>

#include "servers/postgres/queue/postgres_queue.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "base/escape.hpp"
#include "queue/queue_values.hpp"
#include "servers/postgres/machine.hpp"
#include "servers/postgres/postgres_schema.hpp"
#include "servers/postgres/queue/postgres_queue_rows.hpp"
#include "servers/postgres/queue/queue_worker.hpp"
#include "servers/postgres/sql.hpp"
#include "store/request_check.hpp"

namespace robotrules::store::postgres {
namespace {

constexpr std::int64_t urls_at_once = 20'000;  // in one transaction
constexpr std::chrono::minutes removal_limit{5};

std::chrono::seconds lease_of(const Pool& pool) {
  return pool.settings().owner_lease.value_or(ServerStoreOptions().owner_lease);
}

Error being_removed(const std::string& job, const std::string& server) {
  return {"queue-claimed", "The job " + base::excerpt(job) + " of the store " + server +
                               " is being removed: remove it again if that was interrupted, or wait"};
}

// Statements that describe all jobs, or the one with the id `only`.
Batch describe(const Pool& pool, Number only) {
  return {{sql("describe_jobs"), {only}},
          {sql("describe_counts"), {only}},
          {sql("describe_outputs"), {only}},
          {sql("describe_workers"), {only, scripted_time(pool), length_of(lease_of(pool))}},
          {sql("describe_sites"), {only}}};
}

std::vector<QueueJob> jobs_in(const Answers& answers) {
  std::vector<QueueJob> jobs;
  std::map<std::int64_t, std::size_t> places;
  const auto each = [&](std::size_t answer, const auto& read) {
    const Rows& rows = answers[answer];
    for (int row = 0; row < rows.size(); ++row) {
      const auto place = places.find(rows.number(row, 0));
      if (place != places.end()) read(rows, row, jobs[place->second]);
    }
  };
  for (int row = 0; row < answers[0].size(); ++row) {
    places.emplace(answers[0].number(row, 0), jobs.size());
    QueueJob& job = jobs.emplace_back();
    job.name = answers[0].bytes(row, 1);
    job.note = answers[0].bytes(row, 2);
  }
  each(1, [](const Rows& rows, int row, QueueJob& job) { job.counts = counts_in(rows, row, 1); });
  each(2, [](const Rows& rows, int row, QueueJob& job) {
    const std::string machine(rows.bytes(row, 1));
    const std::string_view name = rows.bytes(row, 2);
    job.outputs.push_back((machine == this_machine() ? std::string() : host_in(machine) + ":").append(name));
  });
  each(3, [](const Rows& rows, int row, QueueJob& job) {
    job.workers = static_cast<std::uint64_t>(rows.number(row, 1));
    job.is_claimed = job.workers > 0;
    job.urls_per_second = static_cast<double>(rows.number(row, 2)) / 1'000;
  });
  each(4, [](const Rows& rows, int row, QueueJob& job) {
    job.claimed_sites = static_cast<std::uint64_t>(rows.number(row, 1));
    job.free_sites = static_cast<std::uint64_t>(rows.number(row, 2));
  });
  return jobs;
}

// Marks the job as being removed, so that no worker comes, and returns it as it was. Fails with "queue-claimed" if it
// has a worker.
Result<QueueJob> begin_removal(Pool& pool, std::int64_t id, const std::string& name) {
  return pool.transact([&](Transaction& transaction) -> Result<QueueJob> {
    const auto locked = transaction.run({{sql("lock_job_to_remove"), {id}}});
    if (!locked) return locked.error();
    Batch batch = describe(pool, id);
    batch.push_back({sql("find_other_worker"), {id, std::int64_t{0}, scripted_time(pool), length_of(lease_of(pool))}});
    batch.push_back({sql("mark_removed"), {id}});
    const auto answers = transaction.run(std::move(batch));
    if (!answers) return answers.error();
    const Rows& workers = answers.value()[answers.value().size() - 2];
    if (workers.size() > 0) {
      return Error{"queue-claimed", "The job " + base::excerpt(name) + " of the store " + pool.shown() +
                                        " has a worker (" + base::excerpt(workers.bytes(0, 0)) +
                                        "): stop it, or wait until its lease has ended"};
    }
    auto jobs = jobs_in(answers.value());
    if (const auto done = transaction.commit(); !done) return done.error();
    if (jobs.empty()) return job_removed(pool.shown());
    return std::move(jobs.front());
  });
}

// Removes the next URLs of the job. Returns false if there are none left.
Result<bool> remove_part(Pool& pool, std::int64_t job) {
  const auto done = pool.change({{sql("remove_urls"), {job, urls_at_once}}}, removal_limit);
  return done ? Result<bool>(done.value().front().changed() > 0) : done.error();
}

Result<void> remove_rest(Pool& pool, std::int64_t job) {
  Batch batch;
  for (const char* name : {"remove_sites", "remove_counts", "remove_outputs", "remove_workers", "remove_job"}) {
    batch.push_back({sql(name), {job}});
  }
  return without_value(pool.change(std::move(batch), removal_limit));
}

}  // namespace

Result<std::int64_t> find_or_add_job(Pool& pool, const std::string& name) {
  return pool.transact([&](Transaction& transaction) -> Result<std::int64_t> {
    const Statement find{sql("find_job"), {name}};
    const auto known = transaction.commit({{sql("add_job"), {name}}, find});
    if (!known) return known.error();
    const Rows& rows = known.value().back();
    if (rows.size() == 0) return Error{std::string(again_code), "The job was removed meanwhile"};
    if (rows.number(0, 1) != 0) return being_removed(name, pool.shown());
    return rows.number(0, 0);
  });
}

Statement find_job(std::int64_t id) { return {sql("lock_job"), {id}}; }

Result<std::vector<QueueJob>> list_jobs(const std::string& name) {
  const auto pool = open_database(name, {});
  if (!pool) return pool.error();
  const auto answers = pool.value()->read(describe(*pool.value(), {}));
  if (!answers) return answers.error();
  return jobs_in(answers.value());
}

Result<QueueJob> remove_job(const std::string& name, const std::string& job) {
  const auto opened = open_database(name, {});
  if (!opened) return opened.error();
  Pool& pool = *opened.value();
  const auto known = pool.read({{sql("find_job"), {job}}});
  if (!known) return known.error();
  if (known.value().front().size() == 0) {
    return Error{"unknown-job", "The store " + pool.shown() + " has no job " + base::excerpt(job)};
  }
  const std::int64_t id = known.value().front().number(0, 0);
  if (auto buried = bury_ended(pool, id); !buried) return buried.error();
  auto removed = begin_removal(pool, id, job);
  if (!removed) return removed;
  for (bool left = true; left;) {
    const auto part = remove_part(pool, id);
    if (!part) return part.error();
    left = part.value();
  }
  if (auto done = remove_rest(pool, id); !done) return done.error();
  return removed;
}

}  // namespace robotrules::store::postgres
