// The input of a crawl: operands, lists and sitemaps are read while pages are already fetched.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string_view>
#include <thread>

#include <robotrules/robot_ua.hpp>
#include <robotrules/url_queue.hpp>

#include "cli/get/get_options.hpp"
#include "cli/get/sitemap_input.hpp"
#include "cli/get/url_input.hpp"

namespace robotrules::cli {

// Reads all input on its own thread, and prints what cannot be read. The arguments must outlive it.
class InputReader {
 public:
  // `robot` fetches sitemaps. If the disk of the queue is full, tries again after
  // CrawlOptions::disk_full_wait. Calls `more` with true after URLs were added to the queue, and with false after the
  // last one.
  InputReader(RobotUA& robot, UrlQueue& queue, const GetOptions& options, std::function<void(bool open)> more);
  ~InputReader();
  InputReader(const InputReader&) = delete;
  InputReader& operator=(const InputReader&) = delete;

  // Ends the reading soon.
  void stop() { stop_ = true; }
  bool ended() const noexcept { return ended_; }
  // Valid after ended() is true:
  const std::optional<Error>& error() const noexcept { return error_; }
  bool complete() const noexcept { return complete_ && input_.bad() == 0; }  // all that was read was sound
  bool all_read() const noexcept { return all_read_; }  // false: stop() or an error ended the reading
  const SitemapTotals& sitemaps() const noexcept { return sitemaps_.totals(); }

 private:
  void read();
  bool wait_for_room(const Error& full);
  bool add_entry(std::string_view url);
  bool wait(std::chrono::milliseconds duration) const;
  void tell_counts() const;
  void tell_other_headers() const;

  const GetOptions& options_;
  std::function<void(bool)> more_;
  std::atomic<bool> stop_{false};
  std::atomic<bool> ended_{false};
  std::optional<Error> error_;
  Error cannot_go_on_{"out-of-memory", "there is not enough memory to read the input"};  // made while there is memory
  bool complete_ = true;
  bool all_read_ = false;
  bool told_full_ = false;
  UrlInput input_;
  SitemapInput sitemaps_;
  std::thread thread_;
};

}  // namespace robotrules::cli
