// A certificate authority made at run time, and the good and bad certificates that tests need.
//
//   TestCa ca;
//   Certificate good = ca.issue({.names = {"a.test"}});
//   Certificate old = ca.issue({.names = {"a.test"}, .from = -48h, .until = -24h});
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

struct evp_pkey_st;
struct x509_st;

namespace robotrules::test {

// What a certificate says. Wrong hosts and dates are what tests make of it.
struct CertificateSpec {
  std::vector<std::string> names = {};                  // DNS names
  std::vector<std::string> addresses = {"127.0.0.1"};   // IP addresses; without both, there are no alternative names
  std::string common_name = {};                         // of the subject; empty: the first of the names
  std::chrono::seconds from = std::chrono::hours(-1);   // valid from now + from
  std::chrono::seconds until = std::chrono::hours(24);  // to now + until
};

// A certificate with its key (P-256). A copy is the same.
class Certificate {
 public:
  Certificate(std::shared_ptr<x509_st> certificate, std::shared_ptr<evp_pkey_st> key)
      : certificate_(std::move(certificate)), key_(std::move(key)) {}
  x509_st* certificate() const { return certificate_.get(); }
  evp_pkey_st* key() const { return key_.get(); }
  std::string pem() const;
  std::string key_pem() const;
  bool covers(const std::string& name) const;

 private:
  std::shared_ptr<x509_st> certificate_;
  std::shared_ptr<evp_pkey_st> key_;
};

Certificate self_signed(const CertificateSpec& spec);

class TestCa {
 public:
  explicit TestCa(const std::string& name = "robotrules test CA");
  Certificate issue(const CertificateSpec& spec) const;
  std::string pem() const { return root_.pem(); }
  const Certificate& root() const { return root_; }

 private:
  Certificate root_;
};

}  // namespace robotrules::test
