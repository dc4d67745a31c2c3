#include "cli/get/input_reader.hpp"

#include <algorithm>
#include <utility>

#include <robotrules/crawl.hpp>

#include "cli/get/messages.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {

InputReader::InputReader(RobotUA& robot, UrlQueue& queue, const GetOptions& options,
                         std::function<void(bool open)> more)
    : options_(options),
      more_(std::move(more)),
      input_(
          queue, options.robot.http.get_basic_credentials, [this] { more_(true); },
          [this](const Error& full) { return wait_for_room(full); }),
      sitemaps_(
          robot, queue, options.input,
          {.max_tries = options.crawl.max_tries,
           .proxy_wait = options.crawl.disk_full_wait,
           .keeps_tries = !options.dry_run,
           .quiet = options.quiet},
          stop_, [this](std::string_view url) { return add_entry(url); },
          [this](std::chrono::milliseconds duration) { return wait(duration); }),
      thread_([this] {
        try {
          read();
          input_.tell_bad_lines();
          tell_counts();
          tell_other_headers();
        } catch (...) {
          all_read_ = false;
          error_ = std::move(cannot_go_on_);
        }
        ended_ = true;
        more_(false);
      }) {}

InputReader::~InputReader() {
  stop_ = true;
  thread_.join();
}

void InputReader::read() {
  const auto keep = [this](const Result<void>& result) {
    if (!result && !error_) error_ = result.error();
    return result.ok();
  };
  for (const std::string& operand : options_.input.operands) keep(input_.add_operand(operand));
  if (!keep(input_.flush())) return;
  for (const std::string& file : options_.input.files) {
    const auto read = input_.add_file(file, stop_);
    if (!read) error_ = read.error();
    if (error_ || stop_) return;
    complete_ = complete_ && read.value();
  }
  if (!keep(input_.flush())) return;  // sitemaps may be waited for
  if (!sitemaps_.read()) return;
  complete_ = complete_ && sitemaps_.complete();
  all_read_ = keep(input_.flush());
}

// Says why fewer URLs are fetched than the input has.
void InputReader::tell_counts() const {
  if (options_.quiet || error_ || stop_) return;
  const std::uint64_t urls = input_.added() + input_.duplicates();
  if (urls + input_.bad() == 0 && complete_ && options_.input.has_any())
    return complain("get", "the input has no URLs");
  if (input_.duplicates() == 0) return;
  complain("get", counted(urls, "URL") + " of the input: " + std::to_string(input_.added()) + " new, " +
                      std::to_string(input_.duplicates()) + " repeated or already in the job");
}

void InputReader::tell_other_headers() const {
  const std::uint64_t lines = input_.other_headers();
  if (lines == 0 || options_.quiet) return;
  complain("get", counted(lines, "line") + (lines == 1 ? " has a URL" : " have URLs") +
                      " of an earlier line or run, but other headers; a job fetches each URL once, with the headers of "
                      "its first line (--db and another --job fetch it with others)");
}

// Returns false if the run ends.
bool InputReader::wait_for_room(const Error& full) {
  if (!std::exchange(told_full_, true)) {
    tell_queue(full.message + "; reading URLs waits until " + (is_passing(full) ? "it answers" : "there is room"));
  }
  return wait(options_.crawl.disk_full_wait);
}

// Returns false if the run ends.
bool InputReader::wait(std::chrono::milliseconds duration) const {
  constexpr std::chrono::milliseconds stop_interval{100};
  const auto end = std::chrono::steady_clock::now() + duration;
  while (!stop_ && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(
        std::min<std::chrono::nanoseconds>(stop_interval, end - std::chrono::steady_clock::now()));
  }
  return !stop_;
}

bool InputReader::add_entry(std::string_view url) {
  const auto added = input_.add(url, "", 0);
  if (!added && !error_) error_ = added.error();
  return !error_;
}

}  // namespace robotrules::cli
