#include "fields/status_line.hpp"

#include <algorithm>

namespace robotrules::agent {

std::optional<StatusLine> read_status_line(std::string_view line) {
  const auto digit = [&](std::size_t at) { return at < line.size() && line[at] >= '0' && line[at] <= '9'; };
  if (!line.starts_with("HTTP/") || !digit(5)) return std::nullopt;
  StatusLine read{.version = (line[5] - '0') * 10, .status = 0, .reason = {}};
  std::size_t at = 6;
  if (line.substr(at).starts_with('.') && digit(at + 1)) {
    read.version += line[at + 1] - '0';
    at += 2;
  }
  if (!line.substr(at).starts_with(' ') || !digit(at + 1) || !digit(at + 2) || !digit(at + 3) || digit(at + 4)) {
    return std::nullopt;
  }
  for (std::size_t place = at + 1; place < at + 4; ++place) read.status = read.status * 10 + (line[place] - '0');
  line.remove_prefix(at + 4);
  read.reason = line.substr(std::min(line.find_first_not_of(' '), line.size()));
  return read;
}

}  // namespace robotrules::agent
