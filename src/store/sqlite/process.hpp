// Processes of this machine: which is this one, and which have ended.
#pragma once

#include <string_view>

#include <robotrules/sqlite_store.hpp>

namespace robotrules::store {

// This one; all 0 where the system does not tell. `boot` names the run of the machine.
Process this_process(std::string_view boot);

// Is it over with `process`, seen from `self`? A zombie has ended. False where nobody knows: it ran in other namespaces
// or in another run of the machine, or what the system says of it can't be read.
bool has_ended(const Process& process, const Process& self);

}  // namespace robotrules::store
