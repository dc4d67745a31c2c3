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

// Files that are removed with this object.
class Temporary {
 public:
  explicit Temporary(std::string path) : path_(std::move(path)) {}
  ~Temporary() {
    for (std::size_t i = 0; i < count_; ++i) std::remove(name(i).c_str());
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  std::string next() {
    std::remove(name(count_).c_str());
    return name(count_++);
  }
  std::string name(std::size_t number) const { return path_ + ".sort" + std::to_string(number); }
  std::size_t count() const noexcept { return count_; }

 private:
  std::string path_;
  std::size_t count_ = 0;
};

Result<void> write_lines(const std::string& path, std::vector<std::string>& lines) {
  std::sort(lines.begin(), lines.end());
  auto file = AppendFile::open(path);
  if (!file) return file.error();
  for (const std::string& line : lines) {
    if (auto added = file.value()->add(line + '\n'); !added) return added;
  }
  lines.clear();
  return file.value()->commit();
}

// Writes the lines of `path` as sorted files.
Result<void> split_file(const std::string& path, std::size_t max_bytes, Temporary& runs) {
  constexpr std::size_t overhead = 40;  // of a line in memory
  std::ifstream from(path, std::ios::binary);
  if (!from) return output_error(path, "cannot be opened", errno);
  std::vector<std::string> lines;
  std::size_t bytes = 0;
  for (std::string line; std::getline(from, line);) {
    bytes += line.size() + overhead;
    lines.push_back(line);
    if (bytes < max_bytes) continue;
    if (auto done = write_lines(runs.next(), lines); !done) return done;
    bytes = 0;
  }
  if (from.bad()) return output_error(path, "cannot be read", EIO);
  return write_lines(runs.next(), lines);
}

Result<void> merge_files(const Temporary& runs, AppendFile& into) {
  using Head = std::pair<std::string, std::size_t>;  // a line and its file
  std::vector<std::unique_ptr<std::ifstream>> files;
  std::priority_queue<Head, std::vector<Head>, std::greater<>> heads;
  const auto read = [&](std::size_t number) -> Result<void> {
    std::string line;
    if (std::getline(*files[number], line)) heads.emplace(std::move(line), number);
    return files[number]->bad() ? output_error(runs.name(number), "cannot be read", EIO) : Result<void>();
  };
  for (std::size_t i = 0; i < runs.count(); ++i) {
    files.push_back(std::make_unique<std::ifstream>(runs.name(i), std::ios::binary));
    if (!*files.back()) return output_error(runs.name(i), "cannot be opened", errno);
    if (auto done = read(i); !done) return done;
  }
  while (!heads.empty()) {
    const auto [line, number] = heads.top();
    heads.pop();
    if (auto added = into.add(line + '\n'); !added) return added;
    if (auto done = read(number); !done) return done;
  }
  return into.commit();
}

}  // namespace

Result<void> sort_lines(const std::string& path, std::size_t max_bytes) {
  Temporary runs(path);
  if (auto split = split_file(path, max_bytes, runs); !split) return split;
  Temporary sorted(path + ".new");
  const std::string name = sorted.next();
  auto file = AppendFile::open(name);
  if (!file) return file.error();
  auto done = merge_files(runs, *file.value());
  if (done) done = file.value()->sync();
  if (done && std::rename(name.c_str(), path.c_str()) != 0) done = output_error(path, "cannot be replaced", errno);
  return done;
}

}  // namespace robotrules::archive
