#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <robotrules/url.hpp>

#include "c/core/handles.hpp"
#include "c/store/common.hpp"
#include "c/store/robots_fetch.hpp"

using namespace robotrules::c_abi;

namespace {

using robotrules::OtherAgent;
using robotrules::RobotRules;

using robotrules::Origin;
using robotrules::PolicyAction;
using robotrules::Result;
using robotrules::RobotsOutcome;
using robotrules::RobotsPolicy;
using robotrules::RobotsRecord;
using robotrules::RobotsState;
using robotrules::Timestamp;

constexpr std::int64_t max_fresh_seconds = std::int64_t{100} * 366 * 86'400;

bool is_fresh_time(std::int64_t seconds) noexcept { return seconds >= 0 && seconds <= max_fresh_seconds; }

constexpr RobotsState states[] = {RobotsState::unknown, RobotsState::rules, RobotsState::stale, RobotsState::allow_all,
                                  RobotsState::disallow_all};
static_assert(static_cast<int>(RobotsState::unknown) == ROBOTRULES_STATE_UNKNOWN);
static_assert(static_cast<int>(RobotsState::rules) == ROBOTRULES_STATE_RULES);
static_assert(static_cast<int>(RobotsState::stale) == ROBOTRULES_STATE_STALE);
static_assert(static_cast<int>(RobotsState::allow_all) == ROBOTRULES_STATE_ALLOW_ALL);
static_assert(static_cast<int>(RobotsState::disallow_all) == ROBOTRULES_STATE_DISALLOW_ALL);

// Returns the record after a fetch that gave no file, as RobotUA keeps it. `status` 0: no answer.
RobotsRecord without_file(const RobotsRecord* old, std::string_view url, bool unavailable, int status, Timestamp now,
                          Timestamp fresh_until) {
  RobotsRecord record;
  if (old != nullptr) record = *old;
  record.fresh_until = fresh_until;
  record.status = status;
  if (unavailable) {
    record.outcome = RobotsOutcome::unavailable;
    record.body = nullptr;
    record.truncated = false;
    record.url = url;
    record.hops.clear();
    record.etag.clear();
    record.last_modified.clear();
    record.fetched_at = now;
    record.failing_since.reset();
    record.failures = 0;
  } else {  // the last good copy stays
    record.outcome = RobotsOutcome::unreachable;
    if (status < 300) record.status = 0;  // an answer that is not complete
    if (!record.failing_since) record.failing_since = now;
    if (record.failures != UINT32_MAX) ++record.failures;
  }
  return record;
}

// RobotRules takes a store that cannot be read for one without a record. Returns the error of the store, if there is
// one.
Result<void> readable(const RobotRules& rules, const Origin& origin) {
  if (const auto record = rules.store()->robots(origin); !record) return record.error();
  if (const auto policy = rules.policy(); !policy) return policy.error();
  return {};
}

}  // namespace

robotrules_status robotrules_database_open(robotrules_store* store, const char* agent, std::size_t agent_size,
                                           const char* dialect, std::size_t dialect_size, std::int32_t clear_other,
                                           robotrules_database** database, robotrules_error** error) noexcept {
  if (database != nullptr) *database = nullptr;
  const bool valid = database != nullptr && is_text(agent, agent_size) && is_text(dialect, dialect_size);
  return guarded_if(valid, error, [&]() -> robotrules_status {
    const auto* found = find_dialect(view_of(dialect, dialect_size));
    if (found == nullptr) return ROBOTRULES_UNKNOWN_DIALECT;
    const auto base = store != nullptr ? store->store : robotrules::make_memory_store();
    const auto name = view_of(agent, agent_size);
    if (clear_other != 0) {
      if (const auto cleared = RobotRules::open(base, name, *found, OtherAgent::clears); !cleared) {
        return fail(cleared.error(), error);
      }
    }
    // Opened again, because this object keeps the choice: an agent of another name must not clear the store later.
    auto opened = RobotRules::open(base, name, *found, OtherAgent::refused);
    if (opened) *database = new_handle<robotrules_database>(std::make_shared<RobotRules>(std::move(*opened)));
    return status_of(opened, error);
  });
}

void robotrules_database_free(robotrules_database* database) noexcept { delete database; }

robotrules_status robotrules_database_keep(robotrules_database* database, const char* robots_url,
                                           std::size_t robots_url_size, const char* robots, std::size_t robots_size,
                                           std::int64_t fresh_seconds, robotrules_error** error) noexcept {
  const bool valid = database != nullptr && is_text(robots_url, robots_url_size) && is_text(robots, robots_size) &&
                     is_fresh_time(fresh_seconds);
  return guarded_if(valid, error, [&] {
    RobotRules& rules = *database->rules;
    const auto until = rules.store()->now() + std::chrono::seconds(fresh_seconds);
    return status_of(rules.parse(view_of(robots_url, robots_url_size), view_of(robots, robots_size), until), error);
  });
}

robotrules_status robotrules_database_keep_outcome(robotrules_database* database, const char* robots_url,
                                                   std::size_t robots_url_size, std::int32_t outcome,
                                                   std::int32_t http_status, std::int64_t fresh_seconds,
                                                   robotrules_error** error) noexcept {
  const bool valid = database != nullptr && is_text(robots_url, robots_url_size) && is_fresh_time(fresh_seconds) &&
                     http_status >= 0 && http_status <= 999 &&
                     (outcome == ROBOTRULES_OUTCOME_UNAVAILABLE || outcome == ROBOTRULES_OUTCOME_UNREACHABLE);
  return guarded_if(valid, error, [&]() -> robotrules_status {
    const RobotRules& rules = *database->rules;
    robotrules::Store& store = *rules.store();
    const auto url = view_of(robots_url, robots_url_size);
    const auto origin = Origin::of(url);
    if (!origin) return ROBOTRULES_INVALID_URL;
    const auto old = store.robots(*origin);
    if (!old) return fail(old.error(), error);
    const auto policy = rules.policy();
    if (!policy) return fail(policy.error(), error);
    const bool unavailable = outcome == ROBOTRULES_OUTCOME_UNAVAILABLE &&
                             action_for(RobotsOutcome::unavailable, http_status, *policy) != PolicyAction::unreachable;
    const Timestamp now = store.now();
    const auto kept = store.put_robots(*origin, without_file(old->get(), url, unavailable, http_status, now,
                                                             now + std::chrono::seconds(fresh_seconds)));
    return status_of(kept, error);
  });
}

robotrules_status robotrules_database_fetch(const robotrules_database* database, const char* robots_url,
                                            std::size_t robots_url_size, robotrules_robots_fetch** fetch,
                                            robotrules_error** error) noexcept {
  if (fetch != nullptr) *fetch = nullptr;
  const bool valid = database != nullptr && fetch != nullptr && is_text(robots_url, robots_url_size);
  return guarded_if(valid, error, [&]() -> robotrules_status {
    const RobotRules& rules = *database->rules;
    const auto origin = Origin::of(view_of(robots_url, robots_url_size));
    if (!origin) return ROBOTRULES_INVALID_URL;
    const auto old = rules.store()->robots(*origin);
    if (!old) return fail(old.error(), error);
    const auto policy = rules.policy();
    if (!policy) return fail(policy.error(), error);
    auto made = std::make_unique<robotrules_robots_fetch>();
    made->robots_url = origin->robots_url();
    made->policy = *policy;
    if (*old != nullptr) made->record = **old;
    made->begin(rules.store()->now());
    *fetch = made.release();
    return ROBOTRULES_OK;
  });
}

robotrules_status robotrules_database_keep_fetch(robotrules_database* database, const robotrules_robots_fetch* fetch,
                                                 robotrules_error** error) noexcept {
  const auto* result = fetch != nullptr ? std::get_if<robotrules::RobotsResult>(&fetch->step) : nullptr;
  return guarded_if(database != nullptr && result != nullptr, error, [&]() -> robotrules_status {
    robotrules::Store& store = *database->rules->store();
    const auto origin = Origin::of(fetch->robots_url);
    if (fetch->robots_url != origin->robots_url()) return ROBOTRULES_INVALID_ARGUMENT;
    const RobotsRecord& record = result->record;
    if (record.outcome == RobotsOutcome::unreachable) {  // another process may have fetched the file meanwhile
      const auto known = store.robots(*origin);
      if (!known) return fail(known.error(), error);
      const Timestamp before = fetch->record ? fetch->record->fetched_at : Timestamp{};
      if (*known != nullptr && (*known)->fetched_at > before) return ROBOTRULES_OK;
    }
    const auto target = record.outcome == RobotsOutcome::rules ? Origin::of(record.url) : std::nullopt;
    const bool is_theirs = target && *target != *origin && record.url == target->robots_url();
    if (is_theirs) {  // it is also the robots.txt of the target
      RobotsRecord theirs = record;
      theirs.hops.clear();
      if (const auto kept = store.put_robots(*target, std::move(theirs)); !kept) return fail(kept.error(), error);
    }
    return status_of(store.put_robots(*origin, record), error);
  });
}

robotrules_status robotrules_database_set_policy(robotrules_database* database, const char* name, std::size_t name_size,
                                                 robotrules_error** error) noexcept {
  const auto* policy = is_text(name, name_size) ? RobotsPolicy::find(view_of(name, name_size)) : nullptr;
  return guarded_if(database != nullptr && policy != nullptr, error,
                    [&] { return status_of(database->rules->policy(*policy), error); });
}

robotrules_status robotrules_database_policy(const robotrules_database* database, robotrules_text** name,
                                             robotrules_error** error) noexcept {
  if (name != nullptr) *name = nullptr;
  return guarded_if(database != nullptr && name != nullptr, error, [&] {
    const auto policy = database->rules->policy();
    if (policy) *name = new_handle<robotrules_text>(std::string(policy->name));
    return status_of(policy, error);
  });
}

void robotrules_state_name(std::int32_t state, robotrules_str* name) noexcept {
  if (name == nullptr) return;
  const bool known = state >= 0 && static_cast<std::size_t>(state) < std::size(states);
  *name = str_of(known ? to_string(states[state]) : "");
}

robotrules_status robotrules_database_check(const robotrules_database* database, const char* url, std::size_t url_size,
                                            std::int32_t* access, std::int32_t* state,
                                            robotrules_error** error) noexcept {
  if (access != nullptr) *access = ROBOTRULES_ACCESS_UNKNOWN;
  if (state != nullptr) *state = ROBOTRULES_STATE_UNKNOWN;
  const bool valid = database != nullptr && is_text(url, url_size) && access != nullptr;
  return guarded_if(valid, error, [&]() -> robotrules_status {
    const RobotRules& rules = *database->rules;
    const auto page = view_of(url, url_size);
    const auto origin = Origin::of(page);
    const auto answer = rules.access(page);
    if (answer.state == RobotsState::unknown && origin) {
      if (const auto read = readable(rules, *origin); !read) return fail(read.error(), error);
    }
    if (!origin && answer.access == robotrules::Access::unknown) return ROBOTRULES_INVALID_URL;
    *access = access_of(answer.access);
    if (state != nullptr) *state = static_cast<std::int32_t>(answer.state);
    return ROBOTRULES_OK;
  });
}

std::int32_t robotrules_database_allowed(const robotrules_database* database, const char* url,
                                         std::size_t url_size) noexcept {
  if (database == nullptr || !is_text(url, url_size)) return ROBOTRULES_ACCESS_UNKNOWN;
  std::int32_t access = ROBOTRULES_ACCESS_UNKNOWN;
  const robotrules_status status = guarded([&] {
    access = access_of(database->rules->allowed(view_of(url, url_size)));
    return ROBOTRULES_OK;
  });
  return status == ROBOTRULES_OK ? access : ROBOTRULES_ACCESS_UNKNOWN;
}

robotrules_status robotrules_database_rules(const robotrules_database* database, const char* url, std::size_t url_size,
                                            robotrules_rules** rules, robotrules_error** error) noexcept {
  if (rules != nullptr) *rules = nullptr;
  const bool valid = rules != nullptr && database != nullptr && is_text(url, url_size);
  return guarded_if(valid, error, [&]() -> robotrules_status {
    const auto origin = Origin::of(view_of(url, url_size));
    if (!origin) return ROBOTRULES_INVALID_URL;
    if (const auto found = database->rules->rules(view_of(url, url_size))) {
      *rules = new_handle<robotrules_rules>(*found);
      return ROBOTRULES_OK;
    }
    return status_of(readable(*database->rules, *origin), error);
  });
}

robotrules_status robotrules_database_visit(robotrules_database* database, const char* site, std::size_t site_size,
                                            robotrules_error** error) noexcept {
  return guarded_if(database != nullptr && is_text(site, site_size), error,
                    [&] { return status_of(database->rules->visit(view_of(site, site_size)), error); });
}

robotrules_status robotrules_database_visits(const robotrules_database* database, const char* site,
                                             std::size_t site_size, std::uint64_t* count, std::int64_t* last,
                                             robotrules_error** error) noexcept {
  if (count != nullptr) *count = 0;
  if (last != nullptr) *last = ROBOTRULES_NO_TIME;
  const bool valid = database != nullptr && is_text(site, site_size) && count != nullptr && last != nullptr;
  return guarded_if(valid, error, [&] {
    const auto visits = database->rules->visits(view_of(site, site_size));
    if (visits) {
      *count = visits->count;
      *last = time_of(visits->last);
    }
    return status_of(visits, error);
  });
}

robotrules_status robotrules_database_push_rules(robotrules_database* database, const char* site, std::size_t site_size,
                                                 const robotrules_str* patterns, std::size_t pattern_count,
                                                 robotrules_error** error) noexcept {
  const bool valid = database != nullptr && is_text(site, site_size) && are_texts(patterns, pattern_count);
  return guarded_if(valid, error, [&] {
    std::vector<std::string> list;
    list.reserve(pattern_count);
    for (std::size_t i = 0; i < pattern_count; ++i) list.emplace_back(view_of(patterns[i]));
    return status_of(database->rules->push_rules(view_of(site, site_size), list), error);
  });
}

robotrules_status robotrules_database_clear_own_rules(robotrules_database* database, const char* site,
                                                      std::size_t site_size, robotrules_error** error) noexcept {
  return guarded_if(database != nullptr && is_text(site, site_size), error,
                    [&] { return status_of(database->rules->clear_own_rules(view_of(site, site_size)), error); });
}
