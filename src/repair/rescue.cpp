#include "repair/rescue.hpp"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "repair/mended_copy.hpp"
#include "repair/sqlite_problems.hpp"
#include "store/gate_row.hpp"
#include "store/sqlite/columns.hpp"
#include "store/sqlite/repair_place.hpp"
#include "store/sqlite/sqlite_gates.hpp"
#include "store/sqlite/sqlite_records.hpp"
#include "store/sqlite/sqlite_schema.hpp"

namespace robotrules::store {
namespace {

// Copies the policy. A policy that cannot be read may have been strict, so a strict policy replaces it.
Result<void> keep_policy(const Result<std::optional<RobotsPolicy>>& policy, Store& to, StoreCheck& report) {
  report.policy_lost = !policy;
  if (!policy) return to.set_policy(RobotsPolicy::strict());
  return policy.value() ? to.set_policy(*policy.value()) : Result<void>();
}

// Copies records and gates from a damaged file to a new one: all before the first unreadable place and all after the
// last one.
class Rescue {
 public:
  Rescue(Database& from, Store& to, StoreCheck& report) : from_(from), to_(to), report_(report) {}

  Result<void> run() {
    const int agent = read_all(from_, "SELECT value FROM meta WHERE name = 'agent'", [&](const Statement& row) {
      if (auto set = to_.set_agent(row.bytes(only_column)); !set) failed_ = set.error();
    });
    note_failure(agent);
    if (auto kept = keep_policy(kept_policy(from_), to_, report_); !kept) return kept;
    static const BothWays robots[] = {
        BothWays("SELECT robots.*, coding, octets, size, hash FROM robots JOIN body ON body.id = robots.body"
                 " ORDER BY origin"),
        BothWays("SELECT robots.*, NULL, coding, octets, size, hash FROM robots JOIN body ON body.id = robots.body"
                 " ORDER BY origin"),
        BothWays("SELECT robots.*, 0, NULL, coding, octets, size, hash FROM robots JOIN body ON body.id = robots.body"
                 " ORDER BY origin")};
    static const BothWays gates("SELECT * FROM gate ORDER BY key");
    read_both_ways(robots[missing_columns(from_)], [this](const Statement& row) { keep_robots(row); });
    const bool all_gates = read_both_ways(gates, [this](const Statement& row) { keep_gate(row); });
    if (!all_gates || !gates_are_whole()) report_.penalties_lost = true;
    if (failed_) return *failed_;
    return {};
  }

 private:
  struct BothWays {
    explicit BothWays(const char* sql) : up(sql), down(up + " DESC") {}
    std::string up;
    std::string down;
  };
  // Reads upwards. If that does not reach the end, also reads downwards, so `each` may get a row twice, and returns
  // false.
  template <class Each>
  bool read_both_ways(const BothWays& sql, Each each) {
    const int up = read_all(from_, sql.up.c_str(), each);
    note_failure(up);
    if (up == SQLITE_DONE) return true;
    note_failure(read_all(from_, sql.down.c_str(), each));
    return false;
  }
  // What cannot be read because of damage is not in the new file. After any other failure there must be none.
  void note_failure(int code) {
    if (code != SQLITE_DONE && code != SQLITE_ERROR && !is_damage(code)) failed_ = from_.error(code);
  }
  bool gates_are_whole() {
    bool whole = false;
    const int code = read_all(from_, "PRAGMA integrity_check('gate')",
                              [&](const Statement& row) { whole = row.bytes(only_column) == "ok"; });
    note_failure(code);
    return code == SQLITE_DONE && whole;
  }

  void keep_robots(const Statement& row) {
    const auto origin = Origin::of(row.bytes(RobotsColumn::origin));
    RobotsRecord record;
    if (!origin || !read_record(row, *origin, record)) return;
    auto body = read_body(row);
    if (!body || !origins_.insert(origin->to_string()).second) return;
    record.body = std::make_shared<const std::string>(*std::move(body));
    if (auto put = to_.put_robots(*origin, std::move(record)); !put) failed_ = put.error();
    ++report_.origins_kept;
  }

  // Copies penalties and visits. Intervals and holds are not needed: in the new file, every key counts as just visited.
  void keep_gate(const Statement& row) {
    GateRow gate;
    std::uint64_t fence = 0;
    const std::string key(row.bytes(GateColumn::key));
    if (!read_gate(row, gate, fence)) {
      report_.penalties_lost = true;
      return;
    }
    if (!keys_.insert(key).second) return;
    if (auto kept =
            to_.restore_gate(key, std::max(gate.penalty_until, away_until(gate)), {gate.visits, gate.last_visit});
        !kept) {
      failed_ = kept.error();
    }
    ++report_.gates_kept;
  }

  Database& from_;
  Store& to_;
  StoreCheck& report_;
  std::set<std::string> origins_;
  std::set<std::string> keys_;
  std::optional<Error> failed_;
};

Result<void> fill(const MendedCopy& from, const std::string& to, StoreCheck& report) {
  const auto store = open_sqlite_store(to, {});
  if (!store) return store.error();
  report.penalties_lost = from.is_guessed();
  if (auto rescued = Rescue(from.database(), *store.value(), report).run(); !rescued) return rescued;
  const auto urls = rescue_queue(from.database(), to);
  if (!urls) return urls.error();
  report.urls_kept = urls.value();
  return from.database().check_reads();
}

// The new file and the copy were just made here, so damage in them is a failure of the disk.
Error not_repaired(const std::string& path, const Error& why) {
  if (why.code != "store-damaged" && why.code != "store-foreign") return why;
  return {"store-io", "The store " + path + " could not be repaired, and it stays as it was (" + why.message +
                          "): check the disk and try again"};
}

}  // namespace

Result<void> repair(Database& damaged, StoreCheck& report) {
  const std::string& path = damaged.path();
  remove_leftovers(path);
  auto copy = MendedCopy::of(damaged);
  if (!copy) return copy.error();
  auto filled = fill(copy.value(), repaired_path(path), report);
  if (filled) filled = damaged.check_reads();
  if (filled) {
    auto placed = put_in_place(path);
    if (placed) {
      report.moved_to = std::move(placed).value();
      return {};
    }
    filled = placed.error();
  }
  // Without the damaged file, PATH.repaired is all there is.
  if (const auto only = is_unfinished(path); only && !only.value()) remove_leftovers(path);
  return not_repaired(path, filled.error());
}

}  // namespace robotrules::store
