// The repair of a damaged file.
#pragma once

#include <robotrules/base.hpp>
#include <robotrules/open_store.hpp>

#include "store/sqlite/database.hpp"

namespace robotrules::store {

// Fills PATH.repaired with everything that can be read, and lets it take the place of the damaged file;
// repair_place.hpp has the steps. Sets the parts of `report` that only a repair sets. On an error the damaged file is
// at its place and as it was, unless the error came between the last two renames: then the next open finishes the
// repair. Precondition: the file is locked, and its log is kept.
Result<void> repair(Database& damaged, StoreCheck& report);

}  // namespace robotrules::store
