#include "cli/db/db_jobs.hpp"

#include <algorithm>
#include <ranges>

#include <nlohmann/json.hpp>

#include <robotrules/open_store.hpp>

#include "base/store_name.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

std::string names_of(const std::vector<QueueJob>& jobs) { return listed(std::views::transform(jobs, &QueueJob::name)); }

}  // namespace

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
