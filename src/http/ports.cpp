#include "http/ports.hpp"

#include <algorithm>
#include <iterator>

#include <robotrules/user_agent.hpp>

namespace robotrules {
namespace {

// The bad ports of the Fetch standard above 1023, and the ports of databases, caches and remote desktops: these servers
// may read an HTTP request as a command.
constexpr std::uint16_t others[] = {1433, 1521, 1719, 1720, 1723, 2049, 3306,  3389,  3659, 4045,
                                    4190, 5060, 5061, 5432, 5900, 6000, 6379,  6566,  6665, 6666,
                                    6667, 6668, 6669, 6679, 6697, 9200, 10080, 11211, 27017};

bool is_usual(std::uint16_t port) {
  if (port <= 1023) return port == 80 || port == 443;
  return std::find(std::begin(others), std::end(others), port) == std::end(others);
}

}  // namespace

bool ConnectionOptions::permits_port(std::uint16_t port) const noexcept {
  const auto names = [port](const std::vector<std::uint16_t>& list) {
    return std::find(list.begin(), list.end(), port) != list.end();
  };
  return names(extra_ports) || (ports.empty() ? is_usual(port) : names(ports));
}

namespace agent {

std::string port_refusal(std::uint16_t port) { return "port " + std::to_string(port) + " is not permitted"; }

}  // namespace agent
}  // namespace robotrules
