#include "cli/io/network.hpp"

#include <algorithm>
#include <utility>

#include <robotrules/version.hpp>

#include "base/escape.hpp"
#include "cli/flags/flag_choice.hpp"
#include "cli/flags/flag_values.hpp"
#include "cli/io/connection.hpp"
#include "cli/io/terminal.hpp"

namespace robotrules::cli {
namespace {

// Reduced if the process may open few files (share_open_files).
constexpr std::size_t max_concurrency = 256;
constexpr std::size_t connections_kept = 32;  // each site gets one or two requests
constexpr std::size_t max_sites_in_memory = 1'024;

// At most one page per second and site. Only the site's own delays hold up its robots.txt.
constexpr std::chrono::seconds page_delay{1};

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
  ValueReader read(options);
  choice.policy.timeout = read.seconds(&Options::timeout, choice.policy.timeout);
  if (read.error()) return *read.error();
  auto connection = choose_connection(options);
  if (!connection) return connection.error();
  choice.connection = std::move(connection).value();
  if (options.from && options.from->find('@') == std::string::npos) {
    return Error{"invalid-contact", "--from does not accept \"" + base::printable(*options.from) +
                                        "\"; give an e-mail address with an \"@\" that reaches you"};
  }
  return choice;
}

Result<RobotUA> make_robot(const Options& options, const NetworkChoice& network, const std::string& name,
                           std::shared_ptr<RobotRules> rules) {
  if (const auto checked = check_proxy_variables(options); !checked) return checked.error();
  const auto files = share_open_files(max_concurrency);
  if (!files) return files.error();
  RobotUAOptions robot;
  robot.policy = network.policy;
  robot.replace_policy = false;  // a check must not change the policy of a crawl that uses the database later
  robot.pace.delay = page_delay;
  robot.max_sites_in_memory = max_sites_in_memory;
  robot.max_wait = std::chrono::duration_cast<std::chrono::seconds>(network.policy.timeout) + page_delay;
  robot.http.limits.max_total_time = network.policy.timeout;
  robot.http.max_redirect = network.policy.max_redirects;
  robot.http.allow_downgrade = network.policy.allow_downgrade;
  robot.http.max_in_flight = files.value().concurrency;
  robot.http.connection = network.connection;
  robot.http.connection.keep_alive = std::min(connections_kept, files.value().keep_alive);
  if (options.timeout) robot.http.connection.connect_timeout = network.policy.timeout;
  robot.product_token = name;
  auto made = RobotUA::make(header_to_send(options, name), options.from.value_or("nobody@invalid"), std::move(rules),
                            std::move(robot));
  if (!made) return Error{made.error().code, base::printable(made.error().message)};
  if (!options.from) {  // a few requests for robots.txt need no address
    UserAgentOptions sent = made.value().options();
    sent.from.clear();
    made.value().configure(std::move(sent));
  }
  return made;
}

std::string_view hint_for(FailureCause cause) {
  switch (cause) {
    case FailureCause::address_refused: return "; --allow-address permits it";
    case FailureCause::port_refused: return "; --allow-port permits it";
    default: return "";
  }
}

void warn_without_certificates(std::string_view command, const TlsOptions& tls) {
  const auto authorities = check_certificate_authorities(tls);
  if (!authorities) complain(command, "warning: " + base::printable(authorities.error().message));
}

}  // namespace robotrules::cli
