#include "servers/postgres/queue/queue_worker.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "servers/postgres/machine.hpp"
#include "servers/postgres/queue/postgres_queue_rows.hpp"
#include "servers/postgres/sql.hpp"
#include "store/machine_clock.hpp"
#include "store/process.hpp"
#include "store/request_check.hpp"

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

const Process& own_process() {
  static const Process own = this_process(boot_id());
  return own;
}

Batch bury(std::int64_t job, std::span<const std::int64_t> fences) {
  return {{sql("delete_workers"), Parameters({job}).numbers(fences)}, free_sites(job, fences)};
}

Statement processes_of(std::int64_t job) { return {sql("find_processes"), {job, own_process().realm}}; }

std::vector<std::int64_t> ended_in(const Rows& rows) {
  std::vector<std::int64_t> ended;
  for (int row = 0; row < rows.size(); ++row) {
    const Process process{rows.number(row, 1), rows.number(row, 2), rows.number(row, 3)};
    if (has_ended(process, own_process())) ended.push_back(rows.number(row, 0));
  }
  return ended;
}

}  // namespace

Statement free_sites(std::int64_t job, std::span<const std::int64_t> fences) {
  return {sql("free_sites"), Parameters({job}).numbers(fences)};
}

std::vector<std::int64_t> fences_in(const Rows& rows) {
  std::vector<std::int64_t> fences;
  fences.reserve(static_cast<std::size_t>(rows.size()));
  for (int row = 0; row < rows.size(); ++row) fences.push_back(rows.number(row, 0));
  return fences;
}

Statement find_worker(std::int64_t job, std::int64_t fence) { return {sql("lock_worker"), {job, fence}}; }

Result<void> bury_ended(Pool& pool, std::int64_t job) {
  const auto known = pool.read({processes_of(job)});
  if (!known) return known.error();
  const auto ended = ended_in(known.value().front());
  return ended.empty() ? Result<void>() : without_value(pool.change(bury(job, ended)));
}

Result<std::unique_ptr<Worker>> Worker::begin(std::shared_ptr<Pool> pool, std::chrono::seconds lease, std::int64_t job,
                                              const std::string& server) {
  if (auto buried = bury_ended(*pool, job); !buried) return buried.error();
  const Process& own = own_process();
  const std::string label = host_in(this_machine()) + " " + std::to_string(own.id);
  const auto made = pool->change(
      {{sql("add_worker"), {job, own.id, own.started, own.realm, label, length_of(lease), scripted_time(*pool)}}});
  if (!made) return made.error();
  if (made.value().front().size() == 0) return job_removed(server);
  return std::unique_ptr<Worker>(new Worker(std::move(pool), lease, job, made.value().front().number(0, 0)));
}

Worker::Worker(std::shared_ptr<Pool> pool, std::chrono::seconds lease, std::int64_t job, std::int64_t fence)
    : pool_(std::move(pool)), lease_(lease), job_(job), fence_(fence), rate_at_(Clock::now()) {
  const auto period = std::chrono::duration_cast<milliseconds>(lease_) / renewals_per_lease;
  renewals_.start(period, std::min(period, max_retry_pause), [this] {
    is_reachable_ = renew().ok();
    return is_reachable_.load();
  });
}

Worker::~Worker() {
  static_cast<void>(renewals_.stop());
  if (is_lost_ || !is_reachable_) return;
  static_cast<void>(pool_->change(bury(job_, std::array{fence_}), goodbye_limit));
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
  const auto renewed =
      pool_->change({{sql("renew_worker"),
                      {job_, fence_, settled, rate_, std::int64_t{tells}, length_of(lease_), scripted_time(*pool_)}}},
                    pool_->timeout(), Pool::Use::by_reports);
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
  Batch batch;
  sites_.append_free_unknown(*pool_, job_, fence_, batch);
  if (!batch.empty()) static_cast<void>(pool_->change(std::move(batch)));
}

}  // namespace robotrules::store::postgres
