// The robots.txt responses in a WARC file (ISO 28500). The file is plain, or packed by
// gzip or zstd with any number of members.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "archive/packed_file.hpp"

#include <robotrules/page_output.hpp>

namespace robotrules::archive {

class WarcReader {
 public:
  // A robot reads so much of a file and ignores the rest (RFC 9309 section 2.5, RobotsPolicy::body_limit). So the part
  // of a recorded file after it has no meaning, and need not be in the record.
  static constexpr std::size_t max_body = 512'000;
  // A robot receives at most 16 MiB of a file. The record also has the head.
  static constexpr std::uint64_t max_block = std::uint64_t{17} << 20;

  explicit WarcReader(const std::string& path);

  // Finds the next response to a request for /robots.txt. Returns false at the end, and after an error.
  bool next(WarcRobots& found);
  // Returns why the rest of the file cannot be read; empty if there is no error.
  const std::string& error() const noexcept { return error_; }

  // Sets a function that is called after each record, also after those that next() skips.
  void on_record(std::function<void()> done) { on_record_ = std::move(done); }
  // Return the bytes of the file as it is stored: those used so far, and all.
  std::uint64_t bytes_read() const;
  std::uint64_t bytes_in_all() const noexcept { return size_; }

 private:
  bool fail(const std::string& what);

  std::string path_;
  std::unique_ptr<PackedFile> file_;
  std::uint64_t size_ = 0;
  std::uint64_t records_ = 0;
  std::string error_;
  std::function<void()> on_record_;
};

}  // namespace robotrules::archive
