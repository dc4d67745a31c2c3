// The check of the queue of a file, and the repair of a damaged one.
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>

#include <robotrules/open_store.hpp>

#include "base/escape.hpp"
#include "queue/sqlite/sqlite_jobs.hpp"
#include "queue/sqlite/sqlite_queue_rows.hpp"
#include "queue/sqlite/url_queue.hpp"
#include "queue/url_index.hpp"
#include "repair/sqlite_problems.hpp"
#include "store/sqlite/columns.hpp"
#include "store/sqlite/query.hpp"
#include "store/sqlite/sqlite_schema.hpp"

namespace robotrules::store {
namespace {

constexpr std::int64_t queue_version = 3;
constexpr std::size_t old_queue_states = 5;  // before version 6, which added UrlState::cut and jobs

// A site as its row describes it, and as its URLs show it.
struct SeenSite {
  QueueSite stored;
  std::int64_t job = 0;
  std::uint64_t pending = 0;
  std::int32_t priority = std::numeric_limits<std::int32_t>::min();
};
using UrlCounts = std::map<std::int64_t, std::array<std::uint64_t, queue_states>>;  // of each job, by state
using SeenSites = std::unordered_map<std::int64_t, SeenSite>;

// Reads the hashes in the order of their URLs, one row at a time.
class HashReader {
 public:
  explicit HashReader(Database& database) : database_(database) { read_row(); }

  // Passes over URLs that were removed, and returns how many.
  std::int64_t skip_removed() {
    const std::int64_t begin = next_;
    while (removed_ > 0) {
      next_ += removed_;
      read_row();
    }
    return next_ - begin;
  }
  // Returns the hash of the next URL, or null if there is none.
  std::optional<std::uint64_t> next() {
    if (at_ == row_.size()) return std::nullopt;
    std::uint64_t hash = 0;
    std::memcpy(&hash, row_.data() + at_, sizeof hash);
    at_ += sizeof hash;
    ++next_;
    if (at_ == row_.size()) read_row();
    return hash;
  }

 private:
  void read_row() {
    row_.clear();
    at_ = 0;
    removed_ = 0;
    static_cast<void>(run(database_, "SELECT first, hashes FROM queue_hash WHERE first >= ?1 ORDER BY first LIMIT 1",
                          {next_}, [&](const Statement& row) {
                            const auto found = read_hashes(row, next_);
                            if (!found) return;
                            row_ = found->hashes;
                            if (row_.empty()) removed_ = found->urls;
                          }));
  }

  Database& database_;
  std::string row_;
  std::size_t at_ = 0;
  std::int64_t removed_ = 0;  // URLs from `next_` on that were removed; then `row_` is empty
  std::int64_t next_ = 1;
};

// Returns true if the queue has jobs: files before version 6 had none.
bool has_jobs(Database& database) { return run(database, "SELECT id FROM job LIMIT 0", {}).ok(); }

// Returns the job of a row of "SELECT * FROM queue_site". The columns of the table begin with the column `begin`.
std::int64_t job_of_site(const Statement& row, int begin = 0) {
  const int column = begin + QueueSiteColumn::job;
  return row.columns() > column ? row.integer(column) : first_job_id;
}

// Returns a query of the counts with the columns of QueueCountColumn.
const char* count_rows(Database& database) {
  return has_jobs(database) ? "SELECT * FROM queue_count" : "SELECT 1, state, urls FROM queue_count";
}

// Compares the stored sums with the URLs. With wrong sums, a crawl would not fetch some of the URLs.
int compare_sums(Database& database, const SeenSites& sites, const UrlCounts& urls, Problems& problems) {
  for (const auto& [id, site] : sites) {
    if (site.pending != site.stored.pending || (site.pending > 0 && site.priority != site.stored.priority)) {
      problems.add("the queue's counts of " + base::excerpt(site.stored.origin) + " are wrong");
    }
  }
  std::size_t sound = 0;
  std::size_t rows = 0;
  const int code = read_all(database, count_rows(database), [&](const Statement& row) {
    const std::int64_t state = row.integer(QueueCountColumn::state);
    const auto job = urls.find(row.integer(QueueCountColumn::job));
    std::uint64_t stored = 0;
    const bool known = job != urls.end() && state >= 0 && state < std::int64_t{queue_states} &&
                       read_count(row, QueueCountColumn::urls, stored);
    if (known && stored == job->second[static_cast<std::size_t>(state)]) ++sound;
    ++rows;
  });
  const std::size_t expected = has_jobs(database) ? urls.size() * queue_states : old_queue_states;
  if (code == SQLITE_DONE && (sound != rows || sound != expected)) problems.add("the queue's counts are wrong");
  return code;
}

// The next functions read one table each, add its problems, and return the code with which reading ended.

// Finds the jobs.
int check_jobs(Database& database, Problems& problems, UrlCounts& counts) {
  if (!has_jobs(database)) {
    counts[first_job_id];
    return SQLITE_DONE;
  }
  return read_all(database, "SELECT * FROM job", [&](const Statement& row) {
    Job job;
    if (read_job(row, job)) {
      counts[job.id];
    } else {
      problems.add("\"" + base::excerpt(row.bytes(JobColumn::name)) + "\" in the queue is not a job");
    }
  });
}

int check_sites(Database& database, Problems& problems, SeenSites& sites) {
  return read_all(database, "SELECT * FROM queue_site", [&](const Statement& row) {
    SeenSite site;
    if (read_site(row, site.stored)) {
      site.job = job_of_site(row);
      sites.emplace(site.stored.id, std::move(site));
    } else {
      problems.add("\"" + base::excerpt(row.bytes(QueueSiteColumn::origin)) + "\" in the queue is not a site");
    }
  });
}

// Checks the URLs and their hashes, and counts the URLs of each site and in each state.
class UrlCheck {
 public:
  UrlCheck(Database& database, Problems& problems, SeenSites& sites, UrlCounts& counts)
      : database_(database),
        problems_(problems),
        sites_(sites),
        key_(queue_key(database)),
        hashes_(database),
        counts_(counts) {
    if (!key_) problems_.add(key_.error().message);
  }

  int run() {
    const int code =
        read_all(database_, "SELECT * FROM queue ORDER BY id", [this](const Statement& row) { check(row); });
    hashes_.skip_removed();
    if (code == SQLITE_DONE && hashes_.next()) problems_.add("the queue has hashes of URLs that are missing");
    return code;
  }

 private:
  void check(const Statement& row) {
    const std::int64_t id = row.integer(QueueColumn::id);
    const std::string name = "URL " + std::to_string(id) + " of the queue";
    last_ += hashes_.skip_removed();
    if (id != ++last_) problems_.add("the queue's numbers have a gap before " + std::to_string(id));
    last_ = id;
    const auto hash = hashes_.next();
    const auto site = sites_.find(row.integer(QueueColumn::site));
    QueueItem item;
    if (site == sites_.end()) return problems_.add("the site of " + name + " is missing");
    if (!read_item(row, site->second.stored.origin, item)) return problems_.add(name + " can't be read");
    if (key_ && hash != url_hash(key_.value(), site->second.job, item.request.method, item.request.url)) {
      problems_.add(name + " has a wrong hash");
    }
    const auto job = counts_.find(site->second.job);
    if (job == counts_.end()) return problems_.add("the job of " + name + " is missing");
    ++job->second[static_cast<std::size_t>(item.state)];
    if (item.state != UrlState::pending) return;
    ++site->second.pending;
    site->second.priority = std::max(site->second.priority, item.request.priority);
  }

  Database& database_;
  Problems& problems_;
  SeenSites& sites_;
  const Result<SipKey> key_;
  HashReader hashes_;
  UrlCounts& counts_;
  std::int64_t last_ = 0;
};

int check_outputs(Database& database, Problems& problems) {
  return read_all(database, "SELECT name, position FROM queue_output", [&](const Statement& row) {
    std::uint64_t position = 0;
    if (!row.is(QueueOutputColumn::name, ValueKind::text) || !read_count(row, QueueOutputColumn::position, position)) {
      problems.add("the position of an output can't be read");
    }
  });
}

// Returns true if a file of this version has a queue. The definitions of the tables say more than the header, which may
// be damaged.
bool has_queue(Database& database) {
  const auto in_header = version_in_header(database);
  const auto by_tables = version_by_tables(database);
  if (by_tables && by_tables.value()) return *by_tables.value() >= queue_version;
  return !in_header || in_header.value() >= queue_version;
}

}  // namespace

int find_queue_problems(Database& database, Problems& problems) {
  if (!has_queue(database)) return SQLITE_DONE;
  SeenSites sites;
  int code = check_sites(database, problems, sites);
  if (code != SQLITE_DONE) return code;
  UrlCounts counts;
  code = check_jobs(database, problems, counts);
  if (code != SQLITE_DONE) return code;
  UrlCheck urls(database, problems, sites, counts);
  code = urls.run();
  if (code == SQLITE_DONE) code = compare_sums(database, sites, counts, problems);
  if (code == SQLITE_DONE) code = check_outputs(database, problems);
  return code;
}

namespace {

// Collects the rows of a job from rows of all jobs, and adds many of them to the new file at once. A row may come
// twice, because the new queue skips URLs that it already has.
class QueueRescue {
 public:
  QueueRescue(std::unique_ptr<UrlQueue> to, std::int64_t job) : to_(std::move(to)), job_(job) {}

  // `row` has the columns of QueueColumn and, after them, those of QueueSiteColumn.
  void keep(const Statement& row) {
    if (job_of_site(row, QueueColumn::site_origin + 1) != job_) return;
    const auto origin = Origin::of(row.bytes(QueueColumn::site_origin));
    QueueItem item;
    if (!origin || !read_item(row, origin->to_string(), item)) return;
    items_.push_back(std::move(item));
    if (items_.size() >= 10'000) flush();
  }
  Result<std::uint64_t> end() {
    flush();
    if (failed_) return *failed_;
    return kept_;
  }

 private:
  void flush() {
    std::vector<QueuedUrl> urls;
    urls.reserve(items_.size());
    for (const QueueItem& item : items_) urls.push_back(item.request);
    const auto added = to_->add(urls);
    if (!added) failed_ = added.error();
    std::vector<FinishedUrl> settled;
    for (QueueItem& item : items_) {
      if (failed_ || item.state == UrlState::pending) continue;
      const auto found = to_->find(item.request.method, item.request.url);
      if (!found) failed_ = found.error();
      if (!failed_ && found.value()) settled.push_back({found.value()->id, item.state, *std::move(item.result)});
    }
    items_.clear();
    if (failed_) return;
    if (const auto done = to_->settle(settled, {}); !done) failed_ = done.error();
    kept_ += added.value().added;
  }

  std::unique_ptr<UrlQueue> to_;
  std::int64_t job_;
  std::vector<QueueItem> items_;
  std::uint64_t kept_ = 0;
  std::optional<Error> failed_;
};

// Returns the jobs by their ids: those that have a row, and those that only have sites. A job whose row is damaged gets
// a new name.
std::map<std::int64_t, Job> jobs_to_rescue(Database& from) {
  std::map<std::int64_t, Job> jobs;
  if (!has_jobs(from)) {
    jobs[first_job_id].name = default_job;
    return jobs;
  }
  read_all(from, "SELECT * FROM job", [&](const Statement& row) {
    Job job;
    if (read_job(row, job)) jobs[job.id] = job;
  });
  read_all(from, "SELECT DISTINCT job FROM queue_site NOT INDEXED", [&](const Statement& row) {
    const std::int64_t id = row.integer(only_column);
    Job& job = jobs[id];
    if (job.name.empty()) job.name = "job-" + std::to_string(id);
  });
  return jobs;
}

}  // namespace

namespace {

// The columns that versions 7 to 9 added to the table queue: a table of an older version lacks the last of them.
constexpr std::size_t added_columns = QueueColumn::site_origin - QueueColumn::page_at;

std::size_t missing_columns_of_queue(Database& from) {
  constexpr std::int64_t all = QueueColumn::site_origin;
  std::int64_t columns = all;
  static_cast<void>(run(from, "SELECT count(*) FROM pragma_table_info('queue')", {},
                        [&](const Statement& row) { columns = row.integer(only_column); }));
  return static_cast<std::size_t>(std::clamp<std::int64_t>(all - columns, 0, added_columns));
}

// Returns the query for all URLs of a queue that lacks so many columns: forward, and from the end.
const std::array<std::string, 2>& rows_of_queue(std::size_t missing) {
  static const auto all = [] {
    std::array<std::array<std::string, 2>, added_columns + 1> made;
    std::string columns = "queue.*";
    for (auto& [forward, backward] : made) {
      forward = "SELECT " + columns +
                ", origin, queue_site.* FROM queue JOIN queue_site ON queue_site.id = site ORDER BY queue.id";
      backward = forward + " DESC";
      columns += ", NULL";
    }
    return made;
  }();
  return all[missing];
}

}  // namespace

// One job after the other, because an open queue needs files and memory. The positions of outputs are not copied. URLs
// whose responses are before a position may have lost their state, so the next crawl must read its outputs from the
// beginning.
Result<std::uint64_t> rescue_queue(Database& from, const std::string& to) {
  const auto& queries = rows_of_queue(missing_columns_of_queue(from));
  std::uint64_t rescued = 0;
  for (const auto& [id, job] : jobs_to_rescue(from)) {
    auto queue = open_file_queue(to, job.name, {});
    if (!queue) return queue.error();
    if (auto noted = queue.value()->set_note(job.note); !noted) return noted.error();
    QueueRescue rescue(std::move(queue).value(), id);
    const auto keep = [&](const Statement& row) { rescue.keep(row); };
    for (const std::string& sql : queries) {
      const auto read = run(from, sql.c_str(), {}, keep);
      if (read) break;
      if (read.error().code != "store-damaged" && read.error().code != "store-foreign") return read.error();
    }
    const auto ended = rescue.end();
    if (!ended) return ended.error();
    rescued += ended.value();
  }
  return rescued;
}

}  // namespace robotrules::store
