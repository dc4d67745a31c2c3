// How the command connects: the flags that all commands share which fetch.
#pragma once

#include <robotrules/result.hpp>
#include <robotrules/user_agent.hpp>

#include "cli/flags/given.hpp"

namespace robotrules::cli {

// Returns the settings of --allow-address, --allow-port, --ca-file, --client-cert, --proxy, --resolve, --ipv4 and
// --ipv6. Without --ca-file and --proxy, the variables of the environment hold. Fails if a value is not accepted.
Result<ConnectionOptions> read_connection(const Given& given);

// Fails if a variable that names the proxy, and that holds without --proxy, is not the address of a proxy. The message
// names the variable, and not its value. Call it before the first request.
Result<void> check_proxy_variables();

}  // namespace robotrules::cli
