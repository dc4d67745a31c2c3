#include "cli/get/run.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

#include <robotrules/crawl.hpp>
#include <robotrules/open_store.hpp>

#include "base/escape.hpp"
#include "base/store_name.hpp"
#include "cli/db/source.hpp"
#include "cli/get/job.hpp"
#include "cli/get/messages.hpp"
#include "cli/get/signals.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

// Returns the file of the queue; empty: a temporary one. A dry run makes no job, because the real run may get another
// output and thus be another job.
Result<std::string> queue_path(const GetRun& run) {
  const auto& database = run.options.queue_in;
  if (!database || !run.options.dry_run) return database.value_or("");
  const auto jobs = list_jobs(*database);
  if (!jobs) return jobs.error();
  const bool is_known = std::ranges::find(jobs.value(), run.job, &QueueJob::name) != jobs.value().end();
  return is_known ? *database : std::string();
}

// Adds the command that gives the database to the robot, if it belongs to another one.
Error with_remedy(Error error, const GetOptions& options) {
  if (error.code == "other-agent" && options.db) {
    error.message += ": robotrules db " + store_word(*options.db).word + " import --agent " +
                     shell_word(options.token) + " --replace-agent - < /dev/null";
  }
  return error;
}

// If the folder of the job is gone, says that the pages in it are not fetched again.
Result<void> tell_missing_folder(const GetRun& run) {
  const std::string& folder = run.options.crawl.output_path;
  std::error_code ignored;
  if (folder.empty() || std::filesystem::exists(folder, ignored)) return {};
  const auto name = read_output_name(run.options.output);
  if (!name || name.value().kind != OutputKind::tree) return {};
  const auto known = run.queue->output_position(folder);
  const auto counts = run.queue->counts();
  if (!known || !counts) return known ? counts.error() : known.error();
  if (!known.value() || counts.value().done == 0) return {};
  complain("get", "the folder " + base::printable(run.options.output) + " of this job is missing, with the pages of " +
                      counted(counts.value().done, "URL") +
                      " that are done and not fetched again; to begin anew: "
                      "robotrules db " +
                      store_word(*run.options.queue_in).word + " queue rm --job " + shell_word(run.job));
  return {};
}

Result<void> open_log_of(GetRun& run) {
  const auto& name = run.options.log;
  if (!name) return {};
  std::error_code ignored;
  const std::string& path = run.options.crawl.log_path;
  const bool is_new = !path.empty() && !std::filesystem::exists(path, ignored);
  auto log = open_log(*name);
  if (!log) return log.error();
  run.log = std::move(log).value();
  if (is_new) run.made.push_back(path);
  return {};
}

// Opens the log first: if it cannot be opened, there is no empty output. Only a folder comes before its log, which may
// be in it.
Result<void> open_output_and_log(GetRun& run) {
  const auto name = read_output_name(run.options.output);
  const bool is_folder = name && name.value().kind == OutputKind::tree;
  std::error_code ignored;
  if (is_folder && !std::filesystem::exists(run.options.output, ignored)) run.made.push_back(run.options.output);
  if (!is_folder) {
    if (auto opened = open_log_of(run); !opened) return opened;
  }
  auto output = open_output(run.options.output, run.options.output_options);
  if (!output) return output.error();
  run.output = std::move(output).value();
  return is_folder ? open_log_of(run) : Result<void>();
}

constexpr std::array<const char*, 4> parts_of_a_database{"", "-wal", "-shm", "-crawl"};

// Returns the path of a database in a file; empty for one on a server.
std::string file_of(const std::string& name) {
  constexpr std::string_view scheme = "sqlite:";
  if (!base::shown_store(name).is_file) return {};
  return name.starts_with(scheme) ? name.substr(scheme.size()) : name;
}

// Returns the databases that opening makes. A log without its database belongs to one that was moved away.
std::vector<std::string> databases_to_make(const GetOptions& options) {
  std::vector<std::string> paths;
  for (const auto& name : {options.db, options.queue}) {
    const std::string path = file_of(name.value_or(""));
    const bool is_new = std::ranges::none_of(parts_of_a_database, [&](const char* part) {
      std::error_code ignored;
      return std::filesystem::exists(std::filesystem::symlink_status(path + part, ignored));
    });
    if (!path.empty() && is_new) paths.push_back(path);
  }
  return paths;
}

// Returns true if nobody has put anything into the database, and nobody has it open: the last one who closes it removes
// its log.
bool is_unused(const std::string& path) {
  {
    const auto jobs = list_jobs(path);
    if (!jobs || !jobs.value().empty()) return false;
    const auto store = open_store(path, {});
    const auto stats = store ? store.value()->stats() : Result<StoreStats>(store.error());
    if (!stats || stats.value().origins > 0 || stats.value().gates > 0) return false;
  }
  std::error_code failed;
  return !std::filesystem::exists(path + "-wal", failed) && !failed;
}

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds server_check_interval{20};
constexpr std::chrono::seconds first_wait{1};
constexpr std::chrono::seconds max_wait{30};

bool is_on_server(const Given& given) {
  const auto is_url = [](const std::optional<std::string>& name) {
    return name && name->find("://") != std::string::npos;
  };
  return is_url(given.text("db")) || is_url(given.text("queue"));
}

// A file that is read-only stays so; a server may be a standby that is about to be promoted.
bool ends_by_waiting(const Error& error) {
  return error.code == "store-unreachable" || error.code == "store-read-only";
}

}  // namespace

void remove_made(GetRun& run) {
  run.log.reset();
  run.output.reset();
  std::error_code ignored;
  for (const std::string& path : run.made) {
    if (std::filesystem::is_empty(path, ignored)) std::filesystem::remove(path, ignored);
  }
  run.queue.reset();  // ends the claim of the job
  run.robot.reset();
  run.store.reset();
  if (run.is_new_job) static_cast<void>(remove_job(*run.options.queue_in, run.job));
  for (const std::string& path : run.made_databases) {
    if (!is_unused(path)) continue;
    for (const char* part : {"", "-crawl"}) std::filesystem::remove(path + part, ignored);
  }
}

Result<void> open_stores(GetRun& run) {
  GetOptions& options = run.options;
  run.robot.reset();  // an earlier call may have failed on the way
  run.queue.reset();
  run.store.reset();
  const std::vector<std::string> made = databases_to_make(options);
  const auto note_made = [&](const std::string& path) {
    if (std::ranges::find(made, path) != made.end()) run.made_databases.push_back(path);
  };
  if (options.db) {
    auto store = open_store(*options.db, {});
    if (!store) return store.error();
    run.store = std::move(store).value();
    note_made(file_of(*options.db));
    if (const std::string warning = run.store->health().problem; !warning.empty() && !options.quiet) {
      complain("get", "warning: " + warning);
    }
    const auto kept = run.store->policy();
    if (!kept) return kept.error();
    const auto policy = policy_over(*run.store, options.policy);
    if (!policy) return policy.error();
    use_policy(options, policy.value());
    options.robot.replace_policy = !options.dry_run;
    if (!options.dry_run && !options.quiet && kept.value() && kept.value()->name != policy.value().name) {
      complain("get", "the policy of " + base::without_store_password(*options.db) + " changes from " +
                          std::string(kept.value()->name) + " to " + std::string(policy.value().name));
    }
  } else {
    run.store = make_memory_store();
  }
  const auto path = queue_path(run);
  if (!path) return path.error();
  auto queue = open_url_queue(path.value(), run.job);
  if (!queue) return queue.error();
  run.queue = std::move(queue).value();
  if (options.queue) note_made(file_of(*options.queue));
  if (const auto claimed = run.queue->claim(); !claimed) return claimed.error();
  const auto counts = run.queue->counts();
  if (!counts) return counts.error();
  const auto note = run.queue->note();
  if (!note) return note.error();
  run.left = counts.value().pending;
  run.has_results = counts.value().all() > counts.value().pending;
  run.is_new_job = !path.value().empty() && counts.value().all() == 0 && note.value().empty();

  auto rules = RobotRules::open(run.store, options.token, *options.dialect, OtherAgent::refused);
  if (!rules) return with_remedy(rules.error(), options);
  auto robot = RobotUA::make(options.output_options.agent, options.robot.http.from,
                             std::make_shared<RobotRules>(std::move(rules).value()), options.robot);
  if (!robot) return robot.error();
  run.robot.emplace(std::move(robot).value());
  return {};
}

Result<void> open_metrics(GetRun& run) {
  const GetOptions& options = run.options;
  const std::string& file = options.metrics_file;
  run.metrics_file = std::make_unique<MetricsFile>(file);
  if (auto checked = run.metrics_file->check(); !checked) return checked;
  if (!file.empty() && !file.ends_with(".prom") && !options.quiet) {
    complain("get", "warning: --metrics-file " + base::printable(file) +
                        ": node exporter reads only files whose names end in .prom");
  }
  if (!options.metrics) return {};
  auto served = serve_metrics(*options.metrics);
  if (!served) return served.error();
  run.metrics = std::move(served).value();
  return {};
}

Result<void> open_outputs(GetRun& run) {
  GetOptions& options = run.options;
  if (!is_stream(options.output)) options.crawl.output_path = file_identity(options.output);
  // A log that is not a file, such as a pipe or standard output, cannot be resumed.
  std::error_code ignored;
  if (options.log && *options.log != "-" &&
      (std::filesystem::is_regular_file(*options.log, ignored) || !std::filesystem::exists(*options.log, ignored))) {
    options.crawl.log_path = file_identity(*options.log);
  }
  const auto recovered = resume(*run.queue, options.crawl.output_path, options.crawl.log_path, options.output_options);
  if (!recovered) return recovered.error();
  run.recovered = recovered.value();
  if (!options.quiet) {
    if (auto told = tell_missing_folder(run); !told) return told;
  }
  if (auto opened = open_output_and_log(run); !opened) return opened;
  if (!options.queue_in) return {};
  if (run.queue->is_shared()) {
    if (auto met = meet_workers(options, run.job, *run.queue, *run.robot); !met) return met;
  }
  const auto before = run.queue->note();
  return before ? run.queue->set_note(note_to_keep(options.kept, before.value())) : Result<void>(before.error());
}

Result<void> wait_for_server(const Given& given, const std::function<Result<void>()>& open) {
  auto opened = open();
  if (opened || given.has("dry-run") || !is_on_server(given) || !ends_by_waiting(opened.error())) return opened;
  catch_interrupts();
  tell_queue(opened.error().message + "; the crawl waits until it answers");
  for (Clock::duration wait = first_wait;; wait = std::min<Clock::duration>(2 * wait, max_wait)) {
    for (const auto until = Clock::now() + wait; Clock::now() < until && interrupts() == 0;) {
      std::this_thread::sleep_for(server_check_interval);
    }
    if (interrupts() > 0) return opened;
    opened = open();
    if (!opened && ends_by_waiting(opened.error())) continue;
    if (opened) tell_queue("");
    return opened;
  }
}

}  // namespace robotrules::cli
