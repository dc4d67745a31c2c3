// How the command connects: the flags that all commands share which fetch.
#pragma once

#include <robotrules/result.hpp>
#include <robotrules/user_agent.hpp>

#include "cli/flags/flags.hpp"

namespace robotrules::cli {

// Returns the settings of --allow-address, --allow-port, --ca-file, --client-cert, --proxy, --resolve, --ipv4 and
// --ipv6. Without --ca-file and --proxy, the variables of the environment hold. Fails if a value is not accepted.
Result<ConnectionOptions> choose_connection(const Options& options);

}  // namespace robotrules::cli
