// The certificate authorities for https servers.
#include <curl/curl.h>
#include <unistd.h>

#include <string>

#include <robotrules/user_agent.hpp>

namespace robotrules {

Result<void> check_certificate_authorities(const TlsOptions& tls) {
  if (!tls.verify) return {};
  if (!tls.ca_file.empty()) {
    if (access(tls.ca_file.c_str(), R_OK) == 0) return {};
    return Error{"no-certificates", "the certificate authorities for https cannot be read from " + tls.ca_file +
                                        ": name a readable PEM file as the CA file"};
  }
  if (!tls.ca_path.empty() && access(tls.ca_path.c_str(), R_OK | X_OK) == 0) return {};
  const curl_version_info_data* const curl = curl_version_info(CURLVERSION_NOW);
  if (curl->cainfo == nullptr || access(curl->cainfo, R_OK) == 0) return {};  // null: certificates inside libcurl
  return Error{"no-certificates", std::string("there are no certificate authorities for https: ") + curl->cainfo +
                                      " cannot be read; install the package ca-certificates"};
}

}  // namespace robotrules
