#include <robotrules/robot_rules.hpp>

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <utility>
#include <vector>

#include "base/escape.hpp"
#include "base/url_scheme.hpp"
#include "base/visibility.hpp"
#include "store/compiler.hpp"
#include "store/own_rules.hpp"
#include "store/site_table.hpp"
#include "store/store_site.hpp"

namespace robotrules {
namespace {

constexpr std::chrono::days default_freshness{365};  // as in WWW::RobotRules, if no time is given

Error invalid_site(std::string_view site) {
  return {"invalid-url",
          "\"" + base::excerpt(site) + "\" is not a site: give an absolute http or https URL, or host:port"};
}

}  // namespace

struct ROBOTRULES_HIDDEN RobotRules::State {
  State(std::shared_ptr<Store> used_store, const std::string& short_agent, const Dialect& used_dialect,
        OtherAgent other_agent)
      : store(std::move(used_store)),
        dialect(used_dialect),
        other(other_agent),
        compiler(std::make_unique<store::Compiler>(short_agent, dialect)) {}

  // Calls `use(state, rules)` with the state and the rules of the URL's site. If the site has no rules, these are the
  // rules of an empty file. Does nothing if the state is unknown.
  template <class Use>
  void with_site(std::string_view url, Use use) const {
    const auto changes = store->changes();
    if (!changes) return;
    const Timestamp now = store->approximate_now();
    const std::string_view site = store::site_prefix(url);
    if (!site.empty() && table.find(site, changes.value(), now, use)) return;
    const std::optional<Origin> origin = Origin::of(url);
    if (!origin) return;
    const std::shared_lock lock(mutex);  // the name must not change until the answer is in the table
    const auto found = store->robots(*origin);
    const auto policy = store->policy();
    if (!found || !policy) return;
    const RobotsRecord* const record = found.value().get();
    const RobotsPolicy in_force = policy.value().value_or(RobotsPolicy::rfc9309());
    const RobotsState state = robots_state(record, in_force, now);
    if (state == RobotsState::unknown) return;
    const Rules rules = has_rules(state) ? compiler->rules_of(*record) : Rules();
    use(state, rules);
    // If the cache has dropped rules, the table must not keep them alive.
    const std::uint64_t gone = compiler->generations_dropped();
    if (generations_dropped.exchange(gone) != gone) table.clear();
    // The meaning of a failure may change with time, so the policy must be asked each time.
    const bool changes_with_time = record->outcome != RobotsOutcome::rules &&
                                   action_for(record->outcome, record->status, in_force) == PolicyAction::unreachable;
    if (site.empty() || changes_with_time) return;
    table.put(site, changes.value(), record->fresh_until, state, rules);
  }

  void rename(std::unique_ptr<store::Compiler> next) {
    compiler = std::move(next);
    generations_dropped = 0;
    table.clear();
  }

  // Changes the own rules of a site in the store.
  Result<void> change_own_rules(std::string_view site, const std::function<void(std::vector<std::string>&)>& change) {
    const std::vector<Origin> origins = store::origins_of(site);
    if (origins.empty()) return invalid_site(site);
    return own_rules.change(*store, dialect, [&](store::OwnPatterns& patterns) {
      for (const Origin& origin : origins) {
        auto& list = patterns[origin.to_string()];
        change(list);
        if (list.empty()) patterns.erase(origin.to_string());
      }
    });
  }

  std::shared_ptr<Store> store;
  Dialect dialect;
  OtherAgent other;
  store::OwnRules own_rules;
  mutable std::shared_mutex mutex;            // guards the compiler, which knows the robot's name
  std::unique_ptr<store::Compiler> compiler;  // replaced when the name changes
  mutable store::SiteTable table;
  mutable std::atomic<std::uint64_t> generations_dropped{0};
};

RobotRules::RobotRules(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
RobotRules::RobotRules(RobotRules&&) noexcept = default;
RobotRules& RobotRules::operator=(RobotRules&&) noexcept = default;
RobotRules::~RobotRules() = default;

RobotRules::RobotRules(std::string_view agent, const Dialect& dialect) {
  const std::string name(store::name_of(agent));
  auto kept = make_memory_store();
  static_cast<void>(kept->set_agent(name));  // memory does not fail
  state_ = std::make_unique<State>(std::move(kept), name, dialect, OtherAgent::clears);
}

Result<RobotRules> RobotRules::open(std::shared_ptr<Store> store, std::optional<std::string_view> agent,
                                    const Dialect& dialect, OtherAgent other) {
  std::string name(store::name_of(agent.value_or(std::string_view{})));
  if (name.empty()) {
    auto known = store->agent();
    if (!known) return known.error();
    name = std::move(known).value();
    if (name.empty()) {
      return Error{"no-agent", "The store has no robot's name yet: give a name, a product token such as FooBot"};
    }
  } else if (const auto set = store->set_agent(name, other); !set) {
    return set.error();
  }
  auto state = std::make_unique<State>(std::move(store), name, dialect, other);
  if (auto loaded = state->own_rules.load(*state->store, dialect); !loaded) return loaded.error();
  return RobotRules(std::move(state));
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
  record.fresh_until = fresh_until.value_or(now + default_freshness);
  return state_->store->put_robots(*origin, std::move(record));
}

SiteAccess RobotRules::access(std::string_view url) const {
  SiteAccess found;
  state_->with_site(
      url, [&](RobotsState state, const Rules& rules) { found = {access_in(state, rules.check(url)), state}; });
  if (const auto own = state_->own_rules.of(url); own && !own->check(url).allowed()) {
    found.access = Access::disallowed;
  }
  if (found.access != Access::unknown) return found;
  const std::string scheme = base::scheme_of(url);
  const bool applies = scheme.empty() || scheme == "http" || scheme == "https";
  return {applies ? Access::unknown : Access::allowed, found.state};
}

Access RobotRules::allowed(std::string_view url) const { return access(url).access; }

RobotsState RobotRules::state(std::string_view url) const {
  RobotsState found = RobotsState::unknown;
  state_->with_site(url, [&](RobotsState state, const Rules&) { found = state; });
  return found;
}

std::optional<Rules> RobotRules::rules(std::string_view url) const {
  std::optional<Rules> found;
  state_->with_site(url, [&](RobotsState state, const Rules& rules) {
    if (has_rules(state)) found.emplace(rules);
  });
  return found;
}

Result<RobotsPolicy> RobotRules::policy() const {
  auto kept = state_->store->policy();
  if (!kept) return kept.error();
  return kept.value().value_or(RobotsPolicy::rfc9309());
}

Result<void> RobotRules::policy(const RobotsPolicy& policy) { return state_->store->set_policy(policy); }

std::string RobotRules::agent() const {
  const std::shared_lock lock(state_->mutex);
  return state_->compiler->agent();
}

Result<std::string> RobotRules::agent(std::string_view name) {
  const std::string next(store::name_of(name));
  const std::unique_lock lock(state_->mutex);
  const std::string before = state_->compiler->agent();
  if (next.empty() || next == before) return before;
  auto compiler = std::make_unique<store::Compiler>(next, state_->dialect);
  if (const auto set = state_->store->set_agent(next, state_->other); !set) return set.error();
  state_->rename(std::move(compiler));
  state_->own_rules.clear();
  return before;
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

Result<void> RobotRules::push_rules(std::string_view site, const std::vector<std::string>& patterns) {
  for (const std::string& pattern : patterns) {
    if (auto checked = store::check_own_pattern(pattern); !checked) return checked;
  }
  return state_->change_own_rules(
      site, [&](std::vector<std::string>& list) { list.insert(list.end(), patterns.begin(), patterns.end()); });
}

std::optional<Rules> RobotRules::own_rules(std::string_view url) const { return state_->own_rules.of(url); }

Result<void> RobotRules::clear_own_rules(std::string_view site) {
  return state_->change_own_rules(site, [](std::vector<std::string>& list) { list.clear(); });
}

std::vector<Origin> RobotRules::origins_of(std::string_view site) { return store::origins_of(site); }

const std::shared_ptr<Store>& RobotRules::store() const noexcept { return state_->store; }
const Dialect& RobotRules::dialect() const noexcept { return state_->dialect; }

}  // namespace robotrules
