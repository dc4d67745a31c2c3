#include "cli/page/page_file.hpp"

#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace robotrules::cli {

Result<std::filesystem::path> command_folder() {
  std::error_code error;
  const std::filesystem::path executable = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return Error{"no-page", "cannot find the folder of the command: " + error.message()};
  return executable.parent_path();
}

Result<std::filesystem::path> find_page(const std::filesystem::path& command_folder) {
  const std::filesystem::path installed = (command_folder / "../share/robotrules/page.html").lexically_normal();
  const std::filesystem::path built = (command_folder / "../../web/robotrules.html").lexically_normal();
  for (const std::filesystem::path& path : {installed, built}) {
    std::error_code error;
    if (std::filesystem::is_regular_file(path, error)) return path;
  }
  return Error{"no-page", "the page is not installed: " + installed.string() +
                              " does not exist. Build it with \"make page\" in the sources, then run \"make install\""};
}

Result<std::string> read_page(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file || bytes.empty()) return Error{"unreadable", "cannot read " + path.string()};
  return bytes;
}

}  // namespace robotrules::cli
