// The URLs that are handed over: as operands, in files, on standard input; as plain text or NDJSON.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/url_queue.hpp>

namespace robotrules::cli {

// Collects URLs and gives them to a queue in large pieces, the first of them soon. Thread rule: one thread at a time.
class UrlInput {
 public:
  // `added` is called when the queue has got some.
  UrlInput(UrlQueue& queue, std::function<void()> added) : queue_(queue), added_(std::move(added)) {}

  // A line, or an operand. What can't be read is told on standard error, the first few times, and counted.
  Result<void> add(std::string_view line, std::string_view where, std::uint64_t number);
  // Of a file; "-" is standard input. Ends early where `stop` becomes true. False where the file can't be read.
  Result<bool> add_file(const std::string& path, const std::atomic<bool>& stop);
  Result<void> add(QueuedUrl url);
  Result<void> flush();

  std::uint64_t added() const noexcept { return counts_.added; }
  std::uint64_t duplicates() const noexcept { return counts_.duplicates; }
  std::uint64_t bad() const noexcept { return bad_; }

 private:
  UrlQueue& queue_;
  std::function<void()> added_;
  std::vector<QueuedUrl> held_;
  std::size_t portion_ = 1'000;
  QueueAdded counts_;
  std::uint64_t bad_ = 0;
};

}  // namespace robotrules::cli
