// Processes of this machine: which is this one, and which have ended.
#pragma once

#include <string_view>

#include <robotrules/open_store.hpp>

#include "base/visibility.hpp"

namespace robotrules::store {

// Returns this process; all fields are 0 if the system does not tell. `boot` names the run of the machine.
ROBOTRULES_INTERNAL_API Process this_process(std::string_view boot);

// Returns true if `process` has ended, seen from `self`. A zombie has ended. Returns false if it is unknown: the
// process ran in other namespaces or in another run of the machine, or its status cannot be read.
ROBOTRULES_INTERNAL_API bool has_ended(const Process& process, const Process& self);

}  // namespace robotrules::store
