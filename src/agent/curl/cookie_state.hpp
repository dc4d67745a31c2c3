// Where libcurl keeps the cookies of a jar.
#pragma once

#include <curl/curl.h>

#include <mutex>

#include <robotrules/cookie_jar.hpp>

namespace robotrules {

struct CookieJar::State {
  State();
  ~State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  CURLSH* share;
  std::mutex mutex;  // libcurl calls for it
};

}  // namespace robotrules
