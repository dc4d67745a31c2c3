#include "cli/get/get_choice.hpp"

#include <unistd.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <robotrules/crawl_urls.hpp>

#include "base/ascii.hpp"
#include "base/escape.hpp"
#include "cli/flags/flag_choice.hpp"
#include "cli/flags/flag_values.hpp"
#include "cli/get/credentials.hpp"
#include "cli/get/job.hpp"
#include "cli/io/connection.hpp"
#include "cli/io/network.hpp"
#include "cli/io/terminal.hpp"

namespace robotrules::cli {
namespace {

using namespace std::chrono_literals;

// Returns the folder for bodies that are too long for memory: next to the output if files can be created there, else
// the system's folder for temporary files.
std::string spool_folder_for(const std::string& output) {
  std::error_code failed;
  if (!is_stream(output)) {
    std::filesystem::path folder = output;
    if (!std::filesystem::is_directory(folder, failed)) {
      while (!folder.empty() && !std::filesystem::is_directory(folder, failed) && folder != folder.parent_path()) {
        folder = folder.parent_path();
      }
      if (folder.empty()) folder = ".";
    }
    if (access(folder.c_str(), W_OK | X_OK) == 0) return folder.string();
  }
  const std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
  return failed ? "." : folder.string();
}

// Returns "pages-*.warc.gz" for the output "pages.warc.gz".
std::string name_of_parts(std::string output) {
  const std::size_t at = output.rfind(".warc");
  return at == std::string::npos ? output : output.insert(at, "-*");
}

// Reads the options that only a WARC file has.
Result<void> read_warc_options(const Options& options, const std::string& output, OutputOptions& into) {
  into.dedup = options.dedup;
  into.cdx = options.cdx;
  const char* given = !options.warc_headers.empty() ? "--warc-header"
                      : options.warc_max_size       ? "--warc-max-size"
                      : options.dedup               ? "--dedup"
                      : options.cdx                 ? "--cdx"
                                                    : nullptr;
  if (given == nullptr) return {};
  const auto name = read_output_name(output);
  if (!name) return name.error();
  if (name.value().kind != OutputKind::warc) {
    return Error{"invalid-option", std::string(given) + " is only for a WARC file: give --output NAME.warc.gz"};
  }
  for (const std::string& field : options.warc_headers) {
    const std::size_t equals = field.find('=');
    if (equals == std::string::npos) {
      return Error{"invalid-warcinfo", "--warc-header does not accept \"" + base::printable(field) +
                                           "\": give NAME=VALUE, such as operator=Ann"};
    }
    into.warcinfo.emplace_back(field.substr(0, equals), field.substr(equals + 1));
  }
  return {};
}

// Fails if an option has no effect with this output or without a database.
Result<void> check_effects(const Options& options, const std::string& output) {
  if (!queue_name(options) && (options.retry || options.revisit)) {
    return Error{"invalid-option", std::string(options.retry ? "--retry" : "--revisit") +
                                       " is for the URLs of an earlier run, which only a database has: give --db" +
                                       std::string(options.db ? " of another kind, or --queue" : "")};
  }
  if (!options.no_bodies && !options.keep_secrets) return {};
  const auto name = read_output_name(output);
  if (!name) return name.error();
  if (options.no_bodies && name.value().kind != OutputKind::ndjson) {
    return Error{"invalid-option", "--no-bodies is only for an NDJSON file: give --output NAME.ndjson"};
  }
  if (options.keep_secrets && name.value().kind != OutputKind::warc) {
    return Error{"invalid-option", "--keep-secrets is only for a WARC file: give --output NAME.warc.gz"};
  }
  return {};
}

// A file that a flag names.
struct NamedFile {
  std::string_view flag;
  std::string path;
};

// Returns the files that the run writes, or those that it reads.
std::vector<NamedFile> files_of(const Options& options, bool written) {
  constexpr std::array<std::string_view, 3> outputs = {"output", "log", "metrics-file"};
  std::vector<NamedFile> files;
  for (const Flag& flag : find_command("get")->flags) {
    const bool is_output = std::ranges::find(outputs, flag.name) != outputs.end();
    if (flag.takes != Takes::file || is_output != written) continue;
    if (const auto* one = std::get_if<std::optional<std::string> Options::*>(&flag.target)) {
      if (const auto& path = options.*(*one)) files.push_back({flag.name, *path});
    } else if (const auto* many = std::get_if<std::vector<std::string> Options::*>(&flag.target)) {
      for (const std::string& path : options.*(*many)) files.push_back({flag.name, path});
    }
  }
  return files;
}

// Fails if the run would write to a file that it reads, such as the list of URLs.
Result<void> check_files(const Options& options) {
  const std::vector<NamedFile> read = files_of(options, false);
  for (const NamedFile& out : files_of(options, true)) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(out.path, ignored)) continue;
    const auto same = std::ranges::find_if(read, [&](const NamedFile& in) {
      return std::filesystem::equivalent(out.path, in.path == "-" ? "/dev/stdin" : in.path, ignored);
    });
    if (same == read.end()) continue;
    return Error{"invalid-option", "--" + std::string(out.flag) + " " + base::printable(out.path) +
                                       " is also the file of --" + std::string(same->flag) +
                                       ", and the run would change it: give another file"};
  }
  return {};
}

// Reads --cookies. The jar also keeps the cookies that sites set.
Result<void> load_cookies(const Options& options, UserAgentOptions& http) {
  if (!options.cookies) return {};
  http.cookies = std::make_shared<CookieJar>();
  if (const auto loaded = http.cookies->load(*options.cookies); !loaded) {
    return Error{loaded.error().code, "--cookies: " + base::printable(loaded.error().message)};
  }
  if (http.cookies->lines().empty() && !options.quiet) {
    complain("get", "warning: --cookies: " + base::printable(*options.cookies) +
                        " contains no valid cookie in Netscape's format");
  }
  return {};
}

// Reads --header. Every site of the crawl gets these fields, so they must not open one of them.
Result<Headers> read_headers(const Options& options) {
  Headers headers;
  for (const std::string& text : options.headers) {
    const std::size_t colon = text.find(':');
    const std::string_view name = base::trimmed(std::string_view(text).substr(0, colon));
    if (colon == std::string::npos || name.empty()) return bad_value(flag_for(&Options::headers), text);
    const bool is_password = base::equals_ignore_case(name, "Authorization");
    if (is_password || base::equals_ignore_case(name, "Cookie")) {
      return Error{"invalid-headers", "--header: every site would get the value of " + base::printable(name) +
                                          "; give " + (is_password ? "--user or --netrc-file" : "--cookies") +
                                          ", or set the field for single URLs of a list in JSON"};
    }
    headers.add(name, base::trimmed(std::string_view(text).substr(colon + 1)));
  }
  if (const auto checked = check_page_headers(headers); !checked) {
    return Error{checked.error().code, "--header: " + base::printable(checked.error().message)};
  }
  return headers;
}

// Reads what opens pages, and what is sent with each of their requests.
Result<void> read_access(const Options& options, GetChoice& choice) {
  auto credentials = choose_credentials(options);
  if (!credentials) return credentials.error();
  choice.robot.http.get_basic_credentials = std::move(credentials).value();
  auto headers = read_headers(options);
  if (!headers) return headers.error();
  choice.crawl.headers = std::move(headers).value();
  return load_cookies(options, choice.robot.http);
}

void read_pace(ValueReader& read, Pace& pace) {
  pace.delay = read.seconds(&Options::delay, 1s);
  pace.max_in_flight = static_cast<std::uint32_t>(read.whole_number(&Options::per_host, 1));
  pace.adaptive = read.number(&Options::adaptive, 0);
  const std::string by = read.choice(&Options::pace_by, "");
  pace.by_host = by == "host";
  pace.by_domain = by == "domain";
  pace.by_address = by == "address";
}

// Reads how long, how much and how many. The pace must be read before.
void read_limits(ValueReader& read, const Options& options, GetChoice& choice) {
  RobotUAOptions& robot = choice.robot;
  UserAgentOptions& http = robot.http;
  const auto max_wait =
      std::chrono::duration_cast<std::chrono::seconds>(read.seconds(&Options::max_wait, default_max_wait(robot.pace)));
  if (options.max_wait) robot.max_wait = max_wait;  // else it follows the delay, which another worker may lengthen
  http.limits.max_total_time = read.seconds(&Options::timeout, 60s);
  http.max_redirect = static_cast<unsigned>(read.whole_number(&Options::max_redirects, 7));
  http.max_in_flight = read.whole_number(&Options::concurrency, 256);

  choice.crawl.max_per_site = robot.pace.max_in_flight;
  choice.crawl.max_tries = static_cast<unsigned>(read.whole_number(&Options::tries, 3));
  choice.crawl.max_rate = read.number(&Options::rate, 0);
  choice.crawl.max_size = read.size(&Options::max_size, choice.crawl.max_size);
  choice.crawl.max_wait = max_wait;
  if (options.dry_run) {  // do not wait an hour for a forecast
    robot.max_wait = std::min(max_wait, std::chrono::ceil<std::chrono::seconds>(http.limits.max_total_time));
  }
  http.limits.max_wire_bytes = std::max(http.limits.max_wire_bytes, choice.crawl.max_size);
  http.count_responses = true;  // each is released after it is written
  http.max_memory = read.size(&Options::memory, std::uint64_t{256} << 20);
}

// Reads where the pages go, and how they are written.
Result<void> read_output(ValueReader& read, const Options& options, GetChoice& choice) {
  choice.output = options.output.value_or("-");
  choice.output_shown = options.warc_max_size ? name_of_parts(choice.output) : choice.output;
  choice.robot.http.spool_folder = spool_folder_for(choice.output);
  OutputOptions& into = choice.output_options;
  into.agent = choice.agent;
  into.from = *options.from;
  into.bodies = !options.no_bodies;
  into.keep_secrets = options.keep_secrets;
  if (options.level) {
    into.level = static_cast<int>(read.whole_number(&Options::level, 1));
    const auto name = read_output_name(choice.output);
    if (!name) return name.error();
    if (auto checked = check_level(name.value(), *into.level); !checked)
      return Error{"invalid-option", "--level: " + checked.error().message};
  }
  into.max_file_size = read.size(&Options::warc_max_size, 0);
  return {};
}

}  // namespace

void use_policy(GetChoice& choice, const RobotsPolicy& policy) {
  choice.robot.policy = policy;
  choice.robot.http.allow_downgrade = policy.allow_downgrade;
  choice.output_options.policy = policy.name;
}

Result<GetChoice> choose_get(const Options& options) {
  if (!options.from) {
    return Error{
        "missing-from",
        "--from is missing: give an e-mail address that reaches you, so that the operators of a site can write to you"};
  }
  GetChoice choice;
  std::string error;
  choice.dialect = choose_dialect(options.dialect, error);
  if (choice.dialect == nullptr) return Error{"invalid-dialect", error};
  auto network = choose_network(options);
  if (!network) return network.error();
  if (const auto checked = check_proxy_variables(options); !checked) return checked.error();

  auto agent = choose_agent(options.agent, options.robot);
  if (!agent) return agent.error();
  choice.token = agent.value().name;
  choice.note = std::move(agent.value().note);
  choice.agent = header_to_send(options, choice.token);
  RobotUAOptions& robot = choice.robot;
  robot.product_token = options.robot.value_or("");
  UserAgentOptions& http = robot.http;
  ValueReader read(options);
  use_policy(choice, network.value().policy);
  choice.crawl.obey_page = options.obey_page;
  http.from = *options.from;
  read_pace(read, robot.pace);
  http.connection = std::move(network.value().connection);
  read_limits(read, options, choice);
  choice.stop_within = std::chrono::duration_cast<std::chrono::milliseconds>(read.seconds(&Options::stop_within, 10s));
  if (auto output = read_output(read, options, choice); !output) return output.error();
  read.choice(&Options::fail_on, "");
  if (auto access = read_access(options, choice); !access) return access.error();
  if (auto warc = read_warc_options(options, choice.output, choice.output_options); !warc) return warc.error();
  if (auto effects = check_effects(options, choice.output); !effects) return effects.error();
  if (auto files = check_files(options); !files) return files.error();
  if (read.error()) return *read.error();
  return choice;
}

}  // namespace robotrules::cli
