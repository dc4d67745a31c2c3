#include "support/server/certificates.hpp"

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <atomic>
#include <ctime>
#include <functional>
#include <stdexcept>
#include <utility>

namespace robotrules::test {
namespace {

void require(bool good, const char* what) {
  if (!good) throw std::runtime_error(std::string("certificate: ") + what);
}

std::shared_ptr<EVP_PKEY> new_key() {
  std::shared_ptr<EVP_PKEY> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  require(key != nullptr, "no key");
  return key;
}

void add_extension(X509* certificate, X509* issuer, int id, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const std::unique_ptr<X509_EXTENSION, void (*)(X509_EXTENSION*)> extension(
      X509V3_EXT_conf_nid(nullptr, &context, id, value.c_str()), X509_EXTENSION_free);
  require(extension != nullptr && X509_add_ext(certificate, extension.get(), -1) == 1, value.c_str());
}

// Unsigned: number, dates, subject, key.
std::shared_ptr<X509> draft(const std::string& common_name, std::chrono::seconds from, std::chrono::seconds until,
                            EVP_PKEY* key) {
  static std::atomic<long> serial{std::time(nullptr)};  // unlike those of the CAs of other runs
  std::shared_ptr<X509> made(X509_new(), X509_free);
  require(made != nullptr, "no memory");
  X509_set_version(made.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(made.get()), ++serial);
  X509_gmtime_adj(X509_getm_notBefore(made.get()), static_cast<long>(from.count()));
  X509_gmtime_adj(X509_getm_notAfter(made.get()), static_cast<long>(until.count()));
  X509_set_pubkey(made.get(), key);
  X509_NAME* name = X509_get_subject_name(made.get());
  require(X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8,
                                     reinterpret_cast<const unsigned char*>(common_name.c_str()), -1, -1, 0) == 1,
          "name");
  return made;
}

void sign(X509* certificate, X509* issuer, EVP_PKEY* issuer_key) {
  X509_set_issuer_name(certificate, X509_get_subject_name(issuer));
  require(X509_sign(certificate, issuer_key, EVP_sha256()) != 0, "signature");
}

std::shared_ptr<X509> draft_leaf(const CertificateSpec& spec, EVP_PKEY* key) {
  const std::string& first = !spec.common_name.empty() ? spec.common_name
                             : spec.names.empty()      ? spec.addresses.at(0)
                                                       : spec.names[0];
  // A common name has at most 64 characters; it is the alternative names that count.
  std::shared_ptr<X509> made = draft(first.substr(0, 64), spec.from, spec.until, key);
  std::string alternatives;
  for (const std::string& name : spec.names) alternatives += (alternatives.empty() ? "DNS:" : ",DNS:") + name;
  for (const std::string& address : spec.addresses) alternatives += (alternatives.empty() ? "IP:" : ",IP:") + address;
  if (!alternatives.empty()) add_extension(made.get(), made.get(), NID_subject_alt_name, alternatives);
  add_extension(made.get(), made.get(), NID_ext_key_usage, "serverAuth,clientAuth");
  return made;
}

Certificate new_root(const std::string& name) {
  const std::shared_ptr<EVP_PKEY> key = new_key();
  const std::shared_ptr<X509> made =
      draft(name, std::chrono::hours(-24 * 365), std::chrono::hours(24 * 365), key.get());
  add_extension(made.get(), made.get(), NID_basic_constraints, "critical,CA:TRUE");
  add_extension(made.get(), made.get(), NID_key_usage, "critical,keyCertSign,cRLSign");
  add_extension(made.get(), made.get(), NID_subject_key_identifier, "hash");
  sign(made.get(), made.get(), key.get());
  return {made, key};
}

std::string written(const std::function<int(BIO*)>& write) {
  const std::unique_ptr<BIO, int (*)(BIO*)> memory(BIO_new(BIO_s_mem()), BIO_free);
  require(memory != nullptr && write(memory.get()) == 1, "PEM");
  char* data = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

}  // namespace

std::string Certificate::pem() const {
  return written([&](BIO* to) { return PEM_write_bio_X509(to, certificate_.get()); });
}

std::string Certificate::key_pem() const {
  return written(
      [&](BIO* to) { return PEM_write_bio_PrivateKey(to, key_.get(), nullptr, nullptr, 0, nullptr, nullptr); });
}

bool Certificate::covers(const std::string& name) const {
  return X509_check_host(certificate_.get(), name.c_str(), name.size(), 0, nullptr) == 1;
}

Certificate self_signed(const CertificateSpec& spec) {
  const std::shared_ptr<EVP_PKEY> key = new_key();
  const std::shared_ptr<X509> made = draft_leaf(spec, key.get());
  sign(made.get(), made.get(), key.get());
  return {made, key};
}

TestCa::TestCa(const std::string& name) : root_(new_root(name)) {}

Certificate TestCa::issue(const CertificateSpec& spec) const {
  const std::shared_ptr<EVP_PKEY> key = new_key();
  const std::shared_ptr<X509> made = draft_leaf(spec, key.get());
  sign(made.get(), root_.certificate(), root_.key());
  return {made, key};
}

}  // namespace robotrules::test
