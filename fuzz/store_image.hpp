// The files of a store, to be damaged.
#pragma once

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <robotrules/open_store.hpp>

#include "input.hpp"
#include "scratch_folder.hpp"

namespace robotrules::fuzz {

inline std::string read(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}
// Only the owner may read the file, as a store demands.
inline void write(const std::string& path, const std::string& octets) {
  std::ofstream(path, std::ios::binary).write(octets.data(), static_cast<std::streamsize>(octets.size()));
  std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

inline std::string file_in(const ScratchFolder& folder) { return folder.path() + "/store.db"; }

struct Image {
  std::string file;
  std::string log;
};

// Returns the files of a store that was filled by fill(store, path): [0] after it was closed, [1] before, with its log.
template <class Fill>
std::array<Image, 2> make_images(Fill fill) {
  const ScratchFolder folder;
  const std::string path = file_in(folder);
  std::array<Image, 2> made;
  {
    const auto store = open_sqlite_store(path, {.first_ever = true});
    require(store.ok(), "a store can be made");
    fill(*store.value(), path);
    made[1] = {read(path), read(path + "-wal")};
  }
  made[0] = {read(path), {}};
  require(!made[0].file.empty() && !made[1].log.empty(), "there is something to damage");
  return made;
}

}  // namespace robotrules::fuzz
