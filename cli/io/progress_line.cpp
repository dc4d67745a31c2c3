#include "cli/io/progress_line.hpp"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "cli/io/terminal.hpp"

namespace robotrules::cli {
namespace {

constexpr auto between_drawings = std::chrono::milliseconds(100);

}  // namespace

std::string progress_line(std::uint64_t done, std::uint64_t all, std::string_view what, std::size_t columns) {
  constexpr std::size_t shortest_bar = 10;
  constexpr std::size_t longest_bar = 60;
  std::string line(what);
  if (all != 0) {
    const double part = static_cast<double>(std::min(done, all)) / static_cast<double>(all);
    std::string percent = std::to_string(static_cast<int>(part * 100)) + " %";
    percent.insert(0, std::string("100 %").size() - percent.size(), ' ');
    line = percent + "  " + line;
    if (columns >= line.size() + shortest_bar + 4) {
      const std::size_t bar = std::min(longest_bar, columns - line.size() - 4);
      const auto filled = static_cast<std::size_t>(part * static_cast<double>(bar));
      line.insert(0, "[" + std::string(filled, '#') + std::string(bar - filled, '.') + "]  ");
    }
  }
  return line.substr(0, columns);
}

Progress::Progress(bool quiet)
    : shows_(!quiet && can_redraw()), next_(std::chrono::steady_clock::now() + between_drawings) {}

bool Progress::is_due() { return shows_ && std::chrono::steady_clock::now() >= next_; }

void Progress::draw(std::uint64_t done, std::uint64_t all, std::string_view what) {
  if (!shows_) return;
  next_ = std::chrono::steady_clock::now() + between_drawings;
  // The last column stays free, because some terminals wrap after it.
  write_message("\r" + progress_line(done, all, what, terminal_size(STDERR_FILENO).columns - 1) + "\x1b[K");
  shown_ = true;
}

void Progress::clear() {
  if (std::exchange(shown_, false)) write_message("\r\x1b[K");
}

}  // namespace robotrules::cli
