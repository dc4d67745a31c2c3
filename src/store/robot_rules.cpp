#include <robotrules/robot_rules.hpp>

#include <algorithm>
#include <mutex>
#include <shared_mutex>
#include <utility>
#include <vector>

#include "store/rules_cache.hpp"
#include "store/site.hpp"

namespace robotrules {
namespace {

constexpr std::size_t cache_bytes = std::size_t{64} << 20;
constexpr std::chrono::days usual_freshness{365};  // as WWW::RobotRules keeps what was given no time

Error invalid_site(std::string_view site) {
  constexpr std::size_t shown = 200;
  std::string text;
  for (const char c : site.substr(0, shown)) text += c >= 32 && c < 127 ? c : '?';
  if (site.size() > shown) text += "...";
  return {"invalid-url", "\"" + text + "\" names no site: give an absolute http or https URL, or host:port"};
}

}  // namespace

struct RobotRules::State {
  State(std::shared_ptr<Store> kept_in, std::string short_agent, const Dialect& read_as)
      : store(std::move(kept_in)), dialect(read_as), name(std::move(short_agent)) {}

  std::string agent() const {
    const std::shared_lock lock(name_mutex);
    return name;
  }

  // The rules of `origin`, compiled; null where none are fresh or the store can't tell.
  std::optional<Rules> fresh_rules(const Origin& origin) {
    const Timestamp now = store->now();
    const auto found = store->robots(origin);
    if (!found || found.value() == nullptr || found.value()->fresh_until < now) return std::nullopt;
    if (found.value()->body == nullptr || found.value()->outcome != RobotsOutcome::rules) return std::nullopt;
    const std::shared_ptr<const RobotsRecord>& record = found.value();
    if (auto cached = cache.find(origin, record)) return cached;
    // The name is held while compiling: a name set meanwhile clears the cache behind this.
    const std::shared_lock lock(name_mutex);
    const Rules rules = Rules::compile(*record->body, name, dialect, record->url);
    cache.put(origin, record, rules);
    return rules;
  }

  std::shared_ptr<Store> store;
  Dialect dialect;
  mutable std::shared_mutex name_mutex;
  std::string name;
  store::RulesCache cache{cache_bytes};
};

RobotRules::RobotRules(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
RobotRules::RobotRules(RobotRules&&) noexcept = default;
RobotRules& RobotRules::operator=(RobotRules&&) noexcept = default;
RobotRules::~RobotRules() = default;

RobotRules::RobotRules(std::string_view agent, const Dialect& dialect) {
  const std::string name(store::short_name(agent));
  auto kept = make_memory_store();
  static_cast<void>(kept->set_agent(name));  // memory does not fail
  state_ = std::make_unique<State>(std::move(kept), name, dialect);
}

Result<RobotRules> RobotRules::open(std::shared_ptr<Store> store, std::optional<std::string_view> agent,
                                    const Dialect& dialect) {
  std::string name(store::short_name(agent.value_or(std::string_view{})));
  if (name.empty()) {
    auto known = store->agent();
    if (!known) return known.error();
    name = std::move(known).value();
    if (name.empty()) {
      return Error{"no-agent", "The store knows no robot's name yet: give one, a product token such as FooBot"};
    }
  } else if (const auto set = store->set_agent(name); !set) {
    return set.error();
  }
  return RobotRules(std::make_unique<State>(std::move(store), std::move(name), dialect));
}

Result<void> RobotRules::parse(std::string_view robots_url, std::string_view content,
                               std::optional<Timestamp> fresh_until) {
  const std::optional<Origin> origin = Origin::of(robots_url);
  if (!origin) return invalid_site(robots_url);
  const Timestamp now = state_->store->now();
  RobotsRecord record;
  record.body = std::make_shared<const std::string>(content);
  record.url = robots_url;
  record.fetched_at = now;
  record.fresh_until = fresh_until.value_or(now + usual_freshness);
  return state_->store->put_robots(*origin, std::move(record));
}

Access RobotRules::allowed(std::string_view url) const {
  const std::optional<Origin> origin = Origin::of(url);
  if (!origin) {
    const std::string scheme = store::scheme_of(url);
    return scheme.empty() || scheme == "http" || scheme == "https" ? Access::unknown : Access::allowed;
  }
  const std::optional<Rules> rules = state_->fresh_rules(*origin);
  return rules ? rules->check(url).access() : Access::unknown;
}

std::optional<Rules> RobotRules::rules(std::string_view url) const {
  const std::optional<Origin> origin = Origin::of(url);
  return origin ? state_->fresh_rules(*origin) : std::nullopt;
}

std::string RobotRules::agent() const { return state_->agent(); }

Result<std::string> RobotRules::agent(std::string_view name) {
  const std::string_view next = store::short_name(name);
  const std::unique_lock lock(state_->name_mutex);
  if (next.empty() || next == state_->name) return state_->name;
  const auto set = state_->store->set_agent(next);
  if (!set) return set.error();
  state_->cache.clear();
  return std::exchange(state_->name, std::string(next));
}

Result<void> RobotRules::visit(std::string_view site, std::optional<Timestamp> at) {
  const std::vector<Origin> origins = store::origins_of(site);
  if (origins.empty()) return invalid_site(site);
  return state_->store->add_visit(origins.front(), at.value_or(state_->store->now()));
}

Result<Visits> RobotRules::visits(std::string_view site) const {
  const std::vector<Origin> origins = store::origins_of(site);
  if (origins.empty()) return invalid_site(site);
  Visits sum;
  for (const Origin& origin : origins) {
    const auto visits = state_->store->visits(origin);
    if (!visits) return visits.error();
    sum.count += visits.value().count;
    sum.last = std::max(sum.last, visits.value().last);
  }
  return sum;
}

Result<std::optional<Timestamp>> RobotRules::fresh_until(std::string_view site) const {
  const std::vector<Origin> origins = store::origins_of(site);
  if (origins.empty()) return invalid_site(site);
  std::optional<Timestamp> latest;
  for (const Origin& origin : origins) {
    const auto record = state_->store->robots(origin);
    if (!record) return record.error();
    if (record.value() != nullptr) latest = std::max(latest, std::optional(record.value()->fresh_until));
  }
  return latest;
}

Result<void> RobotRules::set_fresh_until(std::string_view site, Timestamp time) {
  const std::vector<Origin> origins = store::origins_of(site);
  if (origins.empty()) return invalid_site(site);
  for (const Origin& origin : origins) {
    if (auto set = state_->store->set_fresh_until(origin, time); !set) return set;
  }
  return {};
}

Result<void> RobotRules::clear_rules(std::string_view site) {
  const std::vector<Origin> origins = store::origins_of(site);
  if (origins.empty()) return invalid_site(site);
  for (const Origin& origin : origins) {
    if (auto erased = state_->store->erase_robots(origin); !erased) return erased;
  }
  return {};
}

const std::shared_ptr<Store>& RobotRules::store() const noexcept { return state_->store; }
const Dialect& RobotRules::dialect() const noexcept { return state_->dialect; }

}  // namespace robotrules
