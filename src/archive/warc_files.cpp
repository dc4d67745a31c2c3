#include "archive/warc_files.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "archive/warc_parts.hpp"
#include "base/escape.hpp"

namespace robotrules::archive {
namespace {

// Returns true if the index of a part may lack lines: it is missing, or older than the part.
bool is_index_old(const std::string& part) {
  std::error_code missing;
  const auto indexed = std::filesystem::last_write_time(cdx_path_of(part), missing);
  if (missing) return true;
  const auto written = std::filesystem::last_write_time(part, missing);
  return !missing && indexed < written;
}

}  // namespace

WarcFiles::WarcFiles(const std::string& name, Packing packing, const OutputOptions& options)
    : name_(name),
      packing_(packing),
      readers_(options.keep_secrets ? Readers::owner : Readers::anyone),
      has_index_(options.cdx),
      max_size_(std::min(options.max_file_size, max_part_size / 2)) {}

Result<std::unique_ptr<WarcFiles>> WarcFiles::open(const std::string& name, Packing packing,
                                                   const OutputOptions& options) {
  std::unique_ptr<WarcFiles> files(new WarcFiles(name, packing, options));
  if (files->has_parts()) {
    if (auto opened = files->open_last_part(); !opened) return opened.error();
    return files;
  }
  auto opened = files->open_file(name);
  if (!opened) return opened.error();
  files->now_ = std::move(opened).value();
  return files;
}

Result<WarcFiles::Opened> WarcFiles::open_file(const std::string& path) const {
  auto file = AppendFile::open(path, readers_);
  if (!file) return file.error();
  Opened opened{path, std::move(file).value(), nullptr};
  if (has_index_) {
    auto index = CdxFile::open(path, packing_, opened.file->position());
    if (!index) {
      opened.file->remove_if_new();
      return index.error();
    }
    opened.index = std::move(index).value();
  }
  return opened;
}

Result<void> WarcFiles::open_last_part() {
  std::vector<std::uint32_t> parts;
  while (true) {
    auto found = existing_parts(name_);
    if (!found) return found.error();
    parts = std::move(found).value();
    // Before the part was locked, another process may have begun the next one.
    const std::uint32_t last = parts.empty() ? 0 : parts.back();
    if (now_.file != nullptr && last == part_) break;
    auto opened = open_file(part_path(name_, last));
    if (!opened) return opened.error();
    now_ = std::move(opened).value();
    part_ = last;
  }
  for (const std::uint32_t part : parts) {
    if (part == part_) break;
    if (auto noted = note_earlier_part(part); !noted) return noted;
  }
  return {};
}

Result<void> WarcFiles::note_earlier_part(std::uint32_t part) {
  const std::string path = part_path(name_, part);
  std::error_code failed;
  const std::uintmax_t size = std::filesystem::file_size(path, failed);
  if (failed == std::errc::no_such_file_or_directory) return {};  // it was moved away just now
  if (failed) return output_error(path, "cannot be examined", failed.value());
  size_before_ += size;
  if (!has_index_ || !is_index_old(path)) return {};
  auto index = CdxFile::open(path, packing_, size);
  return index ? index.value()->complete() : index.error();
}

Result<bool> WarcFiles::begin_next_if_full() {
  if (!has_parts() || now_.file->position() < max_size_) return false;
  if (part_ + 1 == max_parts) {
    return Error{"output-failed", base::printable(name_) + " has " + std::to_string(max_parts) +
                                      " files, which are all numbers there are; give the output another name"};
  }
  if (auto done = complete(); !done) return done.error();
  auto next = open_file(part_path(name_, part_ + 1));
  if (!next) return next.error();
  size_before_ += now_.file->position();
  now_ = std::move(next).value();
  ++part_;
  return true;
}

Result<void> WarcFiles::complete() {
  auto done = now_.file->sync();
  if (!done || !has_index_) return done;
  if (now_.index == nullptr) {
    auto index = CdxFile::open(now_.path, packing_, now_.file->position());
    if (!index) return index.error();
    now_.index = std::move(index).value();
  }
  done = now_.index->complete();
  now_.index.reset();
  return done;
}

std::uint64_t WarcFiles::position() const noexcept {
  const std::uint64_t size = now_.file->position();
  return has_parts() ? number_of({part_, size}) : size;
}

}  // namespace robotrules::archive
