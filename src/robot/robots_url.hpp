// The URL of a site's robots.txt.
#pragma once

#include <string_view>

#include "http/curl/url.hpp"

namespace robotrules::agent {

// Returns true for the URL of a robots.txt, which may always be fetched (RFC 9309 section 2.2.2).
inline bool is_robots_txt(const Url& url) {
  const std::string_view path = url.path_and_query();
  return path.substr(0, path.find('?')) == "/robots.txt";
}

}  // namespace robotrules::agent
