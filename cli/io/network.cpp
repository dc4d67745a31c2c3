#include "cli/io/network.hpp"

#include <algorithm>
#include <utility>

#include "base/escape.hpp"
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

Result<NetworkOptions> read_network(const Given& given) {
  NetworkOptions options;
  auto policy = choose_policy(given);
  if (!policy) return policy.error();
  options.policy = std::move(policy).value();
  options.policy.policy.timeout = given.span("timeout", options.policy.policy.timeout);
  options.has_timeout = given.has("timeout");
  options.has_proxy = given.has("proxy");
  auto connection = read_connection(given);
  if (!connection) return connection.error();
  options.connection = std::move(connection).value();
  options.from = given.text("from");
  if (options.from && options.from->find('@') == std::string::npos) {
    return Error{"invalid-contact", "--from does not accept \"" + base::printable(*options.from) +
                                        "\"; give an e-mail address with an \"@\" that reaches you"};
  }
  return options;
}

Result<RobotUA> make_robot(const NetworkOptions& network, const AgentChoice& agent, const std::string& name,
                           std::shared_ptr<RobotRules> rules) {
  if (const auto checked = network.has_proxy ? Result<void>() : check_proxy_variables(); !checked) {
    return checked.error();
  }
  const auto files = share_open_files(max_concurrency);
  if (!files) return files.error();
  RobotUAOptions robot;
  const RobotsPolicy& policy = network.policy.policy;
  robot.policy = policy;
  robot.replace_policy = false;  // a check must not change the policy of a crawl that uses the database later
  robot.pace.delay = page_delay;
  robot.max_sites_in_memory = max_sites_in_memory;
  robot.max_wait = std::chrono::duration_cast<std::chrono::seconds>(policy.timeout) + page_delay;
  robot.http.limits.max_total_time = policy.timeout;
  robot.http.max_redirect = policy.max_redirects;
  robot.http.allow_downgrade = policy.allow_downgrade;
  robot.http.max_in_flight = files.value().concurrency;
  robot.http.connection = network.connection;
  robot.http.connection.keep_alive = std::min(connections_kept, files.value().keep_alive);
  if (network.has_timeout) robot.http.connection.connect_timeout = policy.timeout;
  robot.product_token = name;
  auto made = RobotUA::make(header_to_send(agent, name), network.from.value_or("nobody@invalid"), std::move(rules),
                            std::move(robot));
  if (!made) return Error{made.error().code, base::printable(made.error().message)};
  if (!network.from) {  // a few requests for robots.txt need no address
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
