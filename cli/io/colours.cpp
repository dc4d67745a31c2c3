#include "cli/io/colours.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace robotrules::cli {
namespace {

constexpr std::string_view begin_of_escape = "\x1b[";

std::array<Paint, 2>& paints() noexcept {
  static std::array<Paint, 2> both;
  return both;
}

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): no thread runs yet
  return value == nullptr ? std::string_view() : value;
}

bool has_colours(int descriptor, std::string_view when) {
  if (when != "auto") return when == "always";
  if (!variable("NO_COLOR").empty()) return false;
  const std::string_view force = variable("CLICOLOR_FORCE");
  if (!force.empty() && force != "0") return true;
  const std::string_view term = variable("TERM");
  return ::isatty(descriptor) == 1 && !term.empty() && term != "dumb";
}

}  // namespace

Style style_of(Access access) noexcept {
  switch (access) {
    case Access::allowed: return Style::good;
    case Access::disallowed: return Style::bad;
    case Access::unknown: break;
  }
  return Style::mixed;
}

std::string Paint::operator()(Style style, std::string_view text) const {
  if (!has_colours_ || text.empty()) return std::string(text);
  constexpr std::string_view codes[] = {"1", "2", "32", "31", "35", "36"};
  std::string painted(begin_of_escape);
  return painted.append(codes[static_cast<std::size_t>(style)]).append("m").append(text).append("\x1b[0m");
}

void choose_colours(std::string_view when) {
  paints() = {Paint(has_colours(STDOUT_FILENO, when)), Paint(has_colours(STDERR_FILENO, when))};
}

const Paint& results_paint() noexcept { return paints()[0]; }
const Paint& messages_paint() noexcept { return paints()[1]; }

std::size_t plain_size(std::string_view text) noexcept {
  std::size_t size = 0;
  while (!text.empty()) {
    const std::size_t escape = std::min(text.find(begin_of_escape), text.size());
    size += escape;
    const std::size_t end = text.find('m', escape);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return size;
}

std::string painted_diff(const Paint& paint, std::string_view diff) {
  std::string out;
  bool in_head = true;  // the names of the files
  while (!diff.empty()) {
    const std::size_t end = std::min(diff.find('\n'), diff.size());
    const std::string_view line = diff.substr(0, end);
    in_head = in_head && !line.starts_with('@');
    if (in_head) {
      out += paint(Style::heading, line);
    } else {
      switch (line.empty() ? ' ' : line.front()) {
        case '@': out += paint(Style::note, line); break;
        case '+': out += paint(Style::good, line); break;
        case '-': out += paint(Style::bad, line); break;
        default: out += line;
      }
    }
    if (end < diff.size()) out += '\n';
    diff.remove_prefix(std::min(end + 1, diff.size()));
  }
  return out;
}

}  // namespace robotrules::cli
