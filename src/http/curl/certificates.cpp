// The certificate authorities for https servers, and the client's own certificate.
#include <curl/curl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include <robotrules/user_agent.hpp>

namespace robotrules {
namespace {

Result<void> unreadable(const std::string& place, const std::string& remedy) {
  return Error{"no-certificates", "the certificate authorities for https cannot be read from " + place + ": " + remedy};
}

// `folders` are separated by ":".
bool has_readable_folder(std::string_view folders) {
  for (;;) {
    const std::size_t colon = folders.find(':');
    if (access(std::string(folders.substr(0, colon)).c_str(), R_OK | X_OK) == 0) return true;
    if (colon == std::string_view::npos) return false;
    folders.remove_prefix(colon + 1);
  }
}

// Gives OpenSSL the password of a key, which else would ask for it at the terminal.
int give_password(char* to, int room, int, void* known) noexcept {
  const auto& password = *static_cast<const std::string*>(known);
  if (password.size() > static_cast<std::size_t>(std::max(room, 0))) return 0;
  std::copy(password.begin(), password.end(), to);
  return static_cast<int>(password.size());
}

}  // namespace

Result<void> check_certificate_authorities(const TlsOptions& tls) {
  if (!tls.verify) return {};
  if (!tls.ca_file.empty()) {
    if (access(tls.ca_file.c_str(), R_OK) == 0) return {};
    return unreadable(tls.ca_file, "name a readable PEM file as the CA file");
  }
  if (!tls.ca_path.empty()) {
    if (has_readable_folder(tls.ca_path)) return {};
    return unreadable("the folder " + tls.ca_path, "name a readable folder as the CA folder");
  }
  const curl_version_info_data* const curl = curl_version_info(CURLVERSION_NOW);
  if (curl->cainfo == nullptr || access(curl->cainfo, R_OK) == 0) return {};  // null: certificates inside libcurl
  return Error{"no-certificates", std::string("there are no certificate authorities for https: ") + curl->cainfo +
                                      " cannot be read; install the package ca-certificates"};
}

Result<void> check_client_certificate(const TlsOptions& tls) {
  if (tls.certificate_file.empty()) return {};
  const auto unusable = [](const std::string& sentence) {
    ERR_clear_error();
    return Error{"invalid-certificate", sentence};
  };
  const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context(SSL_CTX_new(TLS_client_method()), SSL_CTX_free);
  if (context == nullptr) throw std::bad_alloc();
  std::string password = tls.key_password;
  SSL_CTX_set_default_passwd_cb_userdata(context.get(), &password);
  SSL_CTX_set_default_passwd_cb(context.get(), give_password);
  ERR_clear_error();
  if (SSL_CTX_use_certificate_chain_file(context.get(), tls.certificate_file.c_str()) != 1) {
    return unusable("the client's certificate cannot be read from " + tls.certificate_file +
                    ": name a readable PEM file with the certificate");
  }
  const std::string& key = tls.key_file.empty() ? tls.certificate_file : tls.key_file;
  if (SSL_CTX_use_PrivateKey_file(context.get(), key.c_str(), SSL_FILETYPE_PEM) == 1) return {};
  const unsigned long reason = ERR_peek_last_error();
  const bool is_other = ERR_GET_LIB(reason) == ERR_LIB_X509 && (ERR_GET_REASON(reason) == X509_R_KEY_VALUES_MISMATCH ||
                                                                ERR_GET_REASON(reason) == X509_R_KEY_TYPE_MISMATCH);
  if (is_other) {
    return unusable("the private key in " + key + " does not belong to the certificate in " + tls.certificate_file +
                    ": name the key of this certificate");
  }
  return unusable("the private key of the client's certificate cannot be read from " + key +
                  ": name a readable PEM file with the key, and give its password if it has one");
}

}  // namespace robotrules
