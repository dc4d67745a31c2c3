#include "servers/postgres/queue/postgres_queue.hpp"

#include <robotrules/url.hpp>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <random>
#include <utility>
#include <vector>

#include "base/escape.hpp"
#include "queue/kept_queue.hpp"
#include "queue/queue_values.hpp"
#include "servers/postgres/postgres_schema.hpp"
#include "servers/postgres/queue/postgres_queue_changes.hpp"
#include "servers/postgres/queue/postgres_queue_rows.hpp"
#include "servers/postgres/queue/queue_addition.hpp"
#include "servers/postgres/queue/queue_jobs.hpp"
#include "servers/postgres/queue/queue_outputs.hpp"
#include "servers/postgres/queue/queue_worker.hpp"
#include "servers/postgres/sql.hpp"
#include "store/request_check.hpp"

namespace robotrules::store::postgres {
namespace {

// Rows that for_each() passes over at once, and those that one transaction of reopen() covers.
constexpr std::int64_t page_rows = 5'000;
constexpr std::int64_t stride = 20'000;
constexpr std::chrono::seconds stride_limit{60};
constexpr std::chrono::microseconds time_per_result{500};

class PostgresQueue final : public KeptQueue {
 public:
  PostgresQueue(std::shared_ptr<Pool> pool, std::int64_t job, std::chrono::seconds lease)
      : pool_(std::move(pool)), job_(job), lease_(lease) {}

  bool is_shared() const noexcept override { return true; }

  Result<QueueClaim> claim() override {
    const std::lock_guard lock(claim_mutex_);
    if (const auto known = worker(); known != nullptr && !known->is_lost()) {
      const auto valid = check_worker(*known);
      if (valid) return QueueClaim{known->fence()};
      if (valid.error().code != "claim-lost") return valid.error();
    }
    auto made = Worker::begin(pool_, lease_, job_, pool_->shown());
    if (!made) return made.error();
    const std::shared_ptr<Worker> next = std::move(made).value();
    set_worker(next);
    return QueueClaim{next->fence()};
  }

  Result<std::vector<QueueSite>> claim_sites(const QueueClaim& claim, std::size_t count) override {
    const auto own = worker_of(claim);
    if (!own) return own.error();
    Worker& worker = *own.value();
    const auto lock = worker.sites().lock();
    auto claimed = pool_->transact([&](Transaction& transaction) -> Result<std::vector<QueueSite>> {
      const auto dead =
          transaction.run({find_worker(job_, worker.fence()),
                           {sql("delete_lapsed"), {job_, worker.fence(), scripted_time(*pool_), length_of(lease_)}}});
      if (!dead) return dead.error();
      if (dead.value()[0].size() == 0) return lose(transaction, worker);
      Batch batch;
      if (const auto fences = fences_in(dead.value()[1]); !fences.empty()) batch.push_back(free_sites(job_, fences));
      worker.sites().append_free_unknown(*pool_, job_, worker.fence(), batch);
      batch.push_back({sql("claim_sites"), {job_, worker.fence(), limit_of(count)}});
      const auto answers = transaction.commit(std::move(batch));
      if (!answers) return answers.error();
      return sites_in(answers.value().back(), pool_->shown());
    });
    worker.sites().note_claim(claimed);
    if (claimed) {
      std::ranges::sort(claimed.value(), {},
                        [](const QueueSite& site) { return std::pair(rank_of(site.priority), site.id); });
    }
    return claimed;
  }

  Result<std::vector<QueueItem>> take(const QueueClaim& claim, std::int64_t site, std::optional<QueuePlace> after,
                                      std::size_t count) override {
    const auto own = worker_of(claim);
    if (!own) return own.error();
    const auto answers =
        pool_->read({{sql("has_claimed_site"), {site, job_, claim.fence}}, find_pending(site, after, count)});
    if (!answers) return answers.error();
    if (answers.value()[0].size() == 0) return not_claimed(site);
    return items_in(answers.value()[1], pool_->shown());
  }

  Result<void> release(const QueueClaim& claim, std::span<const std::int64_t> sites) override {
    const auto own = worker_of(claim);
    if (!own) return own.error();
    const auto lock = own.value()->sites().lock();
    auto done = without_value(pool_->change({{sql("release_sites"), Parameters({job_, claim.fence}).numbers(sites)}}));
    own.value()->sites().note_release(sites, done);
    return done;
  }

  Result<QueueWorkers> share(const QueueClaim& claim, bool has_no_site) override {
    const auto own = worker_of(claim);
    if (!own) return own.error();
    own.value()->note_share();
    const auto answers =
        pool_->change({{sql("set_idle"), {job_, claim.fence, std::int64_t{has_no_site}}},
                       read_meta("version"),
                       {sql("count_workers"), {job_, claim.fence, scripted_time(*pool_), length_of(lease_)}}});
    if (!answers) return answers.error();
    if (auto known = known_version(*pool_, answers.value()[1]); !known) return known.error();
    const Rows& counts = answers.value().back();
    if (counts.number(0, 2) == 0) {
      own.value()->lose();
      return claim_lost();
    }
    return QueueWorkers{static_cast<std::uint64_t>(counts.number(0, 0)),
                        static_cast<std::uint64_t>(counts.number(0, 1))};
  }

  Result<std::vector<QueueSite>> sites(std::optional<QueuePlace> after, std::size_t count) const override {
    const auto answers =
        pool_->read({{sql("find_sites"), {job_, rank_of(after), after ? after->id : 0, limit_of(count)}}});
    if (!answers) return answers.error();
    return sites_in(answers.value().front(), pool_->shown());
  }

  Result<std::vector<QueueItem>> peek(std::int64_t site, std::optional<QueuePlace> after,
                                      std::size_t count) const override {
    const auto answers = pool_->read({{sql("has_site"), {site, job_}}, find_pending(site, after, count)});
    if (!answers) return answers.error();
    if (answers.value()[0].size() == 0) return unknown_site(site);
    return items_in(answers.value()[1], pool_->shown());
  }

  Result<std::optional<std::uint64_t>> output_position(std::string_view name) const override {
    return find_output_position(*pool_, job_, name);
  }

  Result<std::optional<QueueItem>> find(std::string_view method, std::string_view url) const override {
    if (!is_queueable(url) || !Origin::of(url)) return invalid_url(url);
    const auto answers = pool_->read({{sql("find_item"), {job_, request_hash(method, url)}}});
    if (!answers) return answers.error();
    auto items = items_in(answers.value().front(), pool_->shown());
    if (!items) return items.error();
    if (items.value().empty()) return std::optional<QueueItem>();
    return std::optional(std::move(items.value().front()));
  }

  Result<QueueCounts> counts() const override {
    const auto answers = pool_->read({{sql("read_note"), {job_}}, {sql("read_counts"), {job_}}});
    if (!answers) return answers.error();
    if (answers.value()[0].size() == 0) return job_removed(pool_->shown());
    return counts_in(answers.value()[1], 0, 0);
  }

  Result<std::uint64_t> remove(std::span<const std::int64_t> ids) override {
    const auto own = worker();
    if (own != nullptr && own->is_lost()) return claim_lost();
    const std::int64_t fence = own == nullptr ? 0 : own->fence();
    return pool_->transact(limit_for(ids.size()), [&](Transaction& transaction) -> Result<std::uint64_t> {
      Batch batch{find_self(own.get()),
                  {sql("find_other_worker"), {job_, fence, scripted_time(*pool_), length_of(lease_)}}};
      append_lock_urls(job_, ids, {}, batch);
      const auto answers = transaction.run(std::move(batch));
      if (!answers) return answers.error();
      if (answers.value()[0].size() == 0) return lose(transaction, own.get());
      if (const Rows& others = answers.value()[1]; others.size() > 0) {
        return Error{"queue-claimed", "The job of the store " + pool_->shown() + " has a worker (" +
                                          base::excerpt(others.bytes(0, 0)) +
                                          "): stop it, or wait until its lease has ended"};
      }
      const auto urls = locked_urls(answers.value()[3], pool_->shown());
      if (!urls) return urls.error();
      QueueTally tally;
      std::vector<std::int64_t> found;
      for (const auto& [id, url] : urls.value()) {
        tally.leave(url.site, url.state);
        found.push_back(id);
      }
      Batch changes{{sql("delete_urls"), Parameters().numbers(found)}};
      append_tally(job_, slot(), tally, changes);
      const auto done = transaction.commit(std::move(changes));
      return done ? Result<std::uint64_t>(found.size()) : done.error();
    });
  }

  Result<std::string> note() const override {
    const auto answers = pool_->read({{sql("read_note"), {job_}}});
    if (!answers) return answers.error();
    const Rows& rows = answers.value().front();
    return rows.size() == 0 ? Result<std::string>(job_removed(pool_->shown())) : std::string(rows.bytes(0, 0));
  }
  Result<void> set_note(std::string_view note) override {
    const auto done = pool_->change({{sql("set_note"), {job_, note}}});
    if (!done) return done.error();
    return done.value().front().changed() == 0 ? Result<void>(job_removed(pool_->shown())) : Result<void>();
  }

 private:
  std::shared_ptr<Worker> worker() const {
    const std::lock_guard lock(worker_mutex_);
    return worker_;
  }
  void set_worker(std::shared_ptr<Worker> next) {
    std::shared_ptr<Worker> before;  // ends without the lock
    const std::lock_guard lock(worker_mutex_);
    before = std::exchange(worker_, std::move(next));
  }
  // Fails with "claim-lost" if it is not the claim of this object.
  Result<std::shared_ptr<Worker>> worker_of(const QueueClaim& claim) const {
    auto own = worker();
    if (!is_worker_of(own.get(), claim)) return claim_lost();
    return own;
  }
  static bool is_worker_of(const Worker* own, const QueueClaim& claim) {
    return own != nullptr && own->fence() == claim.fence && !own->is_lost();
  }
  static Error not_claimed(std::int64_t site) {
    return {"claim-lost", "The worker has not claimed the site with the id " + std::to_string(site) +
                              ", or does not have it any more: settle the URLs of a site before it is released, and "
                              "claim the job and its sites again if another worker has them"};
  }

  // Returns a row if this object may change the job: it is a valid worker, or none.
  Statement find_self(const Worker* own) const {
    return own == nullptr ? find_job(job_) : find_worker(job_, own->fence());
  }
  // Returns the error if find_self() has returned no row.
  Error lose(Transaction& transaction, Worker* own) const {
    const auto job = transaction.run({find_job(job_)});
    if (!job) return job.error();
    if (own != nullptr) own->lose();
    return own == nullptr || job.value().front().size() == 0 ? job_removed(pool_->shown()) : claim_lost();
  }
  Error lose(Transaction& transaction, Worker& own) const { return lose(transaction, &own); }

  Result<void> check_worker(Worker& own) const {
    return pool_->transact([&](Transaction& transaction) -> Result<void> {
      const auto found = transaction.run({find_worker(job_, own.fence())});
      if (!found) return found.error();
      return found.value().front().size() == 0 ? Result<void>(lose(transaction, own)) : Result<void>();
    });
  }

  std::chrono::milliseconds limit_for(std::size_t urls) const {
    return pool_->timeout() + std::chrono::duration_cast<std::chrono::milliseconds>(urls * time_per_result);
  }
  // The row of the counts that this object changes.
  std::int64_t slot() const {
    if (const auto own = worker()) return own->fence();
    thread_local std::minstd_rand random(std::random_device{}());
    return static_cast<std::int64_t>(random());
  }

  Statement find_pending(std::int64_t site, const std::optional<QueuePlace>& after, std::size_t count) const {
    return {sql("find_pending"), {site, rank_of(after), after ? after->id : 0, limit_of(count)}};
  }

  Result<QueueAdded> add_urls(std::span<const QueuedUrl> urls) override {
    auto addition = Addition::of(urls);
    return addition ? addition.value().write(*pool_, job_, slot()) : addition.error();
  }

  Result<void> change_states(std::span<const FinishedUrl> settled, const std::optional<OutputPosition>& output,
                             const QueueClaim* claim, std::span<const QueuedUrl> links) override {
    const auto own = worker();
    if (claim != nullptr ? !is_worker_of(own.get(), *claim) : own != nullptr && own->is_lost()) return claim_lost();
    auto addition = Addition::of(links);
    if (!addition) return addition.error();
    auto done = change_states(settled, output, own.get(), claim, links.empty() ? nullptr : &addition.value());
    if (done && claim != nullptr) own->count_settled(settled.size());
    return done;
  }

  // `own`: this worker; null: the object is not a worker. `links`: URLs that are added; null: none.
  Result<void> change_states(std::span<const FinishedUrl> settled, const std::optional<OutputPosition>& output,
                             Worker* own, const QueueClaim* claim, Addition* links) {
    std::map<std::int64_t, const FinishedUrl*> last;  // later results replace earlier ones
    for (const FinishedUrl& one : settled) last[one.id] = &one;
    std::vector<std::int64_t> ids;
    ids.reserve(last.size());
    for (const auto& [id, one] : last) ids.push_back(id);
    if (links != nullptr) {
      if (auto reserved = links->reserve_ids(*pool_, job_); !reserved) return reserved;
    }
    const auto limit = limit_for(ids.size()) + (links == nullptr ? std::chrono::milliseconds(0) : links->time());
    return pool_->transact(limit, [&](Transaction& transaction) -> Result<void> {
      QueueTally tally;
      if (links != nullptr) {  // before the sites are locked: in the order of add(), so no two workers wait in a circle
        const auto self = transaction.run({find_self(own)});
        if (!self) return self.error();
        if (self.value().front().size() == 0) return lose(transaction, own);
        if (const auto added = links->insert(transaction, job_, tally); !added) return added.error();
      }
      std::vector<std::int64_t> of_links;
      for (const auto& [site, pending] : tally.sites) of_links.push_back(site);
      Batch batch{find_self(own), find_output_owner(output ? output->name : std::string())};
      append_lock_urls(job_, ids, of_links, batch);
      const auto answers = transaction.run(std::move(batch));
      if (!answers) return answers.error();
      if (answers.value()[0].size() == 0) return lose(transaction, own);
      if (output) {
        if (auto free = check_output_owner(answers.value()[1], job_, output->name, pool_->shown()); !free) return free;
      }
      const auto urls = locked_urls(answers.value()[3], pool_->shown());
      if (!urls) return urls.error();
      std::map<std::int64_t, std::int64_t> fences;  // of the sites
      for (int row = 0; row < answers.value()[2].size(); ++row)
        fences[answers.value()[2].number(row, 0)] = answers.value()[2].number(row, 1);
      for (const auto& [id, one] : last) {
        const auto known = urls.value().find(id);
        if (known == urls.value().end()) return unknown_url(id);
        const LockedUrl& url = known->second;
        if (claim != nullptr && fences[url.site] != claim->fence) return not_claimed(url.site);
        tally.leave(url.site, url.state);
        tally.enter(url.site, one->state);
      }
      Batch changes;
      if (!last.empty()) changes.push_back(set_results(last));
      if (output) changes.push_back(keep_output(job_, *output));
      append_tally(job_, slot(), tally, changes);
      const auto done = transaction.commit(std::move(changes));
      return done ? Result<void>() : done.error();
    });
  }

  Result<std::optional<Items>> read_page(Pass& pass, std::int64_t states) const override {
    const auto answers =
        pool_->read({end_of_page(pass.last, page_rows), {sql("page_of_items"), {job_, pass.last, page_rows, states}}});
    if (!answers) return answers.error();
    if (answers.value()[0].is_null(0, 0)) return std::optional<Items>();
    pass.last = answers.value()[0].number(0, 0);
    auto items = items_in(answers.value()[1], pool_->shown());
    return items ? Result<std::optional<Items>>(std::move(items).value()) : items.error();
  }
  // Returns null if there are no more rows.
  Statement end_of_page(std::int64_t last, std::int64_t rows) const { return {sql("end_of_page"), {job_, last, rows}}; }

  Result<std::optional<std::uint64_t>> reopen_page(Pass& pass, std::int64_t states, std::int64_t before) override {
    const auto page = pool_->read({end_of_page(pass.last, stride)});
    if (!page) return page.error();
    if (page.value().front().is_null(0, 0)) return std::optional<std::uint64_t>();
    const std::int64_t first = std::exchange(pass.last, page.value().front().number(0, 0));
    const auto done = pool_->transact(stride_limit, [&](Transaction& transaction) {
      return reopen_urls(transaction, first, pass.last, states, before);
    });
    return done ? Result<std::optional<std::uint64_t>>(done.value()) : done.error();
  }

  // Makes the URLs with ids after `first` up to `last` pending again.
  Result<std::uint64_t> reopen_urls(Transaction& transaction, std::int64_t first, std::int64_t last,
                                    std::int64_t states, std::int64_t before) {
    const auto range = [&] { return Parameters({job_, first, last, states, before}); };
    const auto locked = transaction.run({find_job(job_), {sql("lock_sites_to_reopen"), range()}});
    if (!locked) return locked.error();
    if (locked.value()[0].size() == 0) return job_removed(pool_->shown());
    const auto found = transaction.run({{sql("find_urls_to_reopen"), range().numbers(fences_in(locked.value()[1]))}});
    if (!found) return found.error();
    const auto urls = locked_urls(found.value().front(), pool_->shown());
    if (!urls) return urls.error();
    QueueTally tally;
    std::vector<std::int64_t> ids;
    for (const auto& [id, url] : urls.value()) {
      tally.leave(url.site, url.state);
      tally.enter(url.site, UrlState::pending);
      ids.push_back(id);
    }
    if (ids.empty()) return std::uint64_t{0};
    Batch changes{{sql("reopen_urls"), Parameters().numbers(ids)}};
    append_tally(job_, slot(), tally, changes);
    const auto done = transaction.commit(std::move(changes));
    return done ? Result<std::uint64_t>(ids.size()) : done.error();
  }

  const std::shared_ptr<Pool> pool_;
  const std::int64_t job_;
  const std::chrono::seconds lease_;
  std::mutex claim_mutex_;  // one claim() at a time
  mutable std::mutex worker_mutex_;
  std::shared_ptr<Worker> worker_;  // null: this object is not a worker
};

}  // namespace

Result<std::unique_ptr<UrlQueue>> open_postgres_queue(const std::string& name, const std::string& job,
                                                      const ServerStoreOptions& options) {
  if (auto named = check_job_name(job); !named) return named.error();
  auto pool = open_database(name, options);
  if (!pool) return pool.error();
  const auto id = find_or_add_job(*pool.value(), job);
  if (!id) return id.error();
  const auto lease = pool.value()->settings().owner_lease.value_or(options.owner_lease);
  return std::unique_ptr<UrlQueue>(std::make_unique<PostgresQueue>(std::move(pool).value(), id.value(), lease));
}

}  // namespace robotrules::store::postgres
