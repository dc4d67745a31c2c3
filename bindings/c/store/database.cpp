#include <chrono>
#include <utility>

#include "c/core/handles.hpp"
#include "c/store/common.hpp"

using namespace robotrules::c_abi;

namespace {

using robotrules::OtherAgent;
using robotrules::RobotRules;

constexpr std::int64_t max_fresh_seconds = std::int64_t{100} * 366 * 86'400;

}  // namespace

robotrules_status robotrules_database_open(robotrules_store* store, const char* agent, std::size_t agent_size,
                                           const char* dialect, std::size_t dialect_size, std::int32_t clear_other,
                                           robotrules_database** database, robotrules_error** error) noexcept {
  if (database != nullptr) *database = nullptr;
  const bool valid = database != nullptr && is_text(agent, agent_size) && is_text(dialect, dialect_size);
  return guarded_if(valid, error, [&]() -> robotrules_status {
    const auto* found = find_dialect(view_of(dialect, dialect_size));
    if (found == nullptr) return ROBOTRULES_UNKNOWN_DIALECT;
    auto opened =
        RobotRules::open(store != nullptr ? store->store : robotrules::make_memory_store(), view_of(agent, agent_size),
                         *found, clear_other != 0 ? OtherAgent::clears : OtherAgent::refused);
    if (opened) *database = new_handle<robotrules_database>(std::make_shared<RobotRules>(std::move(*opened)));
    return status_of(opened, error);
  });
}

void robotrules_database_free(robotrules_database* database) noexcept { delete database; }

robotrules_status robotrules_database_keep(robotrules_database* database, const char* robots_url,
                                           std::size_t robots_url_size, const char* robots, std::size_t robots_size,
                                           std::int64_t fresh_seconds, robotrules_error** error) noexcept {
  const bool valid = database != nullptr && is_text(robots_url, robots_url_size) && is_text(robots, robots_size) &&
                     fresh_seconds >= 0 && fresh_seconds <= max_fresh_seconds;
  return guarded_if(valid, error, [&] {
    RobotRules& rules = *database->rules;
    const auto until = rules.store()->now() + std::chrono::seconds(fresh_seconds);
    return status_of(rules.parse(view_of(robots_url, robots_url_size), view_of(robots, robots_size), until), error);
  });
}

std::int32_t robotrules_database_allowed(const robotrules_database* database, const char* url,
                                         std::size_t url_size) noexcept {
  if (database == nullptr || !is_text(url, url_size)) return ROBOTRULES_UNKNOWN;
  std::int32_t access = ROBOTRULES_UNKNOWN;
  const robotrules_status status = guarded([&] {
    access = access_of(database->rules->allowed(view_of(url, url_size)));
    return ROBOTRULES_OK;
  });
  return status == ROBOTRULES_OK ? access : ROBOTRULES_UNKNOWN;
}

robotrules_status robotrules_database_rules(const robotrules_database* database, const char* url, std::size_t url_size,
                                            robotrules_rules** rules) noexcept {
  if (rules == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  *rules = nullptr;
  if (database == nullptr || !is_text(url, url_size)) return ROBOTRULES_INVALID_ARGUMENT;
  return guarded([&] {
    if (const auto found = database->rules->rules(view_of(url, url_size)))
      *rules = new_handle<robotrules_rules>(*found);
    return ROBOTRULES_OK;
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
