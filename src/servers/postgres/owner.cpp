#include "servers/postgres/owner.hpp"

#include <limits>
#include <random>

#include "servers/postgres/sql.hpp"
#include "store/request_check.hpp"

namespace robotrules::store::postgres {
namespace {

// After a failed report, the next one is tried sooner.
constexpr std::chrono::milliseconds retry_pause{1'000};

std::int64_t random_id() {
  std::random_device random;
  std::uniform_int_distribution<std::int64_t> number(1, std::numeric_limits<std::int64_t>::max());
  return number(random);
}

std::int64_t in_microseconds(std::chrono::milliseconds time) { return std::chrono::microseconds(time).count(); }

}  // namespace

Result<void> Owner::start() {
  if (auto taken = take_row(); !taken) return taken;
  reports_.start(lease_ / 3, std::min(lease_ / 3, retry_pause), [this] {
    const bool is_reported = report().ok();
    if (is_reported && on_report_) on_report_();
    return is_reported;
  });
  return {};
}

Result<void> Owner::take_row() {
  const std::int64_t id = random_id();
  const auto made = pool_->change({{sql("add_owner"), {id, in_microseconds(lease_)}}});
  if (made) id_.store(id, std::memory_order_relaxed);
  return without_value(made);
}

Result<void> Owner::renew(std::int64_t ended) {
  const std::lock_guard lock(renewing_);
  return id() == ended ? take_row() : Result<void>();
}

// Also deletes rows that ended long ago. An owner without a row has ended too.
Result<void> Owner::report() {
  const std::int64_t reported = id();
  // A report that hangs must leave time for another one.
  const auto limit = std::min(pool_->timeout(), lease_ / 3);
  const auto answers = pool_->change({{sql("prolong_owner"), {reported, in_microseconds(lease_)}},
                                      {sql("delete_old_owners"), {in_microseconds(lease_)}},
                                      {sql("read_now")}},
                                     limit, Pool::Use::by_reports);
  if (!answers) return answers.error();
  const Timestamp now = time_of(answers.value()[2].number(0, 0));
  pool_->clock().set(now);
  static_cast<void>(pool_->watch().jump(now));  // if it has jumped, the next call finds it too
  return answers.value()[0].changed() == 1 ? Result<void>() : renew(reported);
}

}  // namespace robotrules::store::postgres
