// robotrules db PATH jobs | queue: the crawls of a database and their URLs.
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <string_view>

#include <robotrules/url_queue.hpp>

#include "base/escape.hpp"
#include "base/time_text.hpp"
#include "cli/db/actions.hpp"
#include "cli/db/jobs.hpp"
#include "cli/io/json_lines.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

nlohmann::ordered_json counts_json(const QueueCounts& counts) {
  nlohmann::ordered_json object;
  for (const UrlState state : all_url_states) object[std::string(to_string(state))] = counts.of(state);
  return object;
}

// `headers` may contain secrets.
nlohmann::ordered_json item_json(const QueueItem& item, bool headers) {
  nlohmann::ordered_json object;
  object["url"] = item.request.url;
  if (item.request.method != "GET") object["method"] = item.request.method;
  if (item.request.priority != 0) object["priority"] = item.request.priority;
  if (headers && !item.request.headers.empty()) {
    auto& fields = object["headers"] = nlohmann::ordered_json::array();
    for (const HeaderField& field : item.request.headers) fields.push_back({field.name, field.value});
  }
  object["state"] = to_string(item.state);
  if (!item.result) return object;
  if (item.result->status != 0) object["status"] = item.result->status;
  if (!item.result->why.empty()) object["why"] = item.result->why;
  object["at"] = base::time_text(item.result->at);
  object["bytes"] = item.result->bytes;
  return object;
}

std::string item_line(const QueueItem& item) {
  const bool has_status = item.result && item.result->status != 0;
  std::string line(to_string(item.state));
  line += "\t" + (has_status ? std::to_string(item.result->status) : "-");
  line += "\t" + (item.result && !item.result->why.empty() ? base::printable(item.result->why) : "-");
  return line + "\t" + printable_url(item.request.url) + "\n";
}

// Opens the queue of the job of --job, or of the only one.
Result<std::unique_ptr<UrlQueue>> open_queue(const Options& options, const std::string& path) {
  const auto jobs = list_jobs(path);
  if (!jobs) return jobs.error();
  const auto job = find_job(jobs.value(), options.job, path);
  if (!job) return job.error();
  return open_url_queue(path, job.value()->name);
}

}  // namespace

int db_jobs(const Options& options, const std::string& path) {
  const auto jobs = list_jobs(path);
  if (!jobs) return refuse(db_command, jobs.error().message);
  Output out;
  for (const QueueJob& job : jobs.value()) {
    if (options.json) {
      nlohmann::ordered_json object;
      object["job"] = job.name;
      object["running"] = job.is_claimed;
      object["urls"] = counts_json(job.counts);
      object["outputs"] = job.outputs;
      object["flags"] = kept_flags(job);
      out << json_line(object);
      continue;
    }
    out << base::printable(job.name) << "\t" << (job.is_claimed ? "running" : "stopped");
    for (const UrlState state : all_url_states) {
      out << "\t" << std::to_string(job.counts.of(state)) << " " << to_string(state);
    }
    for (const std::string& output : job.outputs) out << "\t" << base::printable(output);
    out << "\n";
  }
  return exit_yes;
}

int db_queue(const Options& options, const std::string& path, const std::string& argument) {
  if (argument != "ls" && argument != "export") {
    return refuse(db_command, "\"" + argument + "\" is not a view of the queue; use ls (lines) or export (NDJSON)");
  }
  std::optional<UrlState> state;
  if (options.state) {
    const auto found =
        std::ranges::find(all_url_states, *options.state, [](UrlState known) { return to_string(known); });
    if (found == all_url_states.end()) {
      std::string names;
      for (const UrlState known : all_url_states) names.append(names.empty() ? "" : ", ").append(to_string(known));
      return refuse(db_command, "--state: \"" + *options.state + "\" is not a state; use one of " + names);
    }
    state = *found;
  }
  const auto queue = open_queue(options, path);
  if (!queue) return refuse(db_command, queue.error().message);
  const bool as_json = options.json || argument == "export";
  Output out;
  const auto done = queue.value()->for_each(state, [&](const QueueItem& item) {
    out << (as_json ? json_line(item_json(item, argument == "export")) : item_line(item));
    return true;
  });
  return done ? exit_yes : refuse(db_command, done.error().message);
}

}  // namespace robotrules::cli
