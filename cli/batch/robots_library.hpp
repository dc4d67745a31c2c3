// The cache shared by batch's threads: files of --robots-dir or --db, each read once, and their rules for each robot,
// compiled once.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <robotrules/dialect.hpp>
#include <robotrules/robots_step.hpp>
#include <robotrules/rules.hpp>

#include "cli/batch/once_cache.hpp"
#include "cli/io/input.hpp"

namespace robotrules::cli {

// The robots.txt of a site. It has bytes only with RobotsState::rules or ::stale.
struct RobotsFile : FileBytes {
  RobotsState state = RobotsState::rules;
};

// The rules of one file for one robot. If the file could not be read, `error` says why.
struct Compiled {
  Rules rules;
  RobotsState state = RobotsState::rules;
  std::string key;  // of the answered FileQuestion
  std::string error;
  std::size_t bytes() const noexcept { return sizeof *this + rules.memory_bytes() + key.size() + error.size(); }
};

// The robots.txt for one question. `key` contains all other members as bytes, for a look-up without a copy; `hash` is
// std::hash of `key`.
struct FileQuestion {
  std::string_view key;
  std::size_t hash;
  std::string_view name;  // of the file
  std::string_view agent;
  const Dialect* dialect;
  std::string_view robots_url;  // only if the dialect needs it
};

// Thread rule: compiled() may be called by any number of threads.
class Library {
 public:
  // How files are named: by host, or by the origin of the site.
  enum class Names { none, hosts, origins };
  // Reads a file. Called from any thread, once for each file that is cached.
  using Read = std::function<RobotsFile(const std::string& name)>;

  // `budget`: maximum number of cached bytes.
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

inline std::shared_ptr<const Compiled> Library::compiled(const FileQuestion& question) {
  return rules_.get(question.key, question.hash, [&] {
    const std::string name(question.name);
    const auto file = files_.get(name, std::hash<std::string_view>{}(name), [&] { return File{read_(name)}; });
    Compiled compiled;
    compiled.key = question.key;
    compiled.state = file->contents.state;
    compiled.error = file->contents.error;
    if (compiled.error.empty() && has_rules(compiled.state)) {
      compiled.rules = Rules::compile(file->contents.bytes, question.agent, *question.dialect, question.robots_url);
    }
    return compiled;
  });
}

}  // namespace robotrules::cli
