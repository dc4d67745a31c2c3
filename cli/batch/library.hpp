// What batch's threads share: the files under --robots-dir, each read once, and what they say to each robot, compiled
// once.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <robotrules/dialect.hpp>
#include <robotrules/robots_state.hpp>
#include <robotrules/rules.hpp>

#include "cli/batch/once_cache.hpp"
#include "cli/io/input.hpp"

namespace robotrules::cli {

// The robots.txt of a site. Only with RobotsState::rules or ::stale it has bytes.
struct RobotsFile : FileBytes {
  RobotsState state = RobotsState::rules;
};

// What one file says to one robot. When it could not be read, `error` says why.
struct Compiled {
  Rules rules;
  RobotsState state = RobotsState::rules;
  std::string key;  // of the FileQuestion it answers
  std::string error;
  std::size_t bytes() const noexcept { return sizeof *this + rules.memory_bytes() + key.size() + error.size(); }
};

// One question's robots.txt. `key` holds all of it as octets, for a look-up without a copy; `hash` is std::hash of it.
struct FileQuestion {
  std::string_view key;
  std::size_t hash;
  std::string_view name;  // the file's
  std::string_view agent;
  const Dialect* dialect;
  std::string_view robots_url;  // only where the dialect needs it
};

// Thread rule: compiled() may be called by any number of threads.
class Library {
 public:
  // What files are called: by their host, or by the origin of their site.
  enum class Names { none, hosts, origins };
  // Called from any thread; a file that is there is asked for once while it is kept.
  using Read = std::function<RobotsFile(const std::string& name)>;

  // `budget` bytes may be kept.
  Library(Names names, Read read, std::size_t budget)
      : names_(names), read_(std::move(read)), files_(budget / 4), rules_(budget / 4 * 3) {}

  Names names() const noexcept { return names_; }
  std::shared_ptr<const Compiled> compiled(const FileQuestion& question);

 private:
  struct File {
    RobotsFile contents;
    std::size_t bytes() const noexcept { return sizeof *this + contents.bytes.size() + contents.error.size(); }
  };

  Names names_;
  Read read_;
  OnceCache<File> files_;
  OnceCache<Compiled> rules_;
};

}  // namespace robotrules::cli
