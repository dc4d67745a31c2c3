// The command on the network: a polite agent, as the flags say.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/robot_ua.hpp>

#include "cli/flags/flags.hpp"

namespace robotrules::cli {

// What the flags say of fetching.
struct NetworkChoice {
  RobotsPolicy policy;  // with the time limit of --timeout
  AddressGuard guard;
  std::vector<std::uint16_t> extra_ports;
};
// Errors, a sentence each: --policy, --timeout, --allow-address or --allow-port is none.
Result<NetworkChoice> choose_network(const Options& options);

// The User-Agent header of a robot of that name: --agent if it is that robot's, else the name.
std::string header_to_send(const Options& options, const std::string& name);

// An agent that obeys what robots.txt files say to `name`, and sends header_to_send(). Errors as of RobotUA::make().
Result<RobotUA> make_robot(const Options& options, const NetworkChoice& network, const std::string& name,
                           std::shared_ptr<RobotRules> rules);

// Warns if https cannot work for want of certificate authorities, and says what to install.
void warn_without_certificates(std::string_view command);

}  // namespace robotrules::cli
