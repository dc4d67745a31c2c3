#include "cli/get/get_options.hpp"

#include <unistd.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include <robotrules/crawl_urls.hpp>

#include "base/ascii.hpp"
#include "base/escape.hpp"
#include "cli/get/job.hpp"
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

// Fails with "invalid-option" if one of the flags is given, and the output is of another kind.
Result<void> check_kind(const Given& given, const std::string& output, OutputKind kind,
                        std::initializer_list<std::string_view> flags) {
  const auto* const flag = std::ranges::find_if(flags, [&](std::string_view name) { return given.has(name); });
  if (flag == flags.end()) return {};
  const auto name = read_output_name(output);
  if (!name) return name.error();
  if (name.value().kind == kind) return {};
  return Error{"invalid-option", "--" + std::string(*flag) + " is only for " +
                                     (kind == OutputKind::warc ? "a WARC file: give --output NAME.warc.gz"
                                                               : "an NDJSON file: give --output NAME.ndjson")};
}

// Reads the options that only a WARC file has.
Result<void> read_warc_options(const Given& given, const std::string& output, OutputOptions& into) {
  into.dedup = given.has("dedup");
  into.cdx = given.has("cdx");
  if (auto fits = check_kind(given, output, OutputKind::warc, {"warc-header", "warc-max-size", "dedup", "cdx"}); !fits)
    return fits;
  for (const std::string& field : given.all("warc-header")) {
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
Result<void> check_effects(const Given& given, const GetOptions& options) {
  if (!options.queue_in && (options.retry || options.revisit)) {
    return Error{"invalid-option", std::string(options.retry ? "--retry" : "--revisit") +
                                       " is for the URLs of an earlier run, which only a database has: give --db" +
                                       std::string(options.db ? " of another kind, or --queue" : "")};
  }
  auto fits = check_kind(given, options.output, OutputKind::ndjson, {"no-bodies"});
  return fits ? check_kind(given, options.output, OutputKind::warc, {"keep-secrets"}) : fits;
}

// A file that a flag names.
struct NamedFile {
  std::string_view flag;
  std::string path;
};

// Returns the files that the run writes, or those that it reads.
std::vector<NamedFile> files_of(const Given& given, bool written) {
  constexpr std::array<std::string_view, 3> outputs = {"output", "log", "metrics-file"};
  std::vector<NamedFile> files;
  for (const Flag& flag : given.command().flags) {
    const bool is_output = std::ranges::find(outputs, flag.name) != outputs.end();
    if (flag.takes != Takes::file || is_output != written) continue;
    for (const std::string& path : given.all(flag.name)) files.push_back({flag.name, path});
  }
  return files;
}

// Fails if the run would write to a file that it reads, such as the list of URLs.
Result<void> check_files(const Given& given) {
  const std::vector<NamedFile> read = files_of(given, false);
  for (const NamedFile& out : files_of(given, true)) {
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
Result<void> load_cookies(const Given& given, UserAgentOptions& http) {
  const auto file = given.text("cookies");
  if (!file) return {};
  http.cookies = std::make_shared<CookieJar>();
  if (const auto loaded = http.cookies->load(*file); !loaded) {
    return Error{loaded.error().code, "--cookies: " + base::printable(loaded.error().message)};
  }
  if (http.cookies->lines().empty() && !given.has("quiet")) {
    complain("get", "warning: --cookies: " + base::printable(*file) + " contains no valid cookie in Netscape's format");
  }
  return {};
}

// Reads --header. Every site of the crawl gets these fields, so they must not open one of them.
Result<Headers> read_headers(const Given& given) {
  Headers headers;
  for (const std::string& text : given.all("header")) {
    const std::size_t colon = text.find(':');
    const std::string_view name = base::trimmed(std::string_view(text).substr(0, colon));
    if (colon == std::string::npos || name.empty()) return given.bad("header", text);
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
Result<void> read_access(const Given& given, GetOptions& options) {
  auto users = read_users(given);
  if (!users) return users.error();
  options.users = std::move(users).value();
  auto credentials = read_credentials(given, options.users);
  if (!credentials) return credentials.error();
  options.robot.http.get_basic_credentials = std::move(credentials).value();
  auto headers = read_headers(given);
  if (!headers) return headers.error();
  options.crawl.headers = std::move(headers).value();
  return load_cookies(given, options.robot.http);
}

void read_pace(const Given& given, Pace& pace) {
  pace.delay = given.span("delay", 1s);
  pace.max_in_flight = static_cast<std::uint32_t>(given.number("per-host", 1));
  pace.adaptive = given.number("adaptive", 0);
  const std::string by = given.text("pace-by", "");
  pace.by_host = by == "host";
  pace.by_domain = by == "domain";
  pace.by_address = by == "address";
}

// Reads how long, how much and how many. The pace must be read before.
void read_limits(const Given& given, GetOptions& options) {
  RobotUAOptions& robot = options.robot;
  UserAgentOptions& http = robot.http;
  const auto max_wait =
      std::chrono::duration_cast<std::chrono::seconds>(given.span("max-wait", default_max_wait(robot.pace)));
  if (given.has("max-wait")) robot.max_wait = max_wait;  // else it follows the delay, which another worker may lengthen
  http.limits.max_total_time = given.span("timeout", 60s);
  http.max_redirect = static_cast<unsigned>(given.number("max-redirects", 7));
  http.max_in_flight = static_cast<std::size_t>(given.number("concurrency", 256));
  options.stop_within = given.span("stop-within", options.stop_within);

  CrawlOptions& crawl = options.crawl;
  crawl.max_per_site = robot.pace.max_in_flight;
  crawl.max_tries = static_cast<unsigned>(given.number("tries", 3));
  crawl.max_rate = given.number("rate", 0);
  crawl.max_size = given.size("max-size", crawl.max_size);
  crawl.max_wait = max_wait;
  if (options.dry_run) {  // do not wait an hour for a forecast
    robot.max_wait = std::min(max_wait, std::chrono::ceil<std::chrono::seconds>(http.limits.max_total_time));
  }
  http.limits.max_wire_bytes = std::max(http.limits.max_wire_bytes, crawl.max_size);
  http.count_responses = true;  // each is released after it is written
  http.max_memory = given.size("memory", std::uint64_t{256} << 20);
}

// Reads where the pages go, and how they are written.
Result<void> read_output(const Given& given, GetOptions& options) {
  options.output = given.text("output", "-");
  options.output_shown = given.has("warc-max-size") ? name_of_parts(options.output) : options.output;
  options.robot.http.spool_folder = spool_folder_for(options.output);
  options.log = given.text("log");
  OutputOptions& into = options.output_options;
  into.from = options.robot.http.from;
  into.bodies = !given.has("no-bodies");
  into.keep_secrets = given.has("keep-secrets");
  if (given.has("level")) {
    into.level = static_cast<int>(given.number("level", 1));
    const auto name = read_output_name(options.output);
    if (!name) return name.error();
    if (auto checked = check_level(name.value(), *into.level); !checked)
      return Error{"invalid-option", "--level: " + checked.error().message};
  }
  into.max_file_size = given.size("warc-max-size", 0);
  return {};
}

// Reads the robot, and how it connects.
Result<void> read_robot(const Given& given, GetOptions& options) {
  auto network = read_network(given);
  if (!network) return network.error();
  if (!network->from) {
    return Error{
        "missing-from",
        "--from is missing: give an e-mail address that reaches you, so that the operators of a site can write to you"};
  }
  const auto dialect = choose_dialect(given.text("dialect"));
  if (!dialect) return dialect.error();
  options.dialect = dialect.value();
  if (const auto checked = network->has_proxy ? Result<void>() : check_proxy_variables(); !checked) return checked;
  const auto agent = choose_agent(given.text("agent"), given.text("robot"));
  if (!agent) return agent.error();
  if (!agent->note.empty() && !options.quiet) complain("get", agent->note);
  options.token = agent->name;
  options.output_options.agent = header_to_send(agent.value(), agent->name);
  options.policy = network->policy;
  options.robot.product_token = given.text("robot", "");
  UserAgentOptions& http = options.robot.http;
  http.from = *network->from;
  http.connection = std::move(network->connection);
  http.connection.http2 = given.has("http2");
  use_policy(options, options.policy.policy);
  return {};
}

// Reads what is done with the queue, and what is told.
void read_run(const Given& given, GetOptions& options) {
  options.db = given.text("db");
  options.queue = given.text("queue");
  options.kept = flags_to_keep(given);
  options.metrics = given.text("metrics");
  options.metrics_file = given.text("metrics-file", "");
  options.quiet = given.has("quiet");
  options.explain = given.has("explain");
  options.dry_run = given.has("dry-run");
  options.revisit = given.has("revisit");
  options.retry = given.has("retry");
  options.fails_on_denied = given.has("fail-on");
  options.crawl.obey_page = given.has("obey-page");
}

}  // namespace

InputOptions read_input(const Given& given) {
  return {given.operands, given.all("input"), given.all("sitemap"), given.has("sitemaps"),
          given.has("sitemap-any-host")};
}

void use_policy(GetOptions& options, const RobotsPolicy& policy) {
  options.robot.policy = policy;
  options.robot.http.allow_downgrade = policy.allow_downgrade;
  options.output_options.policy = policy.name;
}

Result<GetOptions> read_get(const Given& given, InputOptions input, std::optional<std::string> queue_in) {
  GetOptions options;
  options.input = std::move(input);
  options.queue_in = std::move(queue_in);
  read_run(given, options);
  if (auto robot = read_robot(given, options); !robot) return robot.error();
  read_pace(given, options.robot.pace);
  read_limits(given, options);
  if (auto output = read_output(given, options); !output) return output.error();
  if (auto access = read_access(given, options); !access) return access.error();
  if (auto warc = read_warc_options(given, options.output, options.output_options); !warc) return warc.error();
  if (auto effects = check_effects(given, options); !effects) return effects.error();
  if (auto files = check_files(given); !files) return files.error();
  if (options.log == "-" && options.output == "-") {
    return Error{"invalid-option",
                 "--log - and the pages cannot both go to standard output; give --output, or a file for the log"};
  }
  return options;
}

}  // namespace robotrules::cli
