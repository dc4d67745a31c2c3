// robotrules db PATH jobs | queue: the crawls of a database and their URLs.
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string_view>

#include <robotrules/url_queue.hpp>

#include "base/escape.hpp"
#include "base/time_text.hpp"
#include "base/userinfo.hpp"
#include "cli/db/actions.hpp"
#include "cli/io/json_lines.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

constexpr std::array states = {UrlState::pending, UrlState::done,   UrlState::denied,
                               UrlState::failed,  UrlState::parked, UrlState::cut};

int refuse(const std::string& message) {
  complain(db_command, base::printable(message));
  return exit_error;
}

nlohmann::ordered_json counts_json(const QueueCounts& counts) {
  return {{"pending", counts.pending}, {"done", counts.done},     {"denied", counts.denied},
          {"failed", counts.failed},   {"parked", counts.parked}, {"cut", counts.cut}};
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

// Returns the job of --job, or the only one.
Result<std::string> choose_job(const Options& options, const std::string& path) {
  const auto jobs = list_jobs(path);
  if (!jobs) return jobs.error();
  std::string names;
  for (const QueueJob& job : jobs.value()) {
    if (options.job == job.name) return job.name;
    names.append(names.empty() ? "" : ", ").append(job.name);
  }
  if (names.empty())
    return Error{"unknown-job", "the database " + path + " has no jobs; robotrules get --db makes them"};
  if (options.job) return Error{"unknown-job", "the database has no job " + *options.job + "; it has: " + names};
  if (jobs.value().size() == 1) return jobs.value().front().name;
  return Error{"unknown-job", "the database has several jobs; choose one with --job: " + names};
}

}  // namespace

int db_jobs(const Options& options, const std::string& path) {
  const auto jobs = list_jobs(path);
  if (!jobs) return refuse(jobs.error().message);
  Output out;
  for (const QueueJob& job : jobs.value()) {
    if (options.json) {
      nlohmann::ordered_json object;
      object["job"] = job.name;
      object["running"] = job.is_claimed;
      object["urls"] = counts_json(job.counts);
      object["outputs"] = job.outputs;
      const auto flags = nlohmann::ordered_json::parse(job.note, nullptr, false);
      if (flags.is_object()) object["flags"] = flags;
      out << json_line(object);
      continue;
    }
    out << base::printable(job.name) << "\t" << (job.is_claimed ? "running" : "stopped");
    const auto counts = counts_json(job.counts);
    for (const auto& [state, count] : counts.items()) {
      out << "\t" << std::to_string(count.get<std::uint64_t>()) << " " << state;
    }
    for (const std::string& output : job.outputs) out << "\t" << base::printable(output);
    out << "\n";
  }
  return exit_yes;
}

int db_queue(const Options& options, const std::string& path, const std::string& argument) {
  if (argument != "ls" && argument != "export") {
    return refuse("\"" + argument + "\" is not a view of the queue; use ls (lines) or export (NDJSON)");
  }
  std::optional<UrlState> state;
  if (options.state) {
    const auto found = std::ranges::find(states, *options.state, [](UrlState known) { return to_string(known); });
    if (found == states.end()) {
      std::string names;
      for (const UrlState known : states) names.append(names.empty() ? "" : ", ").append(to_string(known));
      return refuse("--state: \"" + *options.state + "\" is not a state; use one of " + names);
    }
    state = *found;
  }
  const auto job = choose_job(options, path);
  if (!job) return refuse(job.error().message);
  const auto queue = open_url_queue(path, job.value());
  if (!queue) return refuse(queue.error().message);
  const bool as_json = options.json || argument == "export";
  Output out;
  const auto done = queue.value()->for_each(state, [&](const QueueItem& item) {
    out << (as_json ? json_line(item_json(item, argument == "export")) : item_line(item));
    return true;
  });
  return done ? exit_yes : refuse(done.error().message);
}

}  // namespace robotrules::cli
