#include "http/recorded_head.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace robotrules::agent {

std::string recorded_request_head(std::string_view head) {
  std::string out;
  out.reserve(head.size());
  while (!head.empty()) {
    const std::size_t end = head.find('\n');
    std::string_view line = head.substr(0, end == std::string_view::npos ? end : end + 1);
    head.remove_prefix(line.size());
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos &&
        base::equals_ignore_case(base::trimmed(line.substr(0, colon)), "Proxy-Authorization")) {
      out.append(line, 0, colon + 1).append(" (not kept)");
      line.remove_prefix(std::min(line.find_last_not_of("\r\n") + 1, line.size()));
    }
    out += line;
  }
  return out;
}

}  // namespace robotrules::agent
