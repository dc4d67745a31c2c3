// The robots.txt responses in a WARC file (ISO 28500), plain or gzip, a member a record or not.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <robotrules/page_output.hpp>

namespace robotrules::archive {

class WarcReader {
 public:
  static constexpr std::size_t longest_body = std::size_t{1} << 20;

  explicit WarcReader(const std::string& path);

  // The next response to a request for /robots.txt. False at the end, or where the file can't be read on: then error().
  bool next(WarcRobots& found);
  const std::string& error() const noexcept { return error_; }

  // Called behind every record, wanted or not.
  void on_record(std::function<void()> done) { on_record_ = std::move(done); }
  std::uint64_t octets_read() const;  // of the file as it is stored
  std::uint64_t octets_in_all() const noexcept { return size_; }

 private:
  bool read_line(std::string& line);
  bool read(std::string& into, std::uint64_t size);
  bool skip(std::uint64_t size);
  bool fail(const std::string& what);

  std::unique_ptr<gzFile_s, decltype(&gzclose)> file_{nullptr, gzclose};
  std::uint64_t size_ = 0;
  std::uint64_t records_ = 0;
  std::string error_;
  std::function<void()> on_record_;
};

// An HTTP response as it was recorded: its status and body into `into`. Split off for tests and harnesses.
void read_recorded_response(std::string_view block, WarcRobots& into);

}  // namespace robotrules::archive
