// Notes about files that a robot reads differently from what their owner sees.
#pragma once

#include <string_view>

#include <robotrules/robots_txt.hpp>

#include "cli/io/sources.hpp"

namespace robotrules::cli {

// Prints a note if the file is an HTML page or UTF-16, or is longer than the dialect of `robots` reads. `path`: as
// given. `robots`: the parsed file.
void note_content(std::string_view command, std::string_view path, const SourceBytes& file, const RobotsTxt& robots);

}  // namespace robotrules::cli
