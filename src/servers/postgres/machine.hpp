// Which machine this is, for what belongs to a machine: output files and processes.
#pragma once

#include <string>

namespace robotrules::store::postgres {

// Returns the host name and the machine id (/etc/machine-id). Two machines have the same name only if both are equal.
// It stays the same after a restart.
const std::string& this_machine();
// Returns the host name, for people.
std::string host_in(const std::string& machine);

}  // namespace robotrules::store::postgres
