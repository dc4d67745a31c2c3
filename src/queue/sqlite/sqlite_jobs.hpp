// The jobs of a file: each has its own queue and its own outputs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "base/visibility.hpp"
#include "store/sqlite/database.hpp"

namespace robotrules::store {

// A row of the table job.
struct Job {
  std::int64_t id = 0;
  std::string name;
  std::int64_t fence = 0;  // the number of the last claim
  std::string note;
};

// Reads a row of "SELECT * FROM job". Returns false if it is damaged.
bool read_job(const Statement& row, Job& into);
// Fails with "unknown-job" if there is no such row, and with "store-damaged" if it is damaged.
Result<Job> job_with(Database& database, std::int64_t id);
// Fails with "store-damaged" if a count is missing or damaged.
Result<QueueCounts> read_counts(Database& database, std::int64_t job);

// Returns the job as list_jobs() does. Precondition: a transaction.
Result<QueueJob> describe_job(Database& database, const Job& job);
// Opens the file of list_jobs() and remove_job(). It must exist; `to_read`: it may be read-only.
Result<std::unique_ptr<Database>> open_jobs(const std::string& path, bool to_read);
// Do what list_jobs() and remove_job() do with a file.
ROBOTRULES_INTERNAL_API Result<std::vector<QueueJob>> list_file_jobs(const std::string& path);
ROBOTRULES_INTERNAL_API Result<QueueJob> remove_file_job(const std::string& path, const std::string& job);

// The next functions change the file. Precondition: a transaction.

// Returns the id of the job; 0: there is none.
Result<std::int64_t> find_job(Database& database, const std::string& name);
// Adds the job if there is none, and returns its id.
Result<std::int64_t> find_or_add_job(Database& database, const std::string& name);
// Counts a claim of the job and returns its number.
Result<std::int64_t> next_claim(Database& database, std::int64_t job);
// Removes the row of a job. No job gets its id again, because other processes may still use it for the removed one.
Result<void> remove_job_row(Database& database, std::int64_t job);
// Keeps the position of an output of the job. Fails with "output-taken" if the output belongs to another job.
Result<void> keep_output(Database& database, std::int64_t job, const OutputPosition& output);

}  // namespace robotrules::store
