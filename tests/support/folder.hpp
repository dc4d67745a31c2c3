// Empty folders for tests and benchmarks. They are removed when the program ends.
#pragma once

#include <string>

namespace robotrules::test {

// Creates a folder that only this user can read; in memory if the machine has such a place and TMPDIR is not set.
std::string new_folder();
// Creates such a folder in the system's folder for temporary files: for benchmarks, which also measure the disk, and
// for tests that need much space or extended attributes.
std::string new_folder_on_disk();

}  // namespace robotrules::test
