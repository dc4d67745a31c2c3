// Where the files lie that tests read: those of the project, and larger sets that a machine may or may not have.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace robotrules::test {

std::filesystem::path source_folder();

// ROBOTRULES_CORPUS, ROBOTRULES_CONFORMANCE: the folder given there, else the one beside the project. May not exist.
inline std::filesystem::path optional_folder(const char* variable, const char* name) {
  if (const char* given = std::getenv(variable)) return given;
  return source_folder().parent_path() / "shared" / name;
}

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// Every file under `folder`, in order of name; none where it does not exist.
inline std::vector<std::filesystem::path> files_under(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(folder)) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace robotrules::test
