// The URL of a site's robots.txt.
#pragma once

#include <string>
#include <string_view>

#include "url/url.hpp"

namespace robotrules::agent {

// Returns true for the URL of a robots.txt, which may always be fetched (RFC 9309 section 2.2.2). False if it was found
// in another spelling, such as "/robot%73.txt": rules may disallow that one.
inline bool is_robots_txt(const Url& url) {
  const std::string origin = url.origin.to_string();
  const auto has_path = [&](std::string_view spelling) {
    const std::string_view path = spelling.substr(origin.size());
    return path.substr(0, path.find('?')) == "/robots.txt";
  };
  return has_path(url.text) && (url.found.empty() || has_path(url.found));
}

}  // namespace robotrules::agent
