#include "archive/sort_lines.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

#include "archive/append_file.hpp"

namespace robotrules::archive {
namespace {

constexpr std::size_t max_open = 64;  // files that are merged at once

// Sorted files beside a file, which are removed with this object. The oldest comes first.
class Runs {
 public:
  explicit Runs(std::string path) : path_(std::move(path)) {}
  ~Runs() { remove(size()); }
  Runs(const Runs&) = delete;
  Runs& operator=(const Runs&) = delete;

  // Returns the name of a new file.
  std::string add() {
    const std::string name = name_of(end_++);
    std::remove(name.c_str());  // left by a process that was killed
    return name;
  }
  std::size_t size() const noexcept { return end_ - begin_; }
  std::string name(std::size_t index) const { return name_of(begin_ + index); }
  // Removes the oldest files.
  void remove(std::size_t count) {
    for (; count > 0; --count) std::remove(name_of(begin_++).c_str());
  }

 private:
  std::string name_of(std::size_t number) const { return path_ + ".sort" + std::to_string(number); }

  std::string path_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

Result<void> write_lines(const std::string& path, std::vector<std::string>& lines) {
  std::sort(lines.begin(), lines.end());
  auto file = AppendFile::create(path);
  if (!file) return file.error();
  for (const std::string& line : lines) {
    if (auto added = file.value()->add(line + '\n'); !added) return added;
  }
  lines.clear();
  return file.value()->commit();
}

// Writes the lines of `path` as sorted files.
Result<void> split_file(const std::string& path, std::size_t max_bytes, Runs& runs) {
  constexpr std::size_t overhead = 40;  // of a line in memory
  std::ifstream from(path, std::ios::binary);
  if (!from) return output_error(path, "cannot be opened", errno);
  std::vector<std::string> lines;
  std::size_t bytes = 0;
  for (std::string line; std::getline(from, line);) {
    bytes += line.size() + overhead;
    lines.push_back(line);
    if (bytes < max_bytes) continue;
    if (auto done = write_lines(runs.add(), lines); !done) return done;
    bytes = 0;
  }
  if (from.bad()) return output_error(path, "cannot be read", EIO);
  return write_lines(runs.add(), lines);
}

// Merges the oldest files.
Result<void> merge(const Runs& runs, std::size_t count, AppendFile& into) {
  using Head = std::pair<std::string, std::size_t>;  // a line and its file
  std::vector<std::unique_ptr<std::ifstream>> files;
  std::priority_queue<Head, std::vector<Head>, std::greater<>> heads;
  const auto read = [&](std::size_t index) -> Result<void> {
    std::string line;
    if (std::getline(*files[index], line)) heads.emplace(std::move(line), index);
    return files[index]->bad() ? output_error(runs.name(index), "cannot be read", EIO) : Result<void>();
  };
  for (std::size_t i = 0; i < count; ++i) {
    files.push_back(std::make_unique<std::ifstream>(runs.name(i), std::ios::binary));
    if (!*files.back()) return output_error(runs.name(i), "cannot be opened", errno);
    if (auto done = read(i); !done) return done;
  }
  while (!heads.empty()) {
    const auto [line, index] = heads.top();
    heads.pop();
    if (auto added = into.add(line + '\n'); !added) return added;
    if (auto done = read(index); !done) return done;
  }
  return into.commit();
}

// Merges until one merge is left.
Result<void> merge_most(Runs& runs) {
  while (runs.size() > max_open) {
    auto file = AppendFile::create(runs.add());
    if (!file) return file.error();
    if (auto merged = merge(runs, max_open, *file.value()); !merged) return merged;
    runs.remove(max_open);
  }
  return {};
}

}  // namespace

Result<void> sort_lines(const std::string& path, std::size_t max_bytes) {
  Runs runs(path);
  if (auto split = split_file(path, max_bytes, runs); !split) return split;
  if (auto merged = merge_most(runs); !merged) return merged;
  return replace_file(path, [&runs](AppendFile& into) { return merge(runs, runs.size(), into); });
}

}  // namespace robotrules::archive
