#include "servers/postgres/queue/queue_worker.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "servers/postgres/machine.hpp"
#include "servers/postgres/postgres_schema.hpp"
#include "servers/postgres/queue/postgres_queue_rows.hpp"
#include "store/machine_clock.hpp"
#include "store/process.hpp"

namespace robotrules::store::postgres {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr milliseconds goodbye_limit{1'000};
constexpr milliseconds max_retry_pause{1'000};  // between two attempts to renew a lease, while the server is away
constexpr int renewals_per_lease = 3;
// The rate is that of the last period of at least this length.
constexpr std::chrono::seconds rate_period{20};
// A worker that is idle tells it each second. One that has not told it for so long may be stopped.
constexpr std::chrono::seconds told_idle_period{5};

std::string in_microseconds(std::chrono::seconds time) {
  return std::to_string(std::chrono::duration_cast<microseconds>(time).count());
}

const Process& own_process() {
  static const Process own = this_process(boot_id());
  return own;
}

void append_bury(std::int64_t job, std::span<const Number> fences, Batch& batch) {
  if (fences.empty()) return;
  batch.push_back(
      {"DELETE FROM queue_worker WHERE job = $1 AND fence = ANY($2)", Parameters().number(job).numbers(fences)});
  batch.push_back(free_sites(job, fences));
}

Statement processes_of(std::int64_t job) {
  return {"SELECT fence, process, started, realm FROM queue_worker WHERE job = $1 AND realm = $2",
          Parameters().number(job).number(own_process().realm)};
}

std::vector<Number> ended_in(const Rows& rows) {
  std::vector<Number> ended;
  for (int row = 0; row < rows.size(); ++row) {
    const Process process{rows.number(row, 1), rows.number(row, 2), rows.number(row, 3)};
    if (has_ended(process, own_process())) ended.emplace_back(rows.number(row, 0));
  }
  return ended;
}

}  // namespace

std::string sql_lease_has_ended(const Pool& pool, std::chrono::seconds lease) {
  const std::string now = sql_time(pool);
  std::string ended = "ends_at <= " + now;
  // A scripted clock knows nothing of the server's start.
  if (!pool.clock().scripted())
    ended += " AND " + std::string(sql_server_start) + " + " + in_microseconds(lease) + " <= " + now;
  return "(" + ended + ")";
}

Statement delete_lapsed(const Pool& pool, std::chrono::seconds lease, std::int64_t job, std::int64_t own) {
  // A row that another transaction uses is that of a worker that is not dead.
  return {
      "DELETE FROM queue_worker WHERE job = $1 AND fence IN (SELECT fence FROM queue_worker WHERE job = $1"
      " AND fence <> $2 AND " +
          sql_lease_has_ended(pool, lease) + " FOR UPDATE SKIP LOCKED) RETURNING fence",
      Parameters().number(job).number(own)};
}

Statement free_sites(std::int64_t job, std::span<const Number> fences) {
  return {
      "UPDATE queue_site SET fence = 0 WHERE id IN (SELECT id FROM queue_site WHERE job = $1 AND fence <> 0"
      " AND fence = ANY($2) ORDER BY id FOR NO KEY UPDATE)",
      Parameters().number(job).numbers(fences)};
}

std::vector<Number> fences_in(const Rows& rows) {
  std::vector<Number> fences;
  fences.reserve(static_cast<std::size_t>(rows.size()));
  for (int row = 0; row < rows.size(); ++row) fences.emplace_back(rows.number(row, 0));
  return fences;
}

Statement find_worker(std::int64_t job, std::int64_t fence) {
  return {"SELECT 1 FROM queue_worker WHERE job = $1 AND fence = $2 FOR KEY SHARE",
          Parameters().number(job).number(fence)};
}

Result<void> bury_ended(Pool& pool, std::int64_t job) {
  const auto known = pool.read({processes_of(job)});
  if (!known) return known.error();
  const std::vector<Number> ended = ended_in(known.value().front());
  if (ended.empty()) return {};
  return pool.transact([&](Transaction& transaction) -> Result<void> {
    Batch batch;
    append_bury(job, ended, batch);
    const auto done = transaction.commit(std::move(batch));
    return done ? Result<void>() : done.error();
  });
}

Result<std::unique_ptr<Worker>> Worker::begin(std::shared_ptr<Pool> pool, std::chrono::seconds lease, std::int64_t job,
                                              const std::string& server) {
  if (auto buried = bury_ended(*pool, job); !buried) return buried.error();
  const Process& own = own_process();
  const std::string label = host_in(this_machine()) + " " + std::to_string(own.id);
  const auto fence = pool->transact([&](Transaction& transaction) -> Result<std::int64_t> {
    const auto made = transaction.commit(
        {{"WITH next AS (UPDATE queue_job SET fence = greatest(fence + 1, " + sql_time(*pool) +
              ") WHERE id = $1 AND removing = 0 RETURNING fence)"
              " INSERT INTO queue_worker(job, fence, ends_at, process, started, realm, label) SELECT $1, fence, " +
              sql_time(*pool) + " + " + in_microseconds(lease) + ", $2, $3, $4, $5 FROM next RETURNING fence",
          Parameters().number(job).number(own.id).number(own.started).number(own.realm).bytes(label)}});
    if (!made) return made.error();
    if (made.value().front().size() == 0) return job_removed(server);
    return made.value().front().number(0, 0);
  });
  if (!fence) return fence.error();
  return std::unique_ptr<Worker>(new Worker(std::move(pool), lease, job, fence.value()));
}

Worker::Worker(std::shared_ptr<Pool> pool, std::chrono::seconds lease, std::int64_t job, std::int64_t fence)
    : pool_(std::move(pool)), lease_(lease), job_(job), fence_(fence), rate_at_(Clock::now()), thread_([this] {
        keep();
      }) {}

Worker::~Worker() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  ending_.notify_all();
  thread_.join();
  if (is_lost_ || !is_reachable_) return;
  static_cast<void>(pool_->transact(goodbye_limit, [&](Transaction& transaction) -> Result<void> {
    Batch batch;
    append_bury(job_, std::vector<Number>{fence_}, batch);
    const auto done = transaction.commit(std::move(batch));
    return done ? Result<void>() : done.error();
  }));
}

void Worker::keep() {
  const auto period = std::chrono::duration_cast<milliseconds>(lease_) / renewals_per_lease;
  std::unique_lock lock(mutex_);
  auto pause = period;
  while (!ending_.wait_for(lock, pause, [this] { return ends_; })) {
    lock.unlock();
    try {
      const auto renewed = renew();
      is_reachable_ = renewed.ok();
      pause = renewed ? period : std::min(period, max_retry_pause);
    } catch (const std::bad_alloc&) {
      pause = std::min(period, max_retry_pause);
    }
    lock.lock();
  }
}

Result<void> Worker::renew() {
  if (is_lost_) return {};
  const auto now = Clock::now();
  const std::int64_t settled = settled_;
  if (now - rate_at_ >= rate_period) {
    rate_ = (settled - rate_settled_) * 1'000'000 /
            std::max<std::int64_t>(std::chrono::duration_cast<milliseconds>(now - rate_at_).count(), 1);
    rate_at_ = now;
    rate_settled_ = settled;
  }
  const bool tells = now.time_since_epoch() - Clock::duration(shared_at_) < told_idle_period;
  const auto renewed = pool_->transact(
      pool_->timeout(),
      [&](Transaction& transaction) {
        Batch batch{{"UPDATE queue_worker SET ends_at = " + sql_time(*pool_) + " + " + in_microseconds(lease_) +
                         ", urls = $3, rate = $4, idle = idle * $5 WHERE job = $1 AND fence = $2",
                     Parameters().number(job_).number(fence_).number(settled).number(rate_).number(tells ? 1 : 0)}};
        return transaction.commit(std::move(batch));
      },
      Pool::Use::by_reports);
  if (!renewed) return renewed.error();
  if (renewed.value().front().changed() == 0) {
    is_lost_ = true;
    return {};
  }
  free_unknown();
  return bury_ended(*pool_, job_);
}

// If it fails, the next renewal does it.
void Worker::free_unknown() {
  const auto lock = sites_.try_lock();  // a claim that is under way does it itself
  if (!lock) return;
  static_cast<void>(pool_->transact([&](Transaction& transaction) -> Result<void> {
    Batch batch;
    sites_.append_free_unknown(*pool_, job_, fence_, batch);
    if (batch.empty()) return {};
    const auto done = transaction.commit(std::move(batch));
    return done ? Result<void>() : done.error();
  }));
}

}  // namespace robotrules::store::postgres
