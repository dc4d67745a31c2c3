#include "cli/get/url_input.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include <robotrules/crawl.hpp>

#include "base/escape.hpp"
#include "cli/io/input.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

constexpr std::size_t max_portion = 100'000;
constexpr std::uint64_t max_reported = 10;
constexpr std::string_view blanks = " \t\r\f\v";

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

}  // namespace

Result<void> UrlInput::add(std::string_view line, std::string_view where, std::uint64_t number) {
  line = without_blanks(line);
  if (line.empty()) return {};
  auto url = read_url_line(line);
  if (url) return add(std::move(url).value());
  ++bad_;
  if (bad_ <= max_reported) {
    const std::string place = number == 0 ? "" : base::printable(where) + ":" + std::to_string(number) + ": ";
    complain("get", place + base::printable(url.error().message));
  }
  if (bad_ == max_reported) complain("get", "further bad lines are counted but not reported");
  return {};
}

Result<void> UrlInput::add(QueuedUrl url) {
  held_.push_back(std::move(url));
  return held_.size() >= portion_ ? flush() : Result<void>();
}

Result<void> UrlInput::flush() {
  if (held_.empty()) return {};
  auto added = queue_.add(held_);
  while (!added && added.error().code == disk_full && wait_for_room_(added.error())) added = queue_.add(held_);
  if (!added) return added.error();
  held_.clear();
  portion_ = std::min(portion_ * 10, max_portion);
  counts_.added += added.value().added;
  counts_.duplicates += added.value().duplicates;
  if (added.value().added > 0) added_();
  return {};
}

Result<bool> UrlInput::add_file(const std::string& path, const std::atomic<bool>& stop) {
  const bool is_standard_input = path == "-";
  const int file = is_standard_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    complain("get", base::printable(path) + ": " + error_text(errno));
    return false;
  }
  LineReader lines(file);
  std::string line;
  std::uint64_t number = 0;
  Result<void> added;
  while (added && !stop) {
    if (lines.would_wait()) {  // a pipe may be silent for a long time
      pollfd ready{file, POLLIN, 0};
      if (::poll(&ready, 1, held_.empty() ? 100 : 10) == 0) {
        added = flush();
        continue;
      }
    }
    if (!lines.next(line)) break;
    added = add(line, input_name(path), ++number);
  }
  if (!is_standard_input) ::close(file);
  if (!added) return added.error();
  if (!lines.error().empty()) complain("get", input_name(path) + ": " + lines.error());
  return lines.error().empty();
}

}  // namespace robotrules::cli
