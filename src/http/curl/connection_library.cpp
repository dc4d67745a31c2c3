#include <curl/curl.h>

#include <robotrules/user_agent.hpp>

namespace robotrules {

std::string connection_library() {
  const curl_version_info_data* const known = curl_version_info(CURLVERSION_NOW);
  const auto text = [](const char* name) { return std::string(name == nullptr ? "none" : name); };
  return "libcurl " + text(known->version) + " (" + text(known->ssl_version) + ", nghttp2/" +
         text(known->nghttp2_version) + ")";
}

}  // namespace robotrules
