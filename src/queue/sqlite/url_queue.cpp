#include "queue/sqlite/url_queue.hpp"

#include <algorithm>
#include <utility>

#include "queue/kept_queue.hpp"
#include "queue/sqlite/crawl_lock.hpp"
#include "queue/sqlite/site_claims.hpp"
#include "queue/sqlite/sqlite_jobs.hpp"
#include "queue/sqlite/sqlite_queue_changes.hpp"
#include "queue/sqlite/sqlite_queue_rows.hpp"
#include "store/sqlite/columns.hpp"
#include "store/sqlite/query.hpp"
#include "store/sqlite/shared_database.hpp"
#include "store/sqlite/sqlite_schema.hpp"

namespace robotrules::store {
namespace {

// Number of ids that one transaction of reopen() covers. for_each() reads a tenth of this at once.
constexpr std::int64_t stride = 20'000;

constexpr std::size_t max_page = 4'096;  // sites that claim_sites() reads at once, unless it claims more

class SqliteQueue final : public KeptQueue, private SharedDatabase {
 public:
  SqliteQueue(std::unique_ptr<Database> database, std::int64_t job, UrlHash hash, bool temporary)
      : job_(job), sites_(*database, job), known_(*database, job, hash), temporary_(temporary) {
    own(std::move(database));
  }

  Result<QueueClaim> claim() override {
    return locked([&]() -> Result<QueueClaim> {
      if (claim_) {
        const auto valid = check_own_claim();
        if (valid) return *claim_;
        if (valid.error().code != "claim-lost") return valid.error();
        claim_.reset();
        lock_ = {};
        claims_ = {};
      }
      auto taken = temporary_ ? Result<CrawlLock>(CrawlLock()) : CrawlLock::take(database_->path(), job_);
      if (!taken) return taken.error();
      const auto fence = in_transaction(*database_, [&] { return next_claim(*database_, job_); });
      if (!fence) return fence.error();
      lock_ = std::move(taken).value();
      claim_ = QueueClaim{fence.value()};
      return *claim_;
    });
  }

  Result<std::vector<QueueSite>> claim_sites(const QueueClaim& claim, std::size_t count) override {
    return locked([&]() -> Result<std::vector<QueueSite>> {
      if (auto valid = check_claim(claim); !valid) return valid.error();
      if (auto known = check_header(*database_); !known) return known.error();
      std::vector<QueueSite> found;
      if (auto read = claim_free(count, found); !read) {
        for (const QueueSite& site : found) claims_.drop(site.id);
        claims_.rewind();
        return read.error();
      }
      return found;
    });
  }

  Result<std::vector<QueueItem>> take(const QueueClaim& claim, std::int64_t site, std::optional<QueuePlace> after,
                                      std::size_t count) override {
    return locked([&]() -> Result<std::vector<QueueItem>> {
      if (auto own = check_fence(claim); !own) return own.error();
      const std::string* const origin = claims_.origin_of(site);
      if (origin == nullptr) return not_claimed(site);
      return read_pending(site, *origin, after, count);
    });
  }

  Result<void> release(const QueueClaim& claim, std::span<const std::int64_t> sites) override {
    return locked([&]() -> Result<void> {
      if (auto own = check_fence(claim); !own) return own;
      for (const std::int64_t site : sites) {
        if (!claims_.drop(site)) continue;
        const auto row = site_with(site);
        if (!row) claims_.rewind();  // the next call that reads the site reports the error
        if (row && row.value().pending > 0) claims_.see_pending(place_of(row.value()));
      }
      return {};
    });
  }

  Result<std::vector<QueueSite>> sites(std::optional<QueuePlace> after, std::size_t count) const override {
    return locked([&] { return read_sites(after, count); });
  }

  Result<std::vector<QueueItem>> peek(std::int64_t site, std::optional<QueuePlace> after,
                                      std::size_t count) const override {
    return locked([&]() -> Result<std::vector<QueueItem>> {
      const auto row = site_with(site);
      if (!row) return row.error();
      return read_pending(site, row.value().origin, after, count);
    });
  }

  Result<std::optional<std::uint64_t>> output_position(std::string_view name) const override {
    return locked([&]() -> Result<std::optional<std::uint64_t>> {
      std::optional<std::uint64_t> position;
      const auto read = run_checked(
          *database_, "SELECT position FROM queue_output WHERE name = ?1 AND job = ?2", {name, job_}, bad_position,
          [&](const Statement& row) { return read_count(row, only_column, position.emplace()); });
      return read ? Result<std::optional<std::uint64_t>>(position) : read.error();
    });
  }

  Result<std::optional<QueueItem>> find(std::string_view method, std::string_view url) const override {
    return locked([&]() -> Result<std::optional<QueueItem>> {
      sites_.catch_up();
      const auto sited = sites_.find(url, false);
      if (!sited) return sited.error();
      if (!sited.value()) return std::optional<QueueItem>();
      if (auto ready = known_.catch_up(); !ready) return ready.error();
      const auto known = known_.find(known_.hash_of(method, url), method, *sited.value());
      if (!known) return known.error();
      if (!known.value()) return std::optional<QueueItem>();
      const std::int64_t id = known.value()->id;
      std::vector<QueueItem> found;
      if (auto read = read_items(id, id, ~std::int64_t{0}, found); !read) return read.error();
      if (found.empty()) return database_->damaged(bad_url);
      return std::optional(std::move(found.front()));
    });
  }

  Result<QueueCounts> counts() const override {
    return locked([&]() -> Result<QueueCounts> {
      if (auto job = job_with(*database_, job_); !job) return job.error();
      return read_counts(*database_, job_);
    });
  }

  Result<std::uint64_t> remove(std::span<const std::int64_t> ids) override {
    return locked([&]() -> Result<std::uint64_t> {
      if (auto own = check_own_claim(); !own) return own.error();
      const bool needs_lock = !claim_ && !temporary_;
      const auto lock = needs_lock ? CrawlLock::take(database_->path(), job_) : Result<CrawlLock>(CrawlLock());
      if (!lock) return lock.error();
      known_.reload();
      claims_.rewind();
      return in_transaction(*database_, [&] { return remove_urls(*database_, job_, ids); });
    });
  }

  Result<std::string> note() const override {
    return locked([&]() -> Result<std::string> {
      auto job = job_with(*database_, job_);
      return job ? Result<std::string>(std::move(job.value().note)) : job.error();
    });
  }
  Result<void> set_note(std::string_view note) override {
    return changing([&]() -> Result<void> {
      if (auto job = job_with(*database_, job_); !job) return job.error();
      return run(*database_, "UPDATE job SET note = ?2 WHERE id = ?1", {job_, note});
    });
  }

 private:
  struct NewUrl {
    SitedUrl sited;
    std::uint64_t hash = 0;
    const QueuedUrl* url = nullptr;
  };

  Result<QueueSite> site_with(std::int64_t site) const {
    QueueSite found;
    const auto read = run_checked(*database_, "SELECT * FROM queue_site WHERE id = ?1 AND job = ?2", {site, job_},
                                  bad_site, [&](const Statement& row) { return read_site(row, found); });
    if (!read) return read.error();
    if (found.id == 0) return unknown_site(site);
    return found;
  }

  Result<std::vector<QueueSite>> read_sites(const std::optional<QueuePlace>& after, std::size_t count) const {
    std::vector<QueueSite> found;
    const auto read =
        run_checked(*database_,
                    "SELECT * FROM queue_site INDEXED BY queue_site_pending WHERE pending > 0 AND job = ?4"
                    " AND (rank, id) > (?1, ?2) ORDER BY rank, id LIMIT ?3",
                    {rank_of(after), after ? after->id : 0, limit_of(count), job_}, bad_site,
                    [&](const Statement& row) { return read_site(row, found.emplace_back()); });
    return read ? Result<std::vector<QueueSite>>(std::move(found)) : read.error();
  }

  Result<std::vector<QueueItem>> read_pending(std::int64_t site, const std::string& origin,
                                              const std::optional<QueuePlace>& after, std::size_t count) const {
    std::vector<QueueItem> found;
    const auto read = run_checked(*database_,
                                  "SELECT * FROM queue INDEXED BY queue_pending WHERE site = ?1 AND state = 0"
                                  " AND (rank, id) > (?2, ?3) ORDER BY rank, id LIMIT ?4",
                                  {site, rank_of(after), after ? after->id : 0, limit_of(count)}, bad_url,
                                  [&](const Statement& row) { return read_item(row, origin, found.emplace_back()); });
    return read ? Result<std::vector<QueueItem>>(std::move(found)) : read.error();
  }

  // Claims up to `count` free sites: those after the cursor, and if they are too few, all others.
  Result<void> claim_free(std::size_t count, std::vector<QueueSite>& into) {
    bool from_begin = !claims_.cursor();
    std::size_t page_size = count;
    while (into.size() < count) {
      auto page = read_sites(claims_.cursor(), page_size);
      if (!page) return page.error();
      for (QueueSite& site : page.value()) {
        if (into.size() == count) return {};
        claims_.move_to(place_of(site));
        if (claims_.add(site)) into.push_back(std::move(site));
      }
      if (page.value().size() < page_size) {  // it was the last one
        if (std::exchange(from_begin, true)) return {};
        claims_.rewind();
      }
      page_size = std::max(count, std::min(page_size * 2, max_page));
    }
    return {};
  }

  Result<QueueAdded> add_urls(std::span<const QueuedUrl> urls) override {
    return with_additions(true, [&] { return add_all(urls); });
  }

  Result<void> change_states(std::span<const FinishedUrl> settled, const std::optional<OutputPosition>& output,
                             const QueueClaim* claim, std::span<const QueuedUrl> links) override {
    return with_additions(!links.empty(), [&]() -> Result<void> {
      if (auto valid = claim == nullptr ? check_own_claim() : check_claim(*claim); !valid) return valid;
      QueueTally tally;
      for (const FinishedUrl& one : settled) {
        const auto site = settle_one(*database_, job_, one, tally);
        if (!site) return site.error();
        if (claim != nullptr && !claims_.has(site.value())) return not_claimed(site.value());
      }
      if (auto kept = apply(*database_, job_, tally); !kept) return kept;
      if (!links.empty()) {
        if (const auto added = add_all(links); !added) return added.error();
      }
      return output ? keep_output(*database_, job_, *output) : Result<void>();
    });
  }

  // Runs `body` in one transaction. `adds`: it calls add_all(), which has caught up, so the caches are valid
  // afterwards.
  template <class Body>
  auto with_additions(bool adds, Body body) -> decltype(body()) {
    return locked([&] {
      auto done = in_transaction(*database_, body);
      if (done && adds) known_.committed();
      if (done && adds) sites_.committed();
      return done;
    });
  }

  Result<std::int64_t> last_id() const {
    const auto last = find_number(*database_, "SELECT max(id) FROM queue", {});
    if (!last) return last.error();
    const std::int64_t id = last.value().value_or(0);
    return id < 0 || id > UrlIndex::max_number ? Result<std::int64_t>(database_->damaged(bad_url)) : id;
  }

  // URLs that are added during the pass are not part of it.
  Result<void> begin(Pass& pass) const {
    if (pass.end) return {};
    const auto end = last_id();
    if (!end) return end.error();
    pass.end = end.value();
    return {};
  }

  // A page of ids at a time, so that the file is not held while the caller works.
  Result<std::optional<Items>> read_page(Pass& pass, std::int64_t states) const override {
    return locked([&]() -> Result<std::optional<Items>> {
      if (auto begun = begin(pass); !begun) return begun.error();
      if (pass.last >= *pass.end) return std::optional<Items>();
      Items found;
      auto read = read_items(pass.last + 1, std::min(pass.last + stride / 10, *pass.end), states, found);
      pass.last += stride / 10;
      return read ? Result<std::optional<Items>>(std::move(found)) : read.error();
    });
  }

  Result<std::optional<std::uint64_t>> reopen_page(Pass& pass, std::int64_t states, std::int64_t before) override {
    auto begun = locked([&] { return begin(pass); });
    if (!begun) return begun.error();
    if (pass.last >= *pass.end) return std::optional<std::uint64_t>();
    return changing([&]() -> Result<std::optional<std::uint64_t>> {
      claims_.rewind();
      const auto done = reopen_urls(*database_, job_, pass.last + 1, pass.last + stride, states, before);
      pass.last += stride;
      return done ? Result<std::optional<std::uint64_t>>(done.value()) : done.error();
    });
  }

  // Reads the URLs with ids from `first` to `last` that are in one of the states.
  Result<void> read_items(std::int64_t first, std::int64_t last, std::int64_t states,
                          std::vector<QueueItem>& into) const {
    return run_checked(
        *database_,
        "SELECT queue.*, origin FROM queue LEFT JOIN queue_site ON queue_site.id = site"
        " WHERE queue.id BETWEEN ?1 AND ?2 AND ((1 << state) & ?3) != 0 AND coalesce(job, ?4) = ?4 ORDER BY queue.id",
        {first, last, states, job_}, bad_url, [&](const Statement& row) {
          const std::string_view name = row.bytes(QueueColumn::site_origin);
          const auto origin = Origin::of(name);
          return origin && origin->to_string() == name && read_item(row, name, into.emplace_back());
        });
  }

  // Adds the URLs in the order of their sites, so that few pages of the file and of its index change.
  Result<QueueAdded> add_all(std::span<const QueuedUrl> urls) {
    sites_.catch_up();
    if (auto job = job_with(*database_, job_); !job) return job.error();
    if (auto ready = known_.catch_up(); !ready) return ready.error();
    const auto last = last_id();
    if (!last) return last.error();
    if (last.value() != known_.last()) {
      known_.reload();
      if (auto ready = known_.catch_up(); !ready) return ready.error();
      if (last.value() != known_.last()) return database_->damaged(bad_hash);
    }
    if (urls.size() > static_cast<std::uint64_t>(UrlIndex::max_number - known_.next() + 1)) {
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
    static const std::string& insert =
        *new std::string("INSERT INTO queue(state, " + names_of(new_url_columns) + ") VALUES(0, " +
                         places_of(new_url_columns, '?') + ")");  // never destroyed
    QueueAdded added;
    QueueTally tally;
    for (const NewUrl& one : new_urls) {
      const std::string headers = pack_headers(one.url->headers);
      auto known = known_.find(one.hash, one.url->method, one.sited, headers);
      if (known && !known.value()) known = find_older(*one.url, headers);
      if (!known) return known.error();
      if (known.value()) {
        ++added.duplicates;
        if (!known.value()->same_headers) ++added.other_headers;
        continue;
      }
      const auto& [site, stored] = one.sited;
      auto written = run(*database_, insert.c_str(), new_url_values(known_.next(), site, stored, *one.url, headers));
      if (!written) return written.error();
      known_.add(one.hash);
      tally.enter(site, UrlState::pending, rank_of(one.url->priority));
      ++added.added;
    }
    if (auto kept = known_.write_hashes(); !kept) return kept.error();
    if (auto kept = apply(*database_, job_, tally); !kept) return kept.error();
    for (const auto& [site, change] : tally.sites) claims_.see_pending({priority_of(*change.rank), site});
    return added;
  }

  // Returns the URL of a queue of an older version, under the key that it had there; null: there is none.
  Result<std::optional<KnownUrls::Found>> find_older(const QueuedUrl& url, const std::string& headers) {
    const std::string key = older_key(url);
    if (key.empty()) return std::optional<KnownUrls::Found>();
    const auto sited = sites_.find(key, false);
    if (!sited) return sited.error();
    if (!sited.value()) return std::optional<KnownUrls::Found>();
    return known_.find(known_.hash_of(url.method, key), url.method, *sited.value(), headers);
  }

  // Fails with "unknown-job" if the job was removed, and with "claim-lost" if another process has claimed it since,
  // because a file system lost the lock. Fails with "store-moved" too: what is written now would be lost.
  Result<void> check_own_claim() const {
    if (auto there = database_->check_place(); !there) return there;
    const auto job = job_with(*database_, job_);
    if (!job) return job.error();
    if (!claim_ || job.value().fence == claim_->fence) return {};
    return Error{"claim-lost", "Another process has claimed this job of the database " + database_->path() +
                                   " although it was locked: put the database on a local disk"};
  }
  // Fails with "claim-lost" if it is not the claim of this object.
  Result<void> check_fence(const QueueClaim& claim) const {
    return claim_ && claim_->fence == claim.fence ? Result<void>() : claim_lost();
  }
  Result<void> check_claim(const QueueClaim& claim) const {
    auto own = check_fence(claim);
    return own ? check_own_claim() : own;
  }
  static Error not_claimed(std::int64_t site) {
    return {"claim-lost", "The worker has not claimed the site with the id " + std::to_string(site) +
                              ", or has released it: settle the URLs of a site before it is released"};
  }

  std::int64_t job_;
  mutable QueueSites sites_;
  mutable KnownUrls known_;
  bool temporary_;  // no other process can open it
  std::optional<QueueClaim> claim_;
  CrawlLock lock_;
  SiteClaims claims_;
};

}  // namespace

Result<std::unique_ptr<UrlQueue>> open_file_queue(const std::string& path, const std::string& job,
                                                  const SqliteStoreOptions& options) {
  return open_hashed_queue(path, job, options, url_hash);
}

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
