// One listener's side of TLS: versions, certificates by name, protocols. For the scripted server's own sources alone.
#pragma once

#include <openssl/ssl.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "support/server/certificates.hpp"
#include "support/server/server.hpp"

namespace robotrules::test {

// Used on the server's thread alone once it listens.
class TlsContext {
 public:
  TlsContext(const TlsOptions& options, const TestCa& ca, const std::string& address);
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

  SSL_CTX* get() const { return context_.get(); }
  const TlsOptions& options() const { return options_; }

 private:
  static int choose_certificate(SSL* session, int* alert, void* self);
  static int choose_protocol(SSL* session, const unsigned char** chosen, unsigned char* chosen_size,
                             const unsigned char* offered, unsigned int offered_size, void* self);
  const Certificate& certificate_for(const std::string& name);

  TlsOptions options_;
  const TestCa& ca_;
  std::string address_;
  std::string protocols_;                    // as on the wire: each behind its length
  std::map<std::string, Certificate> made_;  // by name
  std::shared_ptr<SSL_CTX> context_;
};

}  // namespace robotrules::test
