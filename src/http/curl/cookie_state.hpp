// The place where libcurl keeps the cookies of a jar.
#pragma once

#include <curl/curl.h>

#include <mutex>
#include <string_view>

#include <robotrules/user_agent.hpp>

#include "base/visibility.hpp"

namespace robotrules {

struct ROBOTRULES_HIDDEN CookieJar::State {
  State();
  ~State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  // If the URL's host is a public suffix, such as github.io, limits the cookies that were set for its domain to the
  // host itself: its subdomains belong to others (RFC 6265 section 5.3, step 5). libcurl would send the cookies to all
  // of them.
  void keep_host_only(std::string_view url);

  CURLSH* share;
  std::mutex mutex;  // locked by libcurl through its callbacks
};

}  // namespace robotrules
