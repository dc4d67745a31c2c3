#include "fields/proxy_status.hpp"

#include <algorithm>

namespace robotrules::agent {

bool has_proxy_error(std::string_view proxy_status) {
  bool is_quoted = false;
  for (std::size_t at = 0; at < proxy_status.size(); ++at) {
    const char c = proxy_status[at];
    if (is_quoted && c == '\\') ++at;
    if (c == '"') is_quoted = !is_quoted;
    if (is_quoted || c != ';') continue;
    std::string_view rest = proxy_status.substr(at + 1);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    if (rest.starts_with("error=")) return true;
  }
  return false;
}

}  // namespace robotrules::agent
