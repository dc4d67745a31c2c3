#include "cli/get/job.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <nlohmann/json.hpp>

#include <robotrules/open_store.hpp>
#include <robotrules/page_output.hpp>

#include "base/escape.hpp"
#include "base/hex.hpp"
#include "base/store_name.hpp"
#include "base/userinfo.hpp"
#include "cli/db/source.hpp"
#include "cli/get/get_options.hpp"
#include "cli/io/terminal.hpp"

namespace robotrules::cli {
namespace {

// Flags that belong to a run and not to its job.
constexpr std::array<std::string_view, 17> not_kept = {
    "help",    "db",           "queue", "job",    "input",   "sitemap", "sitemaps", "dry-run", "explain",
    "metrics", "metrics-file", "quiet", "config", "revisit", "retry",   "version",  "color"};

// Of values that may contain a password, only URLs are kept, without it: a crawl must not lose its proxy.
bool is_kept(const Flag& flag) {
  return std::ranges::find(not_kept, flag.name) == not_kept.end() && (!flag.is_secret || flag.takes == Takes::url);
}

// Returns the value to keep. A file is the same in every folder.
std::string kept_value(const Flag& flag, const std::string& value) {
  if (flag.is_secret) return base::proxy_without_userinfo(value);
  return flag.takes == Takes::file && value != "-" ? file_identity(value) : value;
}

// The member of a note that names the flags whose values are not kept, or not with their passwords.
constexpr const char* left_out_member = "not-kept";
// The member that names the sites whose /sitemap.xml was tried.
constexpr const char* tried_member = "tried-sitemap-xml";

// Returns an array of the note; an empty one if there is none.
nlohmann::ordered_json array_in(const nlohmann::ordered_json& note, const char* member) {
  const auto found = note.find(member);
  return found != note.end() && found->is_array() ? *found : nlohmann::ordered_json::array();
}

Result<nlohmann::ordered_json> note_of(const UrlQueue& queue) {
  const auto note = queue.note();
  if (!note) return note.error();
  return kept_flags(note.value());
}

// Returns the identity of a path for comparisons: a folder may be spelt with or without "/" at its end.
std::string absolute(const std::string& path) {
  if (path.empty() || path == "-") return path;
  std::string name = file_identity(path);
  while (name.size() > 1 && name.ends_with('/')) name.pop_back();
  return name;
}

// A fingerprint that stays the same in all versions (FNV-1a with 64 bits). The texts are kept apart.
class Fingerprint {
 public:
  void add(std::string_view text) {
    for (const char c : text) add(static_cast<unsigned char>(c));
    add(0x100);
  }
  std::string text() const {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>((sum_ ^ sum_ >> 32) >> shift);
    return base::hex(bytes);
  }

 private:
  void add(std::uint64_t unit) { sum_ = (sum_ ^ unit) * 0x100000001B3; }
  std::uint64_t sum_ = 0xCBF29CE484222325;
};

// Returns the last part of a path or the host of a URL, in characters that need no quotes in a shell.
std::string short_name(std::string_view given) {
  constexpr std::size_t max_size = 40;
  if (given == "-") return "stdin";
  const std::string plain = base::without_userinfo(given);  // no password in a name
  std::string_view text = plain;
  if (const std::size_t scheme = text.find("://"); scheme != std::string_view::npos) {
    text = text.substr(scheme + 3);
    text = text.substr(0, text.find_first_of("/?#"));
  }
  text = text.substr(text.rfind('@') == std::string_view::npos ? 0 : text.rfind('@') + 1);
  while (text.ends_with('/')) text.remove_suffix(1);
  text = text.substr(text.rfind('/') == std::string_view::npos ? 0 : text.rfind('/') + 1);
  std::string name(text.substr(0, max_size));
  for (char& c : name) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.';
    if (!is_plain) c = '_';
  }
  return name.empty() ? "_" : name;
}

std::string name_by_inputs(const InputOptions& input, const std::string& output) {
  Fingerprint all;
  std::string first;
  const auto add = [&](const std::vector<std::string>& texts, bool are_files) {
    for (const std::string& text : texts) {
      if (first.empty()) first = short_name(text);
      all.add(are_files ? absolute(text) : text);
    }
    all.add("");
  };
  add(input.files, true);
  add(input.sitemap_urls, false);
  add(input.operands, false);
  all.add(input.sitemaps ? "sitemaps" : "");
  all.add(absolute(output));
  return first + "-" + (output == "-" ? "stdout" : short_name(output)) + "-" + all.text();
}

// Returns true if the output or log belongs to the job. A repaired database has lost the positions of outputs, but not
// the flags that are kept with the job.
bool has_output(const QueueJob& job, const std::string& output) {
  if (is_stream(output)) return false;
  const std::string path = absolute(output);
  const auto is_same = [&](const std::string& known) { return absolute(known) == path; };
  if (!job.outputs.empty()) return std::ranges::any_of(job.outputs, is_same);
  const auto kept = kept_flags(job.note);
  return std::ranges::any_of(std::array{"output", "log"}, [&](const char* name) {
    const auto found = kept.find(name);
    return found != kept.end() && found->is_string() && is_same(found->get<std::string>());
  });
}

// Fails with "output-taken" if the output or the log belongs to another job.
Result<void> check_outputs(const Given& given, const std::vector<QueueJob>& jobs, const std::string& name,
                           const std::string& database) {
  for (const auto& path : {given.text("output"), given.text("log")}) {
    for (const QueueJob& job : jobs) {
      if (!path || job.name == name || !has_output(job, *path)) continue;
      return Error{"output-taken", *path + " belongs to the job " + job.name + " of the database " +
                                       base::without_store_password(database) +
                                       ": go on with that job (--job), or give another file"};
    }
  }
  return {};
}

// Returns the name of --job. Without it, returns the job that has the output, or the name of a new job; null: the run
// has no inputs, so it goes on with the only job.
std::optional<std::string> name_by_flags(const Given& given, const InputOptions& input,
                                         const std::vector<QueueJob>& jobs) {
  if (given.has("job")) return given.text("job");
  for (const QueueJob& job : jobs) {
    if (given.has("output") && has_output(job, *given.text("output"))) return job.name;
  }
  return input.has_any() ? std::optional(name_by_inputs(input, given.text("output", "-"))) : std::nullopt;
}

// Returns a level that gzip has. An earlier version accepted levels from 10 to 19 for it, which has none above 9.
std::string lower_level(const QueueJob& job, const std::string& output, const std::string& text) {
  const auto name = read_output_name(output);
  int level = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), level).ec != std::errc()) return text;
  if (!name || check_level(name.value(), level) || level < 9) return text;
  complain("get", "the job " + base::printable(job.name) + " began with --level " + text +
                      ", which gzip does not have; it goes on with 9");
  return "9";
}

void fill_in_kept(const QueueJob& job, Given& given) {
  const auto kept = kept_flags(job.note);
  const auto left_out = kept.value(left_out_member, nlohmann::ordered_json::array());
  std::string missing;
  for (const Flag& flag : given.command().flags) {
    if (given.has(flag.name)) continue;
    const bool is_left_out = std::ranges::any_of(left_out, [&](const auto& name) { return name == flag.name; });
    if (is_left_out) missing.append(missing.empty() ? "--" : ", --").append(flag.name);
    const auto found = kept.find(std::string(flag.name));
    if (found == kept.end() || !is_kept(flag)) continue;
    std::vector<std::string> values;
    if (found->is_string()) values.push_back(found->get<std::string>());
    if (flag.lists != Lists::none && found->is_array()) {
      for (const auto& value : *found) {
        if (value.is_string()) values.push_back(value.get<std::string>());
      }
    }
    if (flag.name == "level" && !values.empty()) values = {lower_level(job, given.text("output", "-"), values.front())};
    given.set(flag, std::move(values));
  }
  if (missing.empty() || given.has("quiet")) return;
  complain("get", "the job " + base::printable(job.name) + " began with " + missing +
                      ", and a database keeps no passwords: give these options again if the job needs them");
}

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

std::string file_identity(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path full = std::filesystem::absolute(path, failed).lexically_normal();
  const std::filesystem::path folder = std::filesystem::weakly_canonical(full.parent_path(), failed);
  return failed ? full.string() : (folder / full.filename()).string();
}

bool is_stream(const std::string& output) {
  const auto name = read_output_name(output);
  return name && name.value().kind == OutputKind::bodies;
}

std::optional<std::string> queue_database(const std::optional<std::string>& db,
                                          const std::optional<std::string>& queue) {
  if (!db || queue) return db ? queue : std::nullopt;
  return may_have_queues(*db) ? db : std::nullopt;
}

Result<std::string> choose_job(Given& given, const InputOptions& input, const std::optional<std::string>& database) {
  if (!database && given.has("job") && given.has("db")) {
    return Error{"invalid-option",
                 "--job names a crawl in a database, and Redis keeps no queues: give --queue PATH too"};
  }
  if (!database) return std::string(default_job);
  auto jobs = list_jobs(*database);
  if (!jobs && jobs.error().code != "store-missing") return jobs.error();
  const std::vector<QueueJob> known = jobs ? std::move(jobs).value() : std::vector<QueueJob>();
  std::optional<std::string> name = name_by_flags(given, input, known);
  if (!input.has_any()) {
    const auto job = find_job(known, name, *database);
    if (!job) return job.error();
    name = job.value()->name;
    fill_in_kept(*job.value(), given);
    if (const std::string wrong = find_wrong_value(given); !wrong.empty()) return Error{"invalid-value", wrong};
  }
  if (auto free = check_outputs(given, known, *name, *database); !free) return free.error();
  return *name;
}

std::string note_text(const nlohmann::ordered_json& note) {
  return note.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string flags_to_keep(const Given& given) {
  nlohmann::ordered_json kept = nlohmann::ordered_json::object();
  for (const Flag& flag : given.command().flags) {
    if (!given.has(flag.name)) continue;
    const std::string name(flag.name);
    const std::vector<std::string>& values = given.all(flag.name);
    if (is_kept(flag)) {
      kept[name] = values;
      if (flag.lists == Lists::none) kept[name] = kept_value(flag, values.front());
    }
    if (flag.is_secret && (!is_kept(flag) || kept[name] != values.front())) kept[left_out_member].push_back(name);
  }
  return note_text(kept);
}

std::string note_to_keep(const std::string& flags, std::string_view before) {
  auto kept = kept_flags(flags);
  const auto earlier = kept_flags(before);
  for (const char* member : {tried_member, longest_delay_member}) {
    if (earlier.contains(member)) kept[member] = earlier[member];
  }
  return note_text(kept);
}

Result<bool> has_tried_sitemap_xml(const UrlQueue& queue, const std::string& site) {
  const auto note = note_of(queue);
  if (!note) return note.error();
  const auto tried = array_in(note.value(), tried_member);
  return std::find(tried.begin(), tried.end(), site) != tried.end();
}

Result<void> keep_tried_sitemap_xml(UrlQueue& queue, const std::string& site) {
  auto note = note_of(queue);
  if (!note) return note.error();
  auto tried = array_in(note.value(), tried_member);
  tried.push_back(site);
  note.value()[tried_member] = std::move(tried);
  return queue.set_note(note_text(note.value()));
}

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
