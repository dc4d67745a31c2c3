#include "support/process.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace robotrules::test {
namespace {

std::string folder_of(int process) { return "/proc/" + (process == 0 ? "self" : std::to_string(process)); }

}  // namespace

std::size_t resident_bytes(int process) {
  std::size_t all = 0;
  std::size_t pages = 0;
  std::ifstream(folder_of(process) + "/statm") >> all >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::size_t open_descriptors(int process) {
  const std::filesystem::directory_iterator all(folder_of(process) + "/fd");
  const auto count = static_cast<std::size_t>(std::distance(begin(all), end(all)));
  return process == 0 ? count - 1 : count;  // without that of the folder itself
}

}  // namespace robotrules::test
