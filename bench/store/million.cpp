#include "store/million.hpp"

#include <chrono>
#include <filesystem>
#include <stdexcept>

#include <robotrules/open_store.hpp>

#include "corpus.hpp"
#include "support/folder.hpp"

namespace robotrules::bench {
namespace {

namespace fs = std::filesystem;

struct Folder {
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  std::string path = test::new_folder_on_disk();
};

const std::vector<std::shared_ptr<const std::string>>& bodies() {
  static const auto all = [] {
    std::vector<std::shared_ptr<const std::string>> made;
    for (const File& file : corpus().files) made.push_back(std::make_shared<const std::string>(file.text));
    return made;
  }();
  return all;
}

std::size_t size_of(const std::string& path) { return fs::file_size(path); }

}  // namespace

std::string origin_text(std::size_t index) { return "https://www.site" + std::to_string(index) + ".example"; }

std::vector<std::pair<Origin, RobotsRecord>> records(std::size_t first, std::size_t last, Timestamp now) {
  std::vector<std::pair<Origin, RobotsRecord>> made;
  made.reserve(last - first);
  for (std::size_t i = first; i < last; ++i) {
    RobotsRecord record;
    record.body = bodies()[i % bodies().size()];
    record.url = origin_text(i) + "/robots.txt";
    record.fetched_at = now;
    record.fresh_until = now + std::chrono::hours(24);
    made.emplace_back(*Origin::of(record.url), std::move(record));
  }
  return made;
}

void fill(Store& store, std::size_t origins) {
  constexpr std::size_t at_once = 20'000;
  for (std::size_t first = 0; first < origins; first += at_once) {
    const auto done = store.put_all(records(first, std::min(first + at_once, origins), store.now()));
    if (!done) throw std::runtime_error(done.error().message);
  }
}

const std::string& bench_folder() {
  static const Folder folder;
  return folder.path;
}

const MillionFile& million_file() {
  static const MillionFile made = [] {
    SqliteStoreOptions options;
    options.first_ever = true;
    MillionFile file;
    const std::string small = bench_folder() + "/bodies.db";
    {
      auto store = open_sqlite_store(small, options).value();
      fill(*store, bodies().size());
    }
    file.body_bytes = size_of(small);
    file.path = bench_folder() + "/million.db";
    const auto begin = std::chrono::steady_clock::now();
    {
      auto store = open_sqlite_store(file.path, options).value();
      fill(*store, million);
    }
    file.import_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    file.file_bytes = size_of(file.path);
    return file;
  }();
  return made;
}

}  // namespace robotrules::bench
