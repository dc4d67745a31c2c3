// Where servers' certificates are checked by.
#include <curl/curl.h>
#include <unistd.h>

#include <string>

#include <robotrules/user_agent.hpp>

namespace robotrules {

Result<void> check_certificate_authorities(const TlsOptions& tls) {
  if (!tls.verify) return {};
  if (!tls.ca_file.empty()) {
    if (access(tls.ca_file.c_str(), R_OK) == 0) return {};
    return Error{"no-certificates", "the certificate authorities to check https servers by cannot be read from " +
                                        tls.ca_file + ": name a readable file in PEM as the CA file"};
  }
  if (!tls.ca_path.empty() && access(tls.ca_path.c_str(), R_OK | X_OK) == 0) return {};
  const curl_version_info_data* const curl = curl_version_info(CURLVERSION_NOW);
  if (curl->cainfo == nullptr || access(curl->cainfo, R_OK) == 0) return {};  // null: built with a store of its own
  return Error{"no-certificates", std::string("there are no certificate authorities to check https servers by: ") +
                                      curl->cainfo + " cannot be read; install the package ca-certificates"};
}

}  // namespace robotrules
