#include "store/sqlite/url_queue.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "store/gate_row.hpp"
#include "store/sqlite/columns.hpp"
#include "store/sqlite/crawl_lock.hpp"
#include "store/sqlite/jobs.hpp"
#include "store/sqlite/query.hpp"
#include "store/sqlite/queue_changes.hpp"
#include "store/sqlite/queue_rows.hpp"
#include "store/sqlite/schema.hpp"
#include "store/sqlite/shared_database.hpp"

namespace robotrules::store {
namespace {

// Number of ids that one transaction of reopen() covers. for_each() reads a tenth of this at once.
constexpr std::int64_t stride = 20'000;

std::int64_t limit_of(std::size_t count) noexcept {
  return static_cast<std::int64_t>(std::min<std::size_t>(count, std::numeric_limits<std::int32_t>::max()));
}
std::int64_t rank_of(std::int32_t priority) noexcept { return -std::int64_t{priority}; }
std::int64_t rank_of(const std::optional<QueuePlace>& place) noexcept {
  return place ? rank_of(place->priority) : std::numeric_limits<std::int64_t>::min();
}
constexpr std::int64_t bit(UrlState state) noexcept { return std::int64_t{1} << static_cast<unsigned>(state); }

class SqliteQueue final : public UrlQueue, private SharedDatabase {
 public:
  SqliteQueue(std::unique_ptr<Database> database, std::int64_t job, UrlHash hash, bool temporary)
      : job_(job), sites_(*database, job), known_(*database, job, hash), temporary_(temporary) {
    own(std::move(database));
  }

  Result<void> claim() override {
    return locked([&]() -> Result<void> {
      if (temporary_ || claim_.is_held()) return {};
      auto taken = CrawlLock::take(database_->path(), job_);
      if (!taken) return taken.error();
      auto fence = in_transaction(*database_, [&] { return next_claim(*database_, job_); });
      if (!fence) return fence.error();
      claim_ = std::move(taken).value();
      fence_ = fence.value();
      return {};
    });
  }

  Result<QueueAdded> add(std::span<const QueuedUrl> urls) override {
    for (const QueuedUrl& url : urls) {
      if (url.method.empty() || !is_queueable(url.method)) {
        return Error{
            "invalid-request",
            "A request method is empty or contains spaces, \"#\" or control characters: give a method such as GET"};
      }
    }
    return locked([&]() -> Result<QueueAdded> {
      auto done = in_transaction(*database_, [&] { return add_all(urls); });
      if (done) known_.committed();
      if (done) sites_.committed();
      return done;
    });
  }

  Result<std::vector<QueueSite>> sites(std::optional<QueuePlace> after, std::size_t count) const override {
    return locked([&]() -> Result<std::vector<QueueSite>> {
      std::vector<QueueSite> found;
      bool sound = true;
      auto read = run(
          *database_,
          "SELECT * FROM queue_site INDEXED BY queue_site_pending WHERE pending > 0 AND job = ?4"
          " AND (rank, id) > (?1, ?2) ORDER BY rank, id LIMIT ?3",
          [&](Statement& s) {
            s.bind(1, rank_of(after)).bind(2, after ? after->id : 0).bind(3, limit_of(count)).bind(4, job_);
          },
          [&](const Statement& row) { sound = read_site(row, found.emplace_back()) && sound; });
      if (!read) return read.error();
      if (!sound) return damaged_queue("a site");
      return found;
    });
  }

  Result<std::vector<QueueItem>> peek(std::int64_t site, std::optional<QueuePlace> after,
                                      std::size_t count) const override {
    return locked([&]() -> Result<std::vector<QueueItem>> {
      const auto origin = origin_of(site);
      if (!origin) return origin.error();
      std::vector<QueueItem> found;
      bool sound = true;
      auto read = run(
          *database_,
          "SELECT * FROM queue INDEXED BY queue_pending WHERE site = ?1 AND state = 0 AND (rank, id) > (?2, ?3)"
          " ORDER BY rank, id LIMIT ?4",
          [&](Statement& s) {
            s.bind(1, site).bind(2, rank_of(after)).bind(3, after ? after->id : 0).bind(4, limit_of(count));
          },
          [&](const Statement& row) { sound = read_item(row, origin.value(), found.emplace_back()) && sound; });
      if (!read) return read.error();
      if (!sound) return damaged_queue("a URL");
      return found;
    });
  }

  Result<void> settle(std::span<const FinishedUrl> settled, const std::optional<OutputPosition>& output) override {
    for (const FinishedUrl& one : settled) {
      if (one.state == UrlState::pending || static_cast<std::size_t>(one.state) >= queue_states) {
        return Error{"invalid-request",
                     "A URL cannot be settled as pending: give a final state, such as done or failed"};
      }
    }
    return changing([&]() -> Result<void> {
      if (auto own = check_claim(); !own) return own;
      QueueTally tally;
      for (const FinishedUrl& one : settled) {
        if (auto done = settle_one(*database_, job_, one, tally); !done) return done;
      }
      if (auto kept = apply(*database_, job_, tally); !kept || !output) return kept;
      return keep_output(*database_, job_, *output);
    });
  }

  Result<std::optional<std::uint64_t>> output_position(std::string_view name) const override {
    return locked([&]() -> Result<std::optional<std::uint64_t>> {
      std::optional<std::uint64_t> position;
      bool sound = true;
      auto read = run(
          *database_, "SELECT position FROM queue_output WHERE name = ?1 AND job = ?2",
          [&](Statement& s) { s.bind(1, name).bind(2, job_); },
          [&](const Statement& row) { sound = read_count(row, only_column, position.emplace()); });
      if (!read) return read.error();
      if (!sound) return damaged_queue("the position of an output");
      return position;
    });
  }

  Result<std::optional<QueueItem>> find(std::string_view method, std::string_view url) const override {
    return locked([&]() -> Result<std::optional<QueueItem>> {
      sites_.catch_up();
      const auto sited = sites_.find(url, false);
      if (!sited) return sited.error();
      if (!sited.value()) return std::optional<QueueItem>();
      if (auto ready = known_.catch_up(); !ready) return ready.error();
      const auto id = known_.find(known_.hash_of(method, url), method, *sited.value());
      if (!id) return id.error();
      if (!id.value()) return std::optional<QueueItem>();
      std::vector<QueueItem> found;
      if (auto read = read_items(*id.value(), *id.value(), ~std::int64_t{0}, found); !read) return read.error();
      if (found.empty()) return damaged_queue("a URL");
      return std::optional(std::move(found.front()));
    });
  }

  Result<QueueCounts> counts() const override {
    return locked([&] { return read_counts(*database_, job_); });
  }

  Result<std::uint64_t> revisit(std::optional<Timestamp> older_than) override {
    constexpr std::int64_t states =
        bit(UrlState::done) | bit(UrlState::denied) | bit(UrlState::cut) | bit(UrlState::failed);
    return reopen(states, older_than);
  }
  Result<std::uint64_t> retry_failed() override { return reopen(bit(UrlState::cut) | bit(UrlState::failed), {}); }
  Result<std::uint64_t> retry_parked() override { return reopen(bit(UrlState::parked), {}); }

  Result<std::string> note() const override {
    return locked([&]() -> Result<std::string> {
      auto job = job_with(*database_, job_);
      return job ? Result<std::string>(std::move(job.value().note)) : job.error();
    });
  }
  Result<void> set_note(std::string_view note) override {
    return changing([&]() -> Result<void> {
      return run(*database_, "UPDATE job SET note = ?2 WHERE id = ?1",
                 [&](Statement& s) { s.bind(1, job_).bind(2, note); });
    });
  }

  Result<void> for_each(std::optional<UrlState> state,
                        const std::function<bool(const QueueItem&)>& each) const override {
    // A page of ids at a time, so that the file is not held while the caller works.
    const auto last = locked([&] { return last_id(); });
    if (!last) return last.error();
    const std::int64_t states = state ? bit(*state) : ~std::int64_t{0};
    constexpr std::int64_t page = stride / 10;
    std::vector<QueueItem> found;
    for (std::int64_t first = 1; first <= last.value(); first += page) {
      found.clear();
      const auto read = locked([&] { return read_items(first, first + page - 1, states, found); });
      if (!read) return read;
      for (const QueueItem& item : found) {
        if (!each(item)) return {};
      }
    }
    return {};
  }

 private:
  struct NewUrl {
    SitedUrl sited;
    std::uint64_t hash = 0;
    const QueuedUrl* url = nullptr;
  };

  Error damaged_queue(const std::string& what) const { return store::damaged_queue(*database_, what); }

  Result<std::string> origin_of(std::int64_t site) const {
    QueueSite found;
    bool sound = true;
    auto read = run(
        *database_, "SELECT * FROM queue_site WHERE id = ?1 AND job = ?2",
        [&](Statement& s) { s.bind(1, site).bind(2, job_); },
        [&](const Statement& row) { sound = read_site(row, found); });
    if (!read) return read.error();
    if (!sound) return damaged_queue("a site");
    if (found.id == 0)
      return Error{"unknown-site",
                   "The queue has no site with the id " + std::to_string(site) + ": give an id that sites() returned"};
    return std::move(found.origin);
  }

  Result<std::int64_t> last_id() const {
    std::int64_t last = 0;
    auto read = run(*database_, "SELECT max(id) FROM queue", {},
                    [&](const Statement& row) { last = row.integer(only_column); });
    if (!read) return read.error();
    if (last < 0 || last > UrlIndex::max_number) return damaged_queue("a URL");
    return last;
  }

  // Reads the URLs with ids from `first` to `last` that are in one of the states.
  Result<void> read_items(std::int64_t first, std::int64_t last, std::int64_t states,
                          std::vector<QueueItem>& into) const {
    bool sound = true;
    auto read = run(
        *database_,
        "SELECT queue.*, origin FROM queue LEFT JOIN queue_site ON queue_site.id = site"
        " WHERE queue.id BETWEEN ?1 AND ?2 AND ((1 << state) & ?3) != 0 AND coalesce(job, ?4) = ?4 ORDER BY queue.id",
        [&](Statement& s) { s.bind(1, first).bind(2, last).bind(3, states).bind(4, job_); },
        [&](const Statement& row) {
          const std::string_view name = row.bytes(QueueColumn::site_origin);
          const auto origin = Origin::of(name);
          sound = sound && origin && origin->to_string() == name && read_item(row, name, into.emplace_back());
        });
    if (!read) return read;
    return sound ? Result<void>() : damaged_queue("a URL");
  }

  // Adds the URLs in the order of their sites, so that few pages of the file and of its index change.
  Result<QueueAdded> add_all(std::span<const QueuedUrl> urls) {
    sites_.catch_up();
    if (auto ready = known_.catch_up(); !ready) return ready.error();
    const auto last = last_id();
    if (!last) return last.error();
    if (last.value() != known_.next() - 1) return damaged_queue("a hash");
    if (urls.size() > static_cast<std::uint64_t>(UrlIndex::max_number - last.value())) {
      return Error{"queue-full", "The queue of " + database_->path() +
                                     " would have more than 4294967294 URLs: add the rest to another file"};
    }
    std::vector<NewUrl> new_urls;
    new_urls.reserve(urls.size());
    for (const QueuedUrl& url : urls) {
      const auto sited = sites_.find(url.url, true);
      if (!sited) return sited.error();
      new_urls.push_back({*sited.value(), known_.hash_of(url.method, url.url), &url});
    }
    std::stable_sort(new_urls.begin(), new_urls.end(),
                     [](const NewUrl& a, const NewUrl& b) { return a.sited.site < b.sited.site; });
    auto insert = database_->prepared(
        "INSERT INTO queue(id, site, rank, state, url, method, headers) VALUES(?1, ?2, ?3, 0, ?5, ?6, ?7)");
    if (!insert) return insert.error();
    QueueAdded added;
    QueueTally tally;
    for (const NewUrl& one : new_urls) {
      const auto known = known_.find(one.hash, one.url->method, one.sited);
      if (!known) return known.error();
      if (known.value()) {
        ++added.duplicates;
        continue;
      }
      if (auto written = write(*insert.value(), known_.next(), one); !written) return written.error();
      known_.add(one.hash);
      tally.add(one.sited.site, rank_of(one.url->priority));
      ++added.added;
    }
    if (auto kept = known_.write_hashes(); !kept) return kept.error();
    if (auto kept = apply(*database_, job_, tally); !kept) return kept.error();
    return added;
  }

  Result<void> write(Statement& insert, std::int64_t id, const NewUrl& new_url) {
    const QueuedUrl& url = *new_url.url;
    const std::string headers = pack_headers(url.headers);
    const ResetAtEnd reset(insert);
    constexpr int method_at = parameter(QueueColumn::method);
    constexpr int headers_at = parameter(QueueColumn::headers);
    insert.bind(parameter(QueueColumn::id), id);
    insert.bind(parameter(QueueColumn::site), new_url.sited.site);
    insert.bind(parameter(QueueColumn::rank), rank_of(url.priority));
    insert.bind(parameter(QueueColumn::url), new_url.sited.stored);
    url.method == "GET" ? insert.bind_null(method_at) : insert.bind(method_at, url.method);
    headers.empty() ? insert.bind_null(headers_at) : insert.bind_blob(headers_at, headers);
    const int code = insert.step();
    return code == SQLITE_DONE ? Result<void>() : Result<void>(database_->error(code));
  }

  Result<std::uint64_t> reopen(std::int64_t states, std::optional<Timestamp> older_than) {
    const auto last = locked([&] { return last_id(); });
    if (!last) return last.error();
    const std::int64_t before = older_than ? count(bounded(*older_than)) : std::numeric_limits<std::int64_t>::max();
    std::uint64_t reopened = 0;
    for (std::int64_t first = 1; first <= last.value(); first += stride) {
      auto done = changing([&] { return reopen_page(*database_, job_, first, first + stride - 1, states, before); });
      if (!done) return done;
      reopened += done.value();
    }
    return reopened;
  }

  // Returns an error if another process has claimed the job since, because a file system lost the lock.
  Result<void> check_claim() const {
    if (!claim_.is_held()) return {};
    const auto job = job_with(*database_, job_);
    if (!job) return job.error();
    if (job.value().fence == fence_) return {};
    return Error{"queue-claimed", "Another process has claimed this job of the database " + database_->path() +
                                      " although it was locked: put the database on a local disk"};
  }

  std::int64_t job_;
  mutable QueueSites sites_;
  mutable KnownUrls known_;
  bool temporary_;  // no other process can open it
  CrawlLock claim_;
  std::int64_t fence_ = 0;  // that of the claim
};

}  // namespace

Result<std::unique_ptr<UrlQueue>> open_hashed_queue(const std::string& path, const std::string& job,
                                                    const SqliteStoreOptions& options, UrlHash hash) {
  if (auto named = check_job_name(job); !named) return named.error();
  auto opened = path.empty() ? Database::open_temporary() : Database::open(path, options);
  if (!opened) return opened.error();
  Database& database = *opened.value();
  auto ready = path.empty() ? prepare_temporary(database) : prepare_tables(database, options);
  // A large transaction changes pages all over the index of pending URLs, so it needs a large cache.
  if (ready) ready = database.run("PRAGMA cache_size = -262144");
  if (ready) ready = database.run("PRAGMA wal_autocheckpoint = 65536");
  if (!ready) return ready.error();
  const auto id = in_transaction(database, [&] { return find_or_add_job(database, job); });
  if (!id) return id.error();
  return std::unique_ptr<UrlQueue>(
      std::make_unique<SqliteQueue>(std::move(opened).value(), id.value(), hash, path.empty()));
}

}  // namespace robotrules::store

namespace robotrules {

Result<std::unique_ptr<UrlQueue>> open_url_queue(const std::string& name, const std::string& job,
                                                 const SqliteStoreOptions& options) {
  return store::open_hashed_queue(std::string(store::path_in(name)), job, options, store::url_hash);
}

}  // namespace robotrules
