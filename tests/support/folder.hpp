// Empty folders for tests, gone when the program ends.
#pragma once

#include <string>

namespace robotrules::test {

std::string new_folder();

}  // namespace robotrules::test
