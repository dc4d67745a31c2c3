// Files that are written as a whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace robotrules::cli {

// Replaces the bytes of a regular file, so that it is never half written; it keeps its mode and, if the process may
// give it away, its owner. If `path` is a symbolic link, its target is replaced. The new file has an unpredictable name
// in the same folder until it is on the disk; no link that another user has put there is followed. Returns a sentence
// without the name if this fails, and then the file is as it was.
std::string replace_file(const std::string& path, std::string_view bytes);

}  // namespace robotrules::cli
