// What batch's threads share: the files under --robots-dir, each read once, and what they say to each robot, compiled
// once.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <robotrules/dialect.hpp>
#include <robotrules/rules.hpp>

#include "cli/batch/once_cache.hpp"
#include "cli/input.hpp"

namespace robotrules::cli {

// What one file says to one robot. Without a file `missing` is set, and where it could not be read, `error`.
struct Compiled {
  Rules rules;
  bool missing = false;
  std::string key;  // of the FileQuestion it answers
  std::string error;
  std::size_t bytes() const noexcept { return sizeof *this + rules.memory_bytes() + key.size() + error.size(); }
};

// One question's robots.txt. `key` holds all of it as octets, for a look-up without a copy; `hash` is std::hash of it.
struct FileQuestion {
  std::string_view key;
  std::size_t hash;
  std::string_view host;  // the file's name
  std::string_view agent;
  const Dialect* dialect;
  std::string_view robots_url;  // only where the dialect needs it
};

// Thread rule: compiled() may be called by any number of threads.
class Library {
 public:
  // `directory` is an open directory, or -1: then there are no files. `budget` bytes may be kept.
  Library(int directory, std::string directory_name, std::size_t budget)
      : directory_(directory), directory_name_(std::move(directory_name)), files_(budget / 4), rules_(budget / 4 * 3) {}

  bool has_files() const noexcept { return directory_ >= 0; }
  std::shared_ptr<const Compiled> compiled(const FileQuestion& question);

 private:
  struct File {
    FileBytes contents;
    std::size_t bytes() const noexcept { return sizeof *this + contents.bytes.size() + contents.error.size(); }
  };

  int directory_;
  std::string directory_name_;
  OnceCache<File> files_;
  OnceCache<Compiled> rules_;
};

}  // namespace robotrules::cli
