// How the command connects: the flags that all commands share which fetch, and a polite user agent.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/base.hpp>
#include <robotrules/robot_ua.hpp>
#include <robotrules/user_agent.hpp>

#include "cli/flags/flag_choice.hpp"
#include "cli/flags/given.hpp"

namespace robotrules::cli {

// The options of every command that fetches.
struct NetworkOptions {
  PolicyChoice policy;  // with the time limit of --timeout
  ConnectionOptions connection;
  std::optional<std::string> from;
  bool has_timeout = false;  // --timeout and --proxy were given
  bool has_proxy = false;
};
// Fails if the value of --policy, --timeout, --from or of a flag for connections is not accepted.
Result<NetworkOptions> read_network(const Given& given);

// Returns a user agent that obeys the robots.txt rules for `name` and sends header_to_send(). Fails as RobotUA::make()
// and check_proxy_variables() do, or if the process may open too few files.
Result<RobotUA> make_robot(const NetworkOptions& network, const AgentChoice& agent, const std::string& name,
                           std::shared_ptr<RobotRules> rules);

// Returns the end of a sentence about a failure: the flag that permits what was refused, or nothing.
std::string_view hint_for(FailureCause cause);

// Warns if https cannot work because certificate authorities are missing, and says which package to install.
void warn_without_certificates(std::string_view command, const TlsOptions& tls);

// Returns the settings of --allow-address, --allow-port, --ca-file, --client-cert, --proxy, --resolve, --ipv4 and
// --ipv6. Without --ca-file and --proxy, the variables of the environment hold. Fails if a value is not accepted.
Result<ConnectionOptions> read_connection(const Given& given);

// Fails if a variable that names the proxy, and that holds without --proxy, is not the address of a proxy. The message
// names the variable, and not its value. Call it before the first request.
Result<void> check_proxy_variables();

}  // namespace robotrules::cli
