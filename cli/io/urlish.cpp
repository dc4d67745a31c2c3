#include "cli/io/urlish.hpp"

#include "base/host_name.hpp"

namespace robotrules::cli {

std::string read_url(std::string_view text) {
  return (base::begins_with_host_name(text) ? "https://" : "") + std::string(text);
}

std::string read_url_or_path(std::string_view text) {
  const std::size_t end = text.find_first_of("/?#");
  const bool has_colon = text.substr(0, end).find(':') != std::string_view::npos;
  const bool has_path = end != std::string_view::npos && text[end] == '/';
  if ((has_colon || has_path) && base::begins_with_host_name(text)) return "https://" + std::string(text);
  const bool is_complete = text.empty() || text.front() == '/' || has_colon;
  return (is_complete ? "" : "/") + std::string(text);
}

}  // namespace robotrules::cli
