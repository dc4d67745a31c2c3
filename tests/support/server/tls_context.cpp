#include "support/server/tls_context.hpp"

#include <stdexcept>

namespace robotrules::test {
namespace {

int number_of(TlsVersion version) {
  switch (version) {
    case TlsVersion::tls1_0: return TLS1_VERSION;
    case TlsVersion::tls1_1: return TLS1_1_VERSION;
    case TlsVersion::tls1_2: return TLS1_2_VERSION;
    case TlsVersion::tls1_3: return TLS1_3_VERSION;
  }
  throw std::logic_error("no such version of TLS");
}

}  // namespace

TlsContext::TlsContext(const TlsOptions& options, const TestCa& ca, const std::string& address)
    : options_(options), ca_(ca), address_(address), context_(SSL_CTX_new(TLS_server_method()), SSL_CTX_free) {
  if (context_ == nullptr) throw std::runtime_error("no TLS context");
  for (const std::string& protocol : options_.alpn) protocols_ += static_cast<char>(protocol.size()) + protocol;
  SSL_CTX_set_security_level(context_.get(), 0);  // which alone allows TLS 1.0 and 1.1
  if (SSL_CTX_set_min_proto_version(context_.get(), number_of(options_.least)) != 1 ||
      SSL_CTX_set_max_proto_version(context_.get(), number_of(options_.most)) != 1) {
    throw std::runtime_error("no such versions of TLS");
  }
  const Certificate& first = certificate_for("");
  if (SSL_CTX_use_certificate(context_.get(), first.certificate()) != 1 ||
      SSL_CTX_use_PrivateKey(context_.get(), first.key()) != 1) {
    throw std::runtime_error("certificate refused");
  }
  if (options_.asks_client) {
    constexpr unsigned char name[] = "test";  // without it no session is resumed
    SSL_CTX_set_session_id_context(context_.get(), name, sizeof name);
    SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context_.get()), ca_.root().certificate());
  }
  SSL_CTX_set_tlsext_servername_callback(context_.get(), choose_certificate);
  SSL_CTX_set_tlsext_servername_arg(context_.get(), this);
  SSL_CTX_set_alpn_select_cb(context_.get(), choose_protocol, this);
}

int TlsContext::choose_certificate(SSL* session, int*, void* self) {
  const char* name = SSL_get_servername(session, TLSEXT_NAMETYPE_host_name);
  if (name == nullptr) return SSL_TLSEXT_ERR_NOACK;
  const Certificate& chosen = static_cast<TlsContext*>(self)->certificate_for(name);
  SSL_use_certificate(session, chosen.certificate());
  SSL_use_PrivateKey(session, chosen.key());
  return SSL_TLSEXT_ERR_OK;
}

int TlsContext::choose_protocol(SSL*, const unsigned char** chosen, unsigned char* chosen_size,
                                const unsigned char* offered, unsigned int offered_size, void* self) {
  const std::string& ours = static_cast<TlsContext*>(self)->protocols_;
  unsigned char* found = nullptr;
  const int state = SSL_select_next_proto(&found, chosen_size, reinterpret_cast<const unsigned char*>(ours.data()),
                                          static_cast<unsigned int>(ours.size()), offered, offered_size);
  *chosen = found;
  if (state == OPENSSL_NPN_NEGOTIATED) return SSL_TLSEXT_ERR_OK;
  const bool alerts = static_cast<TlsContext*>(self)->options_.alert_without_match;
  return alerts ? SSL_TLSEXT_ERR_ALERT_FATAL : SSL_TLSEXT_ERR_NOACK;
}

const Certificate& TlsContext::certificate_for(const std::string& name) {
  if (!options_.certificates.empty()) {
    for (const Certificate& certificate : options_.certificates) {
      if (!name.empty() && certificate.covers(name)) return certificate;
    }
    return options_.certificates[0];
  }
  const auto known = made_.find(name);
  if (known != made_.end()) return known->second;
  CertificateSpec spec;
  spec.addresses = {address_};
  if (!name.empty()) spec.names = {name};
  return made_.emplace(name, ca_.issue(spec)).first->second;
}

}  // namespace robotrules::test
