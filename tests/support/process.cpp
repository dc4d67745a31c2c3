#include "support/process.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace robotrules::test {

std::size_t resident_octets() {
  std::size_t all = 0;
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> all >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all))) - 1;  // without that of the folder itself
}

}  // namespace robotrules::test
