// The file with the page that people open in a browser: where it is, and its bytes.
#pragma once

#include <filesystem>
#include <string>

#include <robotrules/base.hpp>

namespace robotrules::cli {

// Returns the path of the page: share/robotrules/page.html beside the folder of the command, or web/robotrules.html in
// the build folder. Fails with "no-page" if neither exists. `command_folder`: the folder of the executable.
Result<std::filesystem::path> find_page(const std::filesystem::path& command_folder);

// Returns the folder of the running executable. Fails with "no-page" if the system does not tell it.
Result<std::filesystem::path> command_folder();

// Returns the bytes of the page. Fails with "unreadable".
Result<std::string> read_page(const std::filesystem::path& path);

}  // namespace robotrules::cli
