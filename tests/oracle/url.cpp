// Where the path of a URL begins, and what a rule means that is a URL itself.
#include <algorithm>

#include "oracle/bytes.hpp"
#include "oracle/oracle.hpp"

namespace robotrules::oracle {
namespace {

constexpr std::size_t npos = std::string_view::npos;

// Length of a scheme at the start, without its colon; 0 where there is none.
std::size_t scheme_length(std::string_view url) {
  if (url.empty() || !is_letter(url[0])) return 0;
  std::size_t i = 0;
  while (i < url.size() && (is_letter(url[i]) || is_digit(url[i]) || url[i] == '+' || url[i] == '-' || url[i] == '.'))
    ++i;
  return i < url.size() && url[i] == ':' ? i : 0;
}

std::string with_slash(std::string_view path) {
  return path.starts_with('/') ? std::string(path) : "/" + std::string(path);
}

std::string google_path(std::string_view url) {
  const std::size_t start = url.starts_with("//") ? 2 : 0;
  const std::size_t early = url.find_first_of("/?;", start);
  const std::size_t protocol = url.find("://", start);
  const std::size_t host = protocol != npos && !(early < protocol) ? protocol + 3 : start;
  const std::size_t path = url.find_first_of("/?;", host);
  const std::size_t hash = url.find('#', start);
  if (path == npos || hash < path) return "/";
  return with_slash(url.substr(path, hash == npos ? npos : hash - path));
}

// Path and query as RFC 3986 cuts them, without what is put before a path that does not begin with "/".
std::string_view bare_path(std::string_view url) {
  url = url.substr(0, url.find('#'));
  const std::size_t scheme = scheme_length(url);
  std::string_view rest = url;
  if (scheme != 0 && url.substr(scheme + 1).starts_with("/")) rest.remove_prefix(scheme + 1);
  if (rest.starts_with("//")) {
    const std::size_t path = rest.find_first_of("/?", 2);
    rest = path == npos ? std::string_view() : rest.substr(path);
  }
  return rest;
}

std::string generic_path(std::string_view url) { return with_slash(bare_path(url)); }

// "/a/%2e%2e/b?c" → "/b?c": the path as it is sent.
std::string resolved_path(std::string_view url) {
  const std::string path = generic_path(url);
  const std::size_t query = std::min(path.find('?'), path.size());
  std::vector<std::string> kept;
  std::size_t at = 0;
  while (at < query) {
    std::size_t end = at + 1;
    while (end < query && path[end] != '/') ++end;
    const std::string segment = path.substr(at + 1, end - at - 1);
    std::string plain;
    for (std::size_t i = 0; i < segment.size(); ++i) {
      const bool dot = lower(segment.substr(i, 3)) == "%2e";
      plain += dot ? '.' : segment[i];
      if (dot) i += 2;
    }
    if (plain == ".." && !kept.empty()) kept.pop_back();
    if (plain != "." && plain != "..") kept.push_back(segment);
    if ((plain == "." || plain == "..") && end == query) kept.emplace_back();
    at = end;
  }
  std::string out;
  for (const std::string& segment : kept) out += "/" + segment;
  return out + path.substr(query);
}

// As URI.pm's path_query: an empty path stays empty. What is no URL at all is taken as a path.
std::string uri_path(std::string_view url) {
  const std::string_view path = bare_path(url);
  return path.empty() || path.starts_with('?') ? std::string(path) : with_slash(path);
}

struct Site {
  std::string scheme;
  std::string host;
  std::string port;
};

// Ports are texts: URI.pm takes "80" and "080" for two. Digits behind the last colon are a port.
Site site_of(std::string_view url) {
  Site site;
  const std::size_t scheme = scheme_length(url);
  site.scheme = lower(url.substr(0, scheme));
  std::string_view rest = url.substr(scheme == 0 ? 0 : scheme + 1);
  if (!rest.starts_with("//")) return site;
  rest.remove_prefix(2);
  rest = rest.substr(0, rest.find_first_of("/?#"));
  if (const std::size_t at = rest.rfind('@'); at != npos) rest.remove_prefix(at + 1);
  const std::size_t colon = rest.rfind(':');
  if (colon != npos && colon + 1 != rest.size() && rest.find_first_not_of("0123456789", colon + 1) == npos) {
    site.port = std::string(rest.substr(colon + 1));
    rest = rest.substr(0, colon);
  }
  if (site.port.empty()) site.port = site.scheme == "https" ? "443" : "80";
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const bool escape =
        i + 2 < rest.size() && rest[i] == '%' && hex_value(rest[i + 1]) >= 0 && hex_value(rest[i + 2]) >= 0;
    site.host += escape ? static_cast<char>(16 * hex_value(rest[i + 1]) + hex_value(rest[i + 2])) : rest[i];
    if (escape) i += 2;
  }
  site.host = lower(site.host);
  if (site.host.starts_with('[') && site.host.ends_with(']') && site.host.size() > 1) {
    site.host = site.host.substr(1, site.host.size() - 2);
  }
  return site;
}

// "/a/b" and ".." and "." put together, as URI.pm's abs does.
std::string merged_path(std::string_view base_path, std::string_view relative) {
  std::string path(base_path.substr(0, base_path.rfind('/') + 1));
  path += relative;
  std::vector<std::string> parts;
  std::size_t from = 0;
  while (true) {
    const std::size_t slash = path.find('/', from);
    parts.push_back(path.substr(from, slash == npos ? npos : slash - from));
    if (slash == npos) break;
    from = slash + 1;
  }
  if (parts[0].empty()) parts.erase(parts.begin());
  std::size_t i = 1;
  while (i < parts.size()) {
    const auto before = parts.begin() + static_cast<std::ptrdiff_t>(i) - 1;
    if (parts[i - 1] == ".") {
      parts.erase(before);
      if (i > 1) --i;
    } else if (parts[i] == ".." && parts[i - 1] != "..") {
      parts.erase(before, before + 2);
      if (i > 1) {
        --i;
        if (i == parts.size()) parts.emplace_back();
      }
    } else {
      ++i;
    }
  }
  if (!parts.empty() && parts.back() == ".") parts.back().clear();
  std::string out = "/";
  for (std::size_t k = 0; k < parts.size(); ++k) out += (k == 0 ? "" : "/") + parts[k];
  return out;
}

// URI.pm takes off <...>, <URL:...>, then quotes, then white space.
std::string unwrapped(std::string text) {
  if (text.size() > 1 && text.starts_with('<') && text.ends_with('>')) {
    text = text.substr(1, text.size() - 2);
    if (text.starts_with("URL:")) text.erase(0, 4);
  }
  if (text.size() > 1 && text.starts_with('"') && text.ends_with('"')) text = text.substr(1, text.size() - 2);
  return trim(text, false);
}

// What URI.pm takes for the path of a relative URL: not what stands before a colon, nor a server behind the colon.
std::string relative_path(std::string_view url) {
  std::string path(url.substr(0, url.find('?')));
  std::size_t i = 0;
  while (i < path.size() && path[i] != ':' && path[i] != '/') ++i;
  if (i == 0 || i == path.size() || path[i] == '/') return path;
  path.erase(0, i + 1);
  if (!path.starts_with("//")) return path;
  const std::size_t slash = path.find('/', 2);
  return slash == npos ? "" : path.substr(slash);
}

}  // namespace

UrlParts url_parts(std::string_view url, const Dialect& dialect) {
  UrlParts parts;
  parts.scheme = lower(url.substr(0, scheme_length(url)));
  switch (dialect.url_path) {
    case Dialect::UrlPath::google: parts.path = google_path(url); break;
    case Dialect::UrlPath::generic: parts.path = generic_path(url); break;
    case Dialect::UrlPath::uri: parts.path = uri_path(url); break;
    case Dialect::UrlPath::resolved: parts.path = resolved_path(url); break;
  }
  return parts;
}

Reference resolved_rule(std::string_view value, std::string_view robots_url) {
  std::string_view robots = robots_url.empty() ? std::string_view("http://localhost/robots.txt") : robots_url;
  robots = robots.substr(0, robots.find('#'));
  const Site home = site_of(robots);
  const std::string unwrapped_value = unwrapped(std::string(value));
  const std::string_view written = std::string_view(unwrapped_value).substr(0, unwrapped_value.find('#'));
  const std::size_t scheme = scheme_length(written);
  if (scheme != 0 || written.starts_with("//")) {
    const Site site = site_of(scheme != 0 ? std::string(written) : home.scheme + ":" + std::string(written));
    Reference reference;
    // Without the URL of the robots.txt nobody can say what is foreign, so that everything is.
    reference.foreign = robots_url.empty() || site.port.empty() || site.scheme != home.scheme ||
                        site.host != home.host || site.port != home.port;
    reference.path = uri_path(written);
    if (reference.path.empty()) reference.path = "/";
    return reference;
  }
  const std::size_t query = written.find('?');
  const std::string tail(query == npos ? std::string_view() : written.substr(query));
  const std::string home_path = uri_path(robots);
  const std::string directory(std::string_view(home_path).substr(0, home_path.find('?')));
  const std::string path = relative_path(written);
  std::string result;
  if (path.starts_with('/')) {
    result = with_slash(written);
  } else if (!path.empty()) {
    result = merged_path(directory, path) + tail;
  } else {
    result = query == npos ? home_path : directory + tail;
  }
  return {false, result.empty() ? "/" : result};
}

}  // namespace robotrules::oracle
