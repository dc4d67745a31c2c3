#include "servers/postgres/moments.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "servers/postgres/postgres_schema.hpp"
#include "servers/postgres/sql.hpp"
#include "store/packing.hpp"

namespace robotrules::store::postgres {
namespace {

struct MomentColumn {
  enum : int { now, server_start, known_start, just_visited, owner_ends_at, owner };
};

constexpr std::size_t max_known_owners = 10'000;

std::string text_of(Timestamp time) { return std::to_string(time.time_since_epoch().count()); }

}  // namespace

Statement Moments::ask() const { return {sql("read_moment"), {owner_.id()}, true}; }

Result<Moment> Moments::read(const Rows& rows) const {
  using Column = MomentColumn;
  const auto scripted = pool_->clock().scripted();
  Moment moment;
  moment.server_now = time_of(rows.number(0, Column::now));
  pool_->clock().set(moment.server_now);
  moment.now = scripted ? scripted() : moment.server_now;
  if (!scripted) moment.ahead = pool_->clock().now() - moment.server_now;
  moment.owner = rows.number(0, Column::owner);
  if (!rows.is_null(0, Column::just_visited)) {
    moment.just_visited = time_in(rows.bytes(0, Column::just_visited));
    if (!moment.just_visited) return damaged(pool_->shown(), "the value just_visited of the table meta is not a time");
  }
  const bool is_same_server =
      rows.bytes(0, Column::known_start) == std::to_string(rows.number(0, Column::server_start));
  // Once it was the current time. If it is in the future now, the clock was set back.
  const bool is_past = !moment.just_visited || *moment.just_visited <= moment.now;
  const bool is_alive = time_of(rows.number(0, Column::owner_ends_at)) > moment.server_now;
  const bool has_jumped = is_unmended_jump(moment.server_now, moment.now, moment.just_visited);
  if (!is_same_server || !is_past || !is_alive || has_jumped)
    return Error{stale_code, "The server, its clock or this process was away"};
  return moment;
}

// Another process that has noticed the jump has set `just_visited` after it.
bool Moments::is_unmended_jump(Timestamp server_now, Timestamp now, std::optional<Timestamp> just_visited) const {
  const auto jump = pool_->watch().jump(server_now);
  if (jump.count() == 0) return false;
  if (!just_visited || *just_visited <= now - jump + ClockWatch::margin) return true;
  pool_->watch().accept(server_now);
  return false;
}

Result<void> Moments::repair() {
  const std::int64_t owner = owner_.id();
  bool is_alive = true;
  auto repaired = pool_->transact([&](Transaction& transaction) -> Result<void> {
    // Another process may be about to do the same.
    auto answers = transaction.run({{sql("lock_meta"), Parameters().text("server")}, ask()});
    if (!answers) return answers.error();
    const Rows& rows = answers.value()[1];
    const Timestamp server_now = time_of(rows.number(0, MomentColumn::now));
    is_alive = time_of(rows.number(0, MomentColumn::owner_ends_at)) > server_now;
    const auto scripted = pool_->clock().scripted();
    const Timestamp now = scripted ? scripted() : server_now;
    const std::string start = std::to_string(rows.number(0, MomentColumn::server_start));
    const auto visited = time_in(rows.bytes(0, MomentColumn::just_visited));
    const bool is_past = rows.is_null(0, MomentColumn::just_visited) || (visited && *visited <= now);
    const bool has_jumped = is_unmended_jump(server_now, now, visited);
    if (is_past && !has_jumped && rows.bytes(0, MomentColumn::known_start) == start) return {};
    auto done = transaction.commit({set_meta("just_visited", text_of(now)), set_meta("server", start)});
    if (!done) return done.error();
    pool_->watch().accept(server_now);
    return {};
  });
  if (repaired && !is_alive) return owner_.renew(owner);
  return repaired;
}

Result<std::vector<std::int64_t>> Moments::ended(Transaction& transaction, std::vector<std::int64_t> owners,
                                                 const Moment& moment) {
  std::ranges::sort(owners);
  owners.erase(std::unique(owners.begin(), owners.end()), owners.end());
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(owners, [&](std::int64_t id) {
      const auto known = alive_until_.find(id);
      return id == 0 || id == moment.owner || (known != alive_until_.end() && known->second > moment.server_now);
    });
  }
  if (owners.empty()) return owners;
  auto answers = transaction.run({{sql("find_owners"), Parameters().numbers(owners)}});
  if (!answers) return answers.error();
  const std::lock_guard lock(mutex_);
  if (alive_until_.size() >= max_known_owners) alive_until_.clear();
  const Rows& rows = answers.value().front();
  for (int row = 0; row < rows.size(); ++row) {
    const Timestamp ends_at = time_of(rows.number(row, 1));
    if (ends_at <= moment.server_now) continue;
    alive_until_.insert_or_assign(rows.number(row, 0), ends_at);
    std::erase(owners, rows.number(row, 0));
  }
  return owners;
}

Result<std::optional<Timestamp>> Moments::just_visited() {
  auto moment = transact([&](Transaction& transaction) -> Result<Moment> {
    auto answers = transaction.run_alone({ask()});
    return answers ? read(answers.value().front()) : answers.error();
  });
  return moment ? Result<std::optional<Timestamp>>(moment.value().just_visited) : moment.error();
}

}  // namespace robotrules::store::postgres
