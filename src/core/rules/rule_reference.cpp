#include "core/rules/rule_reference.hpp"

#include <algorithm>
#include <vector>

#include <robotrules/origin.hpp>

#include "core/line/lexer.hpp"
#include "core/url_path.hpp"

namespace robotrules::core {
namespace {

std::string_view without_fragment(std::string_view url) { return url.substr(0, url.find('#')); }

std::string path_and_query(std::string_view url, std::size_t authority_begin) {
  const std::size_t begin = url.find_first_of("/?", authority_begin);
  return begin == std::string_view::npos ? "/" : std::string(url.substr(begin));
}

// An Origin drops a dot at the end of the host. URI.pm keeps it, so there "host." and "host" are two hosts.
bool has_dotted_host(std::string_view url) {
  const std::size_t begin = url.find("//");
  if (begin == std::string_view::npos) return false;
  std::string_view authority = url.substr(begin + 2);
  authority = authority.substr(0, authority.find_first_of("/?#"));
  authority = authority.substr(
      0, authority.find(':', authority.rfind('@') == std::string_view::npos ? 0 : authority.rfind('@')));
  return authority.ends_with('.');
}

// Appends `path` to the directory of `base_path` and resolves "." and ".." as URI.pm's abs() does: a ".." that would go
// above the root stays.
std::string merged_path(std::string_view base_path, std::string_view path) {
  const std::size_t slash = base_path.rfind('/');
  std::string merged(slash == std::string_view::npos ? std::string_view("/") : base_path.substr(0, slash + 1));
  merged += path;
  std::vector<std::string_view> kept;
  std::string_view rest = std::string_view(merged).substr(1);
  bool last_is_directory = false;
  while (true) {
    const std::size_t end = rest.find('/');
    const std::string_view segment = rest.substr(0, end);
    last_is_directory = false;
    if (segment == ".") {
      last_is_directory = true;
    } else if (segment == ".." && !kept.empty() && kept.back() != "..") {
      kept.pop_back();
      last_is_directory = true;
    } else {
      kept.push_back(segment);
    }
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  std::string out;
  for (const std::string_view segment : kept) out.append("/").append(segment);
  if (last_is_directory || out.empty()) out += '/';
  return out;
}

}  // namespace

std::optional<std::string> rule_of_reference(std::string_view value, std::string_view robots_url) {
  value = without_fragment(value);
  robots_url = without_fragment(robots_url);
  const std::size_t scheme = scheme_length(value);
  if (scheme != 0 || value.starts_with("//")) {
    const std::optional<Origin> own = Origin::of(robots_url);
    if (!own) return std::nullopt;
    const std::string url = scheme != 0 ? std::string(value) : own->scheme + ":" + std::string(value);
    const std::optional<Origin> other = Origin::of(url);
    if (!other || *other != *own || has_dotted_host(url) != has_dotted_host(robots_url)) return std::nullopt;
    return path_and_query(url, url.find("//") + 2);
  }
  if (value.starts_with("/")) return std::string(value);

  const std::size_t base_scheme = scheme_length(robots_url);
  const std::string base = base_scheme == 0 ? std::string("/robots.txt") : path_and_query(robots_url, base_scheme + 3);
  const std::string_view base_path = std::string_view(base).substr(0, base.find('?'));
  const std::size_t query = std::min(value.find('?'), value.size());
  if (query == 0) return std::string(base_path).append(value);
  return merged_path(base_path, value.substr(0, query)).append(value.substr(query));
}

}  // namespace robotrules::core
