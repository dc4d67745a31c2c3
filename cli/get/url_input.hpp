// Input of URLs: operands, files and standard input, as plain text or NDJSON, also compressed.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/url_queue.hpp>

#include "cli/get/get_options.hpp"

namespace robotrules::cli {

// Collects URLs and adds them to a queue, in small pieces first and in large pieces later. Thread rule: one thread at a
// time.
class UrlInput {
 public:
  // Calls `added` after URLs were added to the queue. Calls `wait_for_room` if the disk of the queue is full; if it
  // returns true, tries again. `credentials` are those that the crawl sends; the function may be empty.
  UrlInput(UrlQueue& queue, CredentialsFor credentials, std::function<void()> added,
           std::function<bool(const Error& full)> wait_for_room)
      : queue_(queue),
        credentials_(std::move(credentials)),
        added_(std::move(added)),
        wait_for_room_(std::move(wait_for_room)) {}

  // Adds a line. A bad line is counted, and the first few are reported on standard error.
  Result<void> add(std::string_view line, std::string_view where, std::uint64_t number);
  // Adds an operand in the same way. The name of a file is a bad line.
  Result<void> add_operand(std::string_view operand);
  // Adds the lines of a file; "-" is standard input. Ends early if `stop` becomes true. Returns false if the file
  // cannot be read to its end.
  Result<bool> add_file(const std::string& path, const std::atomic<bool>& stop);
  Result<void> add(QueuedUrl url);
  Result<void> flush();

  std::uint64_t added() const noexcept { return counts_.added; }
  std::uint64_t duplicates() const noexcept { return counts_.duplicates; }
  std::uint64_t bad() const noexcept { return bad_; }
  // Returns how many of the duplicates have other header fields than the URL in the queue.
  std::uint64_t other_headers() const noexcept { return counts_.other_headers; }
  // Prints the number of bad lines if some of them were not reported. Call it after the last line.
  void tell_bad_lines() const;

 private:
  void report_bad_line(std::string_view where, std::uint64_t number, std::string_view sentence);
  void report_userinfo(std::string_view line, const std::string& url);

  UrlQueue& queue_;
  CredentialsFor credentials_;
  std::function<void()> added_;
  std::function<bool(const Error& full)> wait_for_room_;
  std::vector<QueuedUrl> held_;
  std::size_t portion_ = 1'000;
  QueueAdded counts_;
  std::uint64_t bad_ = 0;
  std::set<std::string> with_userinfo_;  // sites that were reported
};

// Returns false if no URL can be read, because there are only input files and none of them can be opened.
bool has_readable_input(const InputOptions& input);
// Returns the input files that cannot be opened, each with the reason: "urls.txt (No such file or directory)".
std::vector<std::string> unreadable_inputs(const InputOptions& input);

}  // namespace robotrules::cli
