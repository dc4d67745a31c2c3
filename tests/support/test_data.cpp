#include "support/test_data.hpp"

namespace robotrules::test {

std::filesystem::path source_folder() { return ROBOTRULES_SOURCE_DIR; }

}  // namespace robotrules::test
