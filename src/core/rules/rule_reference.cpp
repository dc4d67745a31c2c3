#include "core/rules/rule_reference.hpp"

#include <algorithm>
#include <vector>

#include "base/ascii.hpp"
#include "base/hex.hpp"
#include "core/url_path.hpp"

namespace robotrules::core {
namespace {

std::string_view without_fragment(std::string_view url) { return url.substr(0, url.find('#')); }

// Returns the host and the port of an authority, "host:port", as URI.pm compares them. The port is a text, so "80" and
// "080" differ. An empty port is the default port, but its colon belongs to the host. So does a dot at the end of the
// host.
std::string server_of(std::string_view authority, std::string_view default_port) {
  std::size_t digits = authority.size();
  while (digits > 0 && base::is_digit(authority[digits - 1])) --digits;
  const bool has_port = digits > 0 && digits < authority.size() && authority[digits - 1] == ':';
  const std::string_view port = has_port ? authority.substr(digits) : default_port;
  if (has_port) authority = authority.substr(0, digits - 1);
  const std::size_t user_end = authority.rfind('@');
  if (user_end != std::string_view::npos) authority.remove_prefix(user_end + 1);
  std::string host;
  for (std::size_t i = 0; i < authority.size(); ++i) {
    const int escaped = base::escaped_byte(authority.substr(i));
    host += base::lower(escaped < 0 ? authority[i] : static_cast<char>(escaped));
    if (escaped >= 0) i += 2;
  }
  if (host.size() >= 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  return host.append(":").append(port);
}

// A URL in parts. `rest` is all after the authority: path and query.
struct UrlParts {
  std::string_view scheme;
  std::optional<std::string_view> authority;
  std::string_view rest;
};

UrlParts parts_of(std::string_view url) {
  UrlParts parts;
  parts.scheme = url.substr(0, scheme_length(url));
  if (!parts.scheme.empty()) url.remove_prefix(parts.scheme.size() + 1);
  if (url.starts_with("//")) {
    const std::size_t end = std::min(url.find_first_of("/?", 2), url.size());
    parts.authority = url.substr(2, end - 2);
    url.remove_prefix(end);
  }
  parts.rest = url;
  return parts;
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

// Returns the path of a reference without a scheme and a server, as URI.pm's path() finds it: all before a first colon
// is taken for a scheme, which may then be followed by a server.
std::string_view path_of(std::string_view reference) {
  std::string_view path = reference.substr(0, reference.find('?'));
  const std::size_t colon = path.find_first_of(":/");
  if (colon == std::string_view::npos || colon == 0 || path[colon] != ':') return path;
  path.remove_prefix(colon + 1);
  if (path.starts_with("//")) path.remove_prefix(std::min(path.find('/', 2), path.size()));
  return path;
}

std::string or_root(std::string_view path) { return path.empty() ? "/" : std::string(path); }

std::string_view without_ends(std::string_view text, std::string_view begin, char end) {
  const bool both = text.size() > begin.size() && text.starts_with(begin) && text.back() == end;
  return both ? text.substr(begin.size(), text.size() - begin.size() - 1) : text;
}

// Returns the value without <...>, <URL:...>, quotes, and white space inside them.
std::string_view unwrapped(std::string_view value) {
  const std::string_view inner = without_ends(value, "<", '>');
  if (inner.size() != value.size()) value = inner.starts_with("URL:") ? inner.substr(4) : inner;
  return base::trimmed(without_ends(value, "\"", '"'));
}

}  // namespace

std::optional<std::string> rule_of_reference(std::string_view value, std::string_view robots_url) {
  value = without_fragment(unwrapped(value));
  const UrlParts own = parts_of(without_fragment(robots_url));
  const UrlParts said = parts_of(value);
  if (!said.scheme.empty() || said.authority) {
    if (!said.authority || !own.authority) return std::nullopt;
    if (!said.scheme.empty() && !base::equals_ignore_case(said.scheme, own.scheme)) return std::nullopt;
    const std::string_view port = base::equals_ignore_case(own.scheme, "https") ? "443" : "80";
    if (server_of(*said.authority, port) != server_of(*own.authority, port)) return std::nullopt;
    return or_root(said.rest);
  }

  const std::string_view base = own.authority ? own.rest : "/robots.txt";
  const std::size_t query = std::min(value.find('?'), value.size());
  const std::string_view path = path_of(value);
  if (path.starts_with('/')) return path.data() == value.data() ? std::string(value) : std::string("/").append(value);
  const std::string_view base_path = base.substr(0, base.find('?'));
  if (!path.empty()) return merged_path(base_path, path).append(value.substr(query));
  return query == value.size() ? or_root(base) : std::string(base_path).append(value.substr(query));
}

}  // namespace robotrules::core
