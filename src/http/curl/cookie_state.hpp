// Where libcurl keeps the cookies of a jar.
#pragma once

#include <curl/curl.h>

#include <mutex>
#include <string_view>

#include <robotrules/user_agent.hpp>

namespace robotrules {

struct CookieJar::State {
  State();
  ~State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  // Makes the cookies that were set for the domain of the URL's host its host's own if that is a public suffix, such as
  // github.io: its subdomains are other people's (RFC 6265 section 5.3, step 5). libcurl sends them to all of these.
  void keep_host_only(std::string_view url);

  CURLSH* share;
  std::mutex mutex;  // libcurl calls for it
};

}  // namespace robotrules
