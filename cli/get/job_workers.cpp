#include "cli/get/job_workers.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/escape.hpp"
#include "cli/db/db_jobs.hpp"
#include "cli/get/job.hpp"
#include "cli/io/terminal.hpp"

namespace robotrules::cli {
namespace {

using Json = nlohmann::ordered_json;

std::chrono::milliseconds delay_in(const Json& note) {
  const auto found = note.find(longest_delay_member);
  const bool is_there = found != note.end() && found->is_number_unsigned();
  return std::chrono::milliseconds(is_there ? found->get<std::int64_t>() : 0);
}

std::string shown(const Json& flags, const std::string& name) {
  const auto found = flags.find(name);
  if (found == flags.end()) return "not given";
  return base::printable(found->is_string() ? found->get<std::string>() : found->dump());
}

// Returns the flags that differ, with both values. Each worker has an output and a log of its own.
std::string differences(const Json& here, const Json& there) {
  std::string all;
  for (const Flag& flag : find_command("get")->flags) {
    const std::string name(flag.name);
    if (name == "output" || name == "log" || shown(here, name) == shown(there, name)) continue;
    if (!all.empty()) all += ", ";
    all += "--" + name + " (here: " + shown(here, name) + ", there: " + shown(there, name) + ")";
  }
  return all;
}

Result<bool> has_other_workers(const std::string& database, const std::string& job) {
  const auto jobs = list_jobs(database);
  if (!jobs) return jobs.error();
  const auto own = std::ranges::find(jobs.value(), job, &QueueJob::name);
  return own != jobs.value().end() && own->workers > 1;
}

Result<void> keep_delay(UrlQueue& queue, Json note, std::chrono::milliseconds delay) {
  note[longest_delay_member] = delay.count();
  return queue.set_note(note_text(note));
}

}  // namespace

Result<void> meet_workers(const GetOptions& options, const std::string& job, UrlQueue& queue, RobotUA& robot) {
  const auto others = has_other_workers(*options.queue_in, job);
  if (!others) return others.error();
  const auto before = queue.note();
  if (!before) return before.error();
  const Json there = kept_flags(before.value());
  if (!others.value()) return keep_delay(queue, there, robot.delay());
  const std::string other_flags = differences(kept_flags(options.kept), there);
  if (!other_flags.empty() && !options.quiet) {
    complain("get", "the job " + base::printable(job) + " has a worker with other flags: " + other_flags);
  }
  return agree_on_delay(queue, robot, options.quiet);
}

Result<void> agree_on_delay(UrlQueue& queue, RobotUA& robot, bool quiet) {
  const auto note = queue.note();
  if (!note) return note.error();
  Json kept = kept_flags(note.value());
  const auto longest = delay_in(kept);
  if (longest == robot.delay()) return {};
  if (longest < robot.delay()) return keep_delay(queue, std::move(kept), robot.delay());
  robot.delay(longest);
  if (!quiet) {
    complain("get", "another worker of the job has a delay of " + std::to_string(longest.count()) +
                        " ms, which now holds here too");
  }
  return {};
}

}  // namespace robotrules::cli
