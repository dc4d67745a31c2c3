#include "cli/get/get_choice.hpp"

#include <unistd.h>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <utility>

#include "base/escape.hpp"
#include "cli/flags/choice.hpp"
#include "cli/io/network.hpp"

namespace robotrules::cli {
namespace {

using Text = std::optional<std::string>;

// Of one value after the other; keeps the first that is none.
class Reader {
 public:
  // Seconds from `least` to `most`.
  std::chrono::milliseconds seconds(std::string_view flag, const Text& text, double otherwise, double least,
                                    double most) {
    return std::chrono::milliseconds(static_cast<std::int64_t>(1'000 * number(flag, text, otherwise, least, most)));
  }
  double number(std::string_view flag, const Text& text, double otherwise, double least, double most) {
    if (!text) return otherwise;
    double value = 0;
    const auto [end, failed] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (failed == std::errc() && end == text->data() + text->size() && value >= least && value <= most) return value;
    refuse(flag, "a number from " + shown(least) + " to " + shown(most), *text);
    return otherwise;
  }
  std::uint64_t whole(std::string_view flag, const Text& text, std::uint64_t otherwise, std::uint64_t least,
                      std::uint64_t most) {
    if (!text) return otherwise;
    std::uint64_t value = 0;
    const auto [end, failed] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (failed == std::errc() && end == text->data() + text->size() && value >= least && value <= most) return value;
    refuse(flag, "a whole number from " + std::to_string(least) + " to " + std::to_string(most), *text);
    return otherwise;
  }
  std::uint64_t size(std::string_view flag, const Text& text, std::uint64_t otherwise) {
    if (!text) return otherwise;
    if (const auto value = read_size(*text); value && *value > 0) return *value;
    refuse(flag, "a number of octets such as 500k, 16M or 1G", *text);
    return otherwise;
  }
  const std::optional<Error>& error() const noexcept { return error_; }

 private:
  static std::string shown(double value) {
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
  }
  void refuse(std::string_view flag, const std::string& wanted, const std::string& given) {
    if (error_) return;
    error_ = Error{"invalid-value",
                   "--" + std::string(flag) + " takes " + wanted + ", and not \"" + base::printable(given) + "\""};
  }
  std::optional<Error> error_;
};

// Where bodies go on that are too long for memory: beside the output, if files can be made there.
std::string spool_folder_for(const std::string& output) {
  std::error_code failed;
  if (output != "-") {
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

}  // namespace

std::optional<std::uint64_t> read_size(std::string_view text) {
  constexpr double most = 1e15;
  double value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || !(value >= 0 && value <= most)) return std::nullopt;
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  const auto is = [unit](char letter) { return unit.size() == 1 && (unit[0] | 0x20) == letter; };
  if (is('k')) value *= 1024;
  if (is('m')) value *= 1024.0 * 1024;
  if (is('g')) value *= 1024.0 * 1024 * 1024;
  if (!unit.empty() && !is('k') && !is('m') && !is('g')) return std::nullopt;
  return value <= most ? std::optional(static_cast<std::uint64_t>(std::llround(value))) : std::nullopt;
}

void use_policy(GetChoice& choice, const RobotsPolicy& policy) {
  choice.robot.policy = policy;
  choice.robot.http.allow_downgrade = policy.allow_downgrade;
  choice.output_options.policy = policy.name;
}

Result<GetChoice> choose_get(const Options& options) {
  if (!options.from) {
    return Error{"missing-from",
                 "--from is missing: give an e-mail address that reaches you, so that whoever runs a site can write"};
  }
  GetChoice choice;
  std::string error;
  choice.dialect = choose_dialect(options.dialect, error);
  if (choice.dialect == nullptr) return Error{"invalid-dialect", error};
  auto network = choose_network(options);
  if (!network) return network.error();

  auto agent = choose_agent(options.agent, options.robot);
  if (!agent) return agent.error();
  choice.token = agent.value().name;
  choice.note = std::move(agent.value().note);
  choice.agent = header_to_send(options, choice.token);
  RobotUAOptions& robot = choice.robot;
  robot.product_token = choice.token;
  UserAgentOptions& http = robot.http;
  Reader read;
  use_policy(choice, network.value().policy);
  robot.pace.delay = read.seconds("delay", options.delay, 1, 0, 86'400);
  robot.pace.max_in_flight = static_cast<std::uint32_t>(read.whole("per-host", options.per_host, 1, 1, 1'000));
  robot.max_wait =
      std::chrono::duration_cast<std::chrono::seconds>(read.seconds("max-wait", options.max_wait, 3'600, 0, 86'400));
  http.from = *options.from;
  http.limits.max_total_time = read.seconds("timeout", options.timeout, 60, 0.001, 3'600);
  http.max_redirect = static_cast<unsigned>(read.whole("max-redirects", options.max_redirects, 7, 0, 100));
  http.max_in_flight = read.whole("concurrency", options.concurrency, 256, 1, 100'000);
  http.connection.guard = network.value().guard;
  http.connection.extra_ports = network.value().extra_ports;
  http.connection.proxy = proxy_from_environment();

  choice.crawl.per_site = robot.pace.max_in_flight;
  choice.crawl.tries = static_cast<unsigned>(read.whole("tries", options.tries, 3, 1, 100));
  choice.crawl.rate = read.number("rate", options.rate, 0, 0.001, 1e6);
  choice.crawl.max_size = read.size("max-size", options.max_size, std::uint64_t{16} << 20);
  choice.crawl.longest_wait = robot.max_wait;
  choice.crawl.obey_page = options.obey_page;
  choice.crawl.explain = options.explain;
  if (options.dry_run) {  // a question is not worth waiting an hour for
    robot.max_wait = std::min(robot.max_wait, std::chrono::ceil<std::chrono::seconds>(http.limits.max_total_time));
  }
  http.limits.max_wire_bytes = std::max(http.limits.max_wire_bytes, choice.crawl.max_size);
  http.count_responses = true;  // each is written and let go of
  http.max_memory = read.size("memory", options.memory, std::uint64_t{256} << 20);

  choice.output = options.output.value_or("-");
  http.spool_folder = spool_folder_for(choice.output);
  choice.output_options.agent = choice.agent;
  choice.output_options.from = *options.from;
  choice.output_options.bodies = !options.no_bodies;
  choice.output_options.keep_secrets = options.keep_secrets;
  if (options.level) choice.output_options.level = static_cast<int>(read.whole("level", options.level, 1, 0, 19));
  if (read.error()) return *read.error();
  return choice;
}

}  // namespace robotrules::cli
