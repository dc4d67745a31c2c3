// robotrules db PATH jobs | queue: the crawls of a database and their URLs; removes a crawl.
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <ranges>
#include <set>
#include <string_view>

#include <robotrules/crawl.hpp>
#include <robotrules/crawl_urls.hpp>
#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "base/escape.hpp"
#include "base/time_text.hpp"
#include "base/url_escapes.hpp"
#include "base/utf8.hpp"
#include "cli/db/actions.hpp"
#include "cli/db/source.hpp"
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
  const std::string& found = item.request.found;
  if (!found.empty()) object["found"] = base::is_utf8(found) ? found : base::needed_escapes(found);
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
  if (!item.result->warning.empty()) object["warning"] = base::printable(item.result->warning);
  object["at"] = base::time_text(item.result->at);
  if (item.result->status != 0) object["bytes"] = item.result->bytes;
  if (!item.result->digest.empty()) object["digest"] = item.result->digest;
  return object;
}

std::string item_line(const QueueItem& item) {
  const bool has_status = item.result && item.result->status != 0;
  std::string line(to_string(item.state));
  line += "\t" + (has_status ? std::to_string(item.result->status) : "-");
  line += "\t" + (item.result && !item.result->why.empty() ? base::printable(item.result->why) : "-");
  line += "\t" + printable_url(item.request.url);
  if (item.result && !item.result->warning.empty()) line += "\t" + base::printable(item.result->warning);
  return line + "\n";
}

// Opens the queue of the job of that name, or of the only one. `to_read`: the file may be read-only.
Result<std::unique_ptr<UrlQueue>> open_queue(const std::string& path, const std::optional<std::string>& name,
                                             bool to_read) {
  const auto jobs = list_jobs(path);
  if (!jobs) return jobs.error();
  const auto job = find_job(jobs.value(), name, path);
  if (!job) return job.error();
  StoreOptions how;
  how.sqlite.accept_read_only = to_read;
  return open_url_queue(path, job.value()->name, how);
}

std::string_view state_of(const QueueJob& job) {
  if (job.is_claimed) return "running";
  return job.counts.pending == 0 && job.counts.all() > 0 ? "finished" : "stopped";
}

std::string one_decimal(double value) {
  const auto tenths = static_cast<std::uint64_t>(value * 10 + 0.5);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

// "3 workers with 40 sites, 12.5 URLs/s"
std::string workers_text(const QueueJob& job) {
  std::string text = counted(job.workers, "worker") + " with " + counted(job.claimed_sites, "site");
  if (job.urls_per_second > 0) text += ", " + one_decimal(job.urls_per_second) + " URLs/s";
  return text;
}

// `is_shared`: a database on a server, whose jobs may have several workers.
std::string job_line(const QueueJob& job, bool as_json, bool is_shared) {
  if (as_json) {
    nlohmann::ordered_json object;
    object["job"] = job.name;
    object["running"] = job.is_claimed;
    object["urls"] = counts_json(job.counts);
    if (is_shared) {
      object["workers"] = job.workers;
      object["sites"] = {{"claimed", job.claimed_sites}, {"free", job.free_sites}};
      object["urls_per_second"] = job.urls_per_second;
    }
    object["outputs"] = job.outputs;
    object["flags"] = kept_flags(job.note);
    return json_line(object);
  }
  std::string line = base::printable(job.name) + "\t" + std::string(state_of(job));
  for (const UrlState state : all_url_states) {
    line += "\t" + std::to_string(job.counts.of(state)) + " ";
    line += state == UrlState::parked ? "left out" : to_string(state);
  }
  if (is_shared) {
    line += "\t" + counted(job.claimed_sites + job.free_sites, "site") + " to go\t" + workers_text(job);
  }
  for (const std::string& output : job.outputs) line.append("\t").append(base::printable(output));
  return line + "\n";
}

// Returns the ids of a URL in the queue: a job may have it with GET and with HEAD. Fails with "unknown-url".
Result<std::vector<std::int64_t>> ids_of(const UrlQueue& queue, const std::string& job, const std::string& text) {
  const auto url = read_url_line(text);
  if (!url) return url.error();
  std::vector<std::int64_t> ids;
  std::set<std::string> keys{url.value().url};
  if (!url.value().found.empty()) keys.insert(base::older_spelling(url.value().found, url.value().url));
  for (const std::string& key : keys) {
    for (const char* method : {"GET", "HEAD"}) {
      const auto item = queue.find(method, key);
      if (!item) return item.error();
      if (item.value()) ids.push_back(item.value()->id);
    }
  }
  if (!ids.empty()) return ids;
  return Error{"unknown-url", "the job " + job + " does not have the URL " + printable_url(url.value().url) +
                                  "; nothing was removed (queue ls shows its URLs)"};
}

// Removes URLs from a job: all of them, or none if it does not have one.
int remove_urls(const std::string& path, const std::string& name, std::span<const std::string> urls) {
  const auto queue = open_queue(path, name, false);
  if (!queue) return refuse(db_command, queue.error().message);
  const std::string job = base::printable(name);
  std::vector<std::int64_t> all;
  for (const std::string& url : urls) {
    const auto ids = ids_of(*queue.value(), job, url);
    if (!ids) return refuse(db_command, ids.error().message);
    all.insert(all.end(), ids.value().begin(), ids.value().end());
  }
  const auto removed = queue.value()->remove(all);
  if (!removed) return refuse(db_command, removed.error().message);
  complain(db_command,
           "removed " + counted(removed.value(), "URL") + " from the job " + job + "; pages in its outputs stay");
  return exit_yes;
}

// Removes a job, and prints it as it was; with URLs, removes only these. The job must be named, also if it is the only
// one.
int remove_queue(const std::string& path, const std::optional<std::string>& name, std::span<const std::string> urls,
                 bool json) {
  if (!name) {
    return refuse(db_command, urls.empty() ? "queue rm removes a job with all its URLs; name the job with --job"
                                           : "queue rm removes URLs from a job; name the job with --job");
  }
  if (!urls.empty()) return remove_urls(path, *name, urls);
  const auto jobs = list_jobs(path);
  if (!jobs) return refuse(db_command, jobs.error().message);
  if (const auto known = find_job(jobs.value(), name, path); !known) {
    return refuse(db_command, known.error().message);
  }
  const auto removed = remove_job(path, *name);
  if (!removed) return refuse(db_command, removed.error().message);
  const QueueJob& job = removed.value();
  Output out;
  out << job_line(job, json, path.find("://") != std::string::npos);
  out.flush();
  complain(db_command, "removed the job " + base::printable(job.name) + " with " + counted(job.counts.all(), "URL") +
                           (job.outputs.empty() ? "" : "; the files of its outputs stay"));
  return exit_yes;
}

// Returns the state of that name; null without a name: all of them.
Result<std::optional<UrlState>> read_state(const std::optional<std::string>& name) {
  if (!name) return std::optional<UrlState>();
  const auto found = std::ranges::find(all_url_states, *name, [](UrlState state) { return to_string(state); });
  if (found != all_url_states.end()) return std::optional(*found);
  const auto names = std::views::transform(all_url_states, [](UrlState state) { return to_string(state); });
  return Error{"invalid-value", "--state: \"" + *name + "\" is not a state; use one of " + listed(names)};
}

}  // namespace

int db_jobs(const std::string& path, bool json) {
  const auto jobs = list_jobs(path);
  if (!jobs) return refuse(db_command, jobs.error().message);
  Output out;
  for (const QueueJob& job : jobs.value()) out << job_line(job, json, path.find("://") != std::string::npos);
  return exit_yes;
}

int db_queue(const std::string& path, const std::string& argument, const std::optional<std::string>& job,
             const std::optional<std::string>& state, std::span<const std::string> urls, bool json) {
  if (argument == "rm" && job && state) {
    return refuse(db_command, "queue rm does not look at states; --state is for ls and export");
  }
  if (argument == "rm") return remove_queue(path, job, urls, json);
  if (argument != "ls" && argument != "export") {
    return refuse(db_command, "\"" + printable_operand(argument) +
                                  "\" is not an action on the queue; use ls (lines), export (NDJSON) or " +
                                  "rm (remove the job, or URLs from it)");
  }
  if (!urls.empty()) {
    return refuse(db_command, "queue " + argument + " takes no URLs, but \"" + printable_operand(urls.front()) +
                                  "\" was given; name the job with --job");
  }
  const auto only = read_state(state);
  if (!only) return refuse(db_command, only.error().message);
  const auto queue = open_queue(path, job, true);
  if (!queue) return refuse(db_command, queue.error().message);
  const bool as_json = json || argument == "export";
  Output out;
  const auto done = queue.value()->for_each(only.value(), [&](const QueueItem& item) {
    out << (as_json ? json_line(item_json(item, argument == "export")) : item_line(item));
    return true;
  });
  return done ? exit_yes : refuse(db_command, done.error().message);
}

}  // namespace robotrules::cli
