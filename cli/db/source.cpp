#include "cli/db/source.hpp"

#include <algorithm>
#include <ranges>

#include <nlohmann/json.hpp>

#include <robotrules/open_store.hpp>

#include "base/escape.hpp"
#include "base/store_name.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

std::string names_of(const std::vector<QueueJob>& jobs) { return listed(std::views::transform(jobs, &QueueJob::name)); }

}  // namespace

Result<RobotsPolicy> policy_over(const Store& store, const PolicyChoice& chosen) {
  if (chosen.is_given) return chosen.policy;
  const auto kept = store.policy();
  if (!kept) return kept.error();
  RobotsPolicy policy = kept.value().value_or(chosen.policy);
  policy.timeout = chosen.policy.timeout;
  return policy;
}

Rules KeptRobots::rules(const Origin& origin, std::string_view agent, const Dialect& dialect) const {
  return rules(origin, AgentTokens{{std::string(agent)}}, dialect);
}

Rules KeptRobots::rules(const Origin& origin, const AgentTokens& agent, const Dialect& dialect) const {
  if (!has_rules(state)) return {};
  return Rules::compile(*record->body, agent, dialect, record->url.empty() ? origin.robots_url() : record->url);
}

KeptRobots kept_robots(const Store& store, const Origin& origin, const RobotsPolicy& policy) {
  KeptRobots kept;
  auto found = store.robots(origin);
  if (!found) {
    kept.error = base::printable(found.error().message);
    return kept;
  }
  kept.record = std::move(found).value();
  kept.state = robots_state(kept.record.get(), policy, store.now());
  return kept;
}

bool may_have_queues(std::string_view name) {
  const std::string_view scheme = name.substr(0, name.find("://"));
  return scheme.size() == name.size() ||
         (scheme != "redis" && scheme != "rediss" && scheme != "redis+cluster" && scheme != "rediss+cluster");
}

Result<const QueueJob*> find_job(const std::vector<QueueJob>& jobs, const std::optional<std::string>& name,
                                 const std::string& path) {
  const auto unknown = [&path](const std::string& problem) {
    return Error{"unknown-job", "the database " + base::without_store_password(path) + " has " + problem};
  };
  if (jobs.empty()) return unknown("no jobs; give robotrules get URLs, --input or --sitemap to make one");
  if (name) {
    const auto found = std::ranges::find(jobs, *name, &QueueJob::name);
    if (found != jobs.end()) return &*found;
    return unknown("no job " + *name + "; it has: " + names_of(jobs));
  }
  if (jobs.size() == 1) return &jobs.front();
  const auto has_urls = [](const QueueJob& job) { return job.counts.all() > 0; };
  if (std::ranges::count_if(jobs, has_urls) == 1) return &*std::ranges::find_if(jobs, has_urls);
  return unknown("several jobs; choose one with --job: " + names_of(jobs));
}

nlohmann::ordered_json kept_flags(std::string_view note) {
  auto kept = nlohmann::ordered_json::parse(note, nullptr, false);
  return kept.is_object() ? kept : nlohmann::ordered_json::object();
}

}  // namespace robotrules::cli
