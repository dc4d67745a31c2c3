// libcurl as it is, with its defaults: a client that others trust, to try the servers of the tests with.
#pragma once

#include <curl/curl.h>

#include <string>
#include <vector>

namespace robotrules::test {

struct CurlFetch {
  std::string url;
  std::string ca_file = {};
  std::vector<std::string> resolve = {};  // "a.test:80:127.0.0.1"
  std::string proxy = {};                 // "" is none, whatever the environment says
  std::string proxy_credentials = {};
  std::string accept_encoding = {};
  std::string body = {};  // posted if not empty
  bool http2 = false;

  struct Got {
    CURLcode code = CURLE_OK;
    long status = 0;
    long version = 0;  // CURL_HTTP_VERSION_...
    std::size_t bytes = 0;
    std::string body;  // its first bytes, 1 MiB at most
    std::string error;
  };
  Got get() const;
};

}  // namespace robotrules::test
