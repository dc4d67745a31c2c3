#include "cli/io/network.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <robotrules/version.hpp>

#include "base/escape.hpp"
#include "cli/flags/choice.hpp"
#include "cli/get/file_shares.hpp"
#include "cli/io/terminal.hpp"

namespace robotrules::cli {
namespace {

// Fewer where the process may open few files (file_shares.hpp).
constexpr std::size_t most_at_once = 256;
constexpr std::size_t connections_kept = 32;  // a site is asked once or twice
constexpr std::size_t max_sites_in_memory = 1'024;

// No more than one page a second of a site; its robots.txt is held up by nothing but its own wishes.
constexpr std::chrono::seconds page_delay{1};

std::optional<std::chrono::milliseconds> read_seconds(std::string_view text) {
  double seconds = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (!(seconds >= 0.001 && seconds <= 3'600)) return std::nullopt;
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1'000));
}

}  // namespace

std::string header_to_send(const Options& options, const std::string& name) {
  const auto chosen = choose_agent(options.agent, options.robot);
  if (options.agent && chosen && chosen.value().name == name) return *options.agent;
  return name == default_agent ? name + "/" ROBOTRULES_VERSION : name;
}

Result<NetworkChoice> choose_network(const Options& options) {
  NetworkChoice choice;
  std::string error;
  const RobotsPolicy* policy = choose_policy(options.policy, options.strict, error);
  if (policy == nullptr) return Error{"invalid-policy", error};
  choice.policy = *policy;
  if (options.timeout) {
    const auto timeout = read_seconds(*options.timeout);
    if (!timeout) {
      return Error{"invalid-timeout", "--timeout takes seconds, from 0.001 to 3600, and not \"" +
                                          base::printable(*options.timeout) + "\""};
    }
    choice.policy.timeout = *timeout;
  }
  for (const std::string& network : options.allow_address) {
    if (const auto allowed = choice.guard.allow(network); !allowed) {
      return Error{allowed.error().code, "--allow-address: " + base::printable(allowed.error().message)};
    }
  }
  for (const std::string& text : options.allow_port) {
    std::uint16_t port = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), port);
    if (failed != std::errc() || end != text.data() + text.size() || port == 0) {
      return Error{"invalid-port",
                   "--allow-port takes a port, from 1 to 65535, and not \"" + base::printable(text) + "\""};
    }
    choice.extra_ports.push_back(port);
  }
  return choice;
}

Result<RobotUA> make_robot(const Options& options, const NetworkChoice& network, const std::string& name,
                           std::shared_ptr<RobotRules> rules) {
  const auto files = share_open_files(most_at_once);
  if (!files) return files.error();
  RobotUAOptions robot;
  robot.policy = network.policy;
  robot.replace_policy = false;  // a question changes nothing for a crawl that goes on with the database
  robot.pace.delay = page_delay;
  robot.max_sites_in_memory = max_sites_in_memory;
  robot.max_wait = std::chrono::duration_cast<std::chrono::seconds>(network.policy.timeout) + page_delay;
  robot.http.limits.max_total_time = network.policy.timeout;
  robot.http.max_redirect = network.policy.max_redirects;
  robot.http.allow_downgrade = network.policy.allow_downgrade;
  robot.http.max_in_flight = files.value().concurrency;
  robot.http.connection.guard = network.guard;
  robot.http.connection.extra_ports = network.extra_ports;
  robot.http.connection.keep_alive = std::min(connections_kept, files.value().keep_alive);
  robot.http.connection.proxy = proxy_from_environment();
  if (options.timeout) robot.http.connection.connect_timeout = network.policy.timeout;
  robot.product_token = name;
  auto made = RobotUA::make(header_to_send(options, name), options.from.value_or("nobody@invalid"), std::move(rules),
                            std::move(robot));
  if (!made) return Error{made.error().code, base::printable(made.error().message)};
  if (!options.from) {  // who only asks for a robots.txt now and then may be nobody
    UserAgentOptions sent = made.value().options();
    sent.from.clear();
    made.value().configure(std::move(sent));
  }
  return made;
}

void warn_without_certificates(std::string_view command) {
  const auto authorities = check_certificate_authorities({});
  if (!authorities) complain(command, "warning: " + base::printable(authorities.error().message));
}

}  // namespace robotrules::cli
