// TlsOptions: whom the agent trusts, and how much it asks for.
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "support/agent/loopback.hpp"
#include "support/folder.hpp"
#include "support/server/certificates.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

class TlsOptionsTest : public LocalAgent {
 protected:
  TlsOptionsTest() {
    server.on("", "/", reply("secret"));
    ours = server.ca().issue({.names = {"a.test"}});
  }
  std::uint16_t open(TlsVersion most = TlsVersion::tls1_3) {
    return server.open({.tls = test::TlsOptions{.certificates = {*ours}, .most = most}});
  }
  Response get(std::uint16_t at) { return agent().get(url_of(at, "/", "a.test", "https")); }
  robotrules::TlsOptions& tls() { return options.connection.tls; }

  // "sha256//..." of a certificate's public key, as curl pins it.
  static std::string pin_of(const Certificate& certificate) {
    unsigned char* der = nullptr;
    const int size = i2d_PUBKEY(certificate.key(), &der);
    unsigned char hash[32];
    unsigned length = 0;
    EVP_Digest(der, static_cast<std::size_t>(size), hash, &length, EVP_sha256(), nullptr);
    OPENSSL_free(der);
    std::string text(44, '\0');
    EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), hash, static_cast<int>(length));
    return "sha256//" + text;
  }
  // A folder as "openssl rehash" leaves it.
  static std::string folder_of(const std::string& ca_file) {
    std::FILE* file = std::fopen(ca_file.c_str(), "r");
    const std::unique_ptr<X509, decltype(&X509_free)> root(PEM_read_X509(file, nullptr, nullptr, nullptr), X509_free);
    std::fclose(file);
    const std::string folder = new_folder();
    char name[16];
    std::snprintf(name, sizeof name, "%08lx.0", X509_subject_name_hash(root.get()));
    std::filesystem::copy_file(ca_file, folder + '/' + name);
    return folder;
  }
  std::optional<Certificate> ours;
};

TEST_F(TlsOptionsTest, AFolderOfCertificatesIsTrusted) {
  const std::uint16_t at = open();
  EXPECT_EQ(get(at).source, ResponseSource::tls) << "nobody vouches for it";
  tls().ca_path = folder_of(server.ca_file());
  EXPECT_EQ(get(at).body, "secret");
  tls().ca_path = new_folder();
  EXPECT_EQ(get(at).source, ResponseSource::tls);
}

TEST_F(TlsOptionsTest, APinnedKeyMustBeTheServersBesideAllElse) {
  const std::uint16_t at = open();
  tls().pinned_key = pin_of(*ours);
  EXPECT_EQ(get(at).source, ResponseSource::tls) << "the certificate is looked at all the same";
  tls().ca_file = server.ca_file();
  EXPECT_EQ(get(at).body, "secret");
  tls().pinned_key = pin_of(self_signed({.names = {"a.test"}}));
  EXPECT_EQ(get(at).source, ResponseSource::tls);
}

TEST_F(TlsOptionsTest, AnOlderTlsThanWantedIsRefused) {
  tls().ca_file = server.ca_file();
  const std::uint16_t at = open(TlsVersion::tls1_2);
  EXPECT_EQ(get(at).body, "secret");
  tls().min_version = robotrules::TlsVersion::tls1_3;
  EXPECT_EQ(get(at).source, ResponseSource::tls);
  EXPECT_EQ(get(open()).body, "secret");
}

TEST_F(TlsOptionsTest, CiphersAreThoseThatAreWanted) {
  tls().ca_file = server.ca_file();
  const std::uint16_t at = open(TlsVersion::tls1_2);
  tls().ciphers = "ECDHE-ECDSA-AES128-GCM-SHA256";
  EXPECT_EQ(get(at).body, "secret");
  tls().ciphers = "ECDHE-RSA-AES128-GCM-SHA256";  // which needs another key than the server's
  EXPECT_EQ(get(at).source, ResponseSource::tls);
  tls().ciphers = "no-such-cipher";
  EXPECT_EQ(get(at).source, ResponseSource::tls);
  tls().ciphers.clear();
  tls().ciphers_1_3 = "no-such-cipher";
  EXPECT_EQ(get(open()).source, ResponseSource::tls);
  tls().ciphers_1_3 = "TLS_AES_128_GCM_SHA256";
  EXPECT_EQ(get(open()).body, "secret");
}

TEST_F(TlsOptionsTest, ACrlFileThatCannotBeReadIsAnError) {
  tls().ca_file = server.ca_file();
  tls().crl_file = "/nonexistent/crl.pem";
  EXPECT_EQ(get(open()).source, ResponseSource::tls);
}

TEST_F(TlsOptionsTest, AKeyIsReadWithItsPassword) {
  tls().ca_file = server.ca_file();
  const std::string folder = new_folder();
  const Certificate mine = server.ca().issue({.names = {"client.test"}});
  tls().certificate_file = folder + "/mine.pem";
  tls().key_file = folder + "/mine.key";
  std::ofstream(tls().certificate_file) << mine.pem();
  std::FILE* file = std::fopen(tls().key_file.c_str(), "w");
  ASSERT_EQ(PEM_write_PKCS8PrivateKey(file, mine.key(), EVP_aes_256_cbc(), "word", 4, nullptr, nullptr), 1);
  std::fclose(file);
  const std::uint16_t at = open();
  tls().key_password = "word";
  EXPECT_EQ(get(at).body, "secret");
  tls().key_password = "other";
  EXPECT_EQ(get(at).source, ResponseSource::tls);
  tls().key_password.clear();
  EXPECT_EQ(get(at).source, ResponseSource::tls) << "nobody is asked for it";
}

TEST_F(TlsOptionsTest, TheClientsCertificateIsShownToASiteThatAsksForIt) {
  const std::uint16_t at = server.open({.tls = test::TlsOptions{.certificates = {*ours}, .asks_client = true}});
  tls().ca_file = server.ca_file();
  EXPECT_NE(get(at).body, "secret");
  const std::string folder = new_folder();
  const Certificate mine = server.ca().issue({.names = {"client.test"}});
  tls().certificate_file = folder + "/mine.pem";
  std::ofstream(tls().certificate_file) << mine.pem() << mine.key_pem();  // the key is in the same file
  EXPECT_EQ(get(at).body, "secret");
  EXPECT_EQ(seen(count() - 1).ends.client, "client.test");
}

TEST_F(TlsOptionsTest, ACertificateThatCannotBeUsedIsToldBeforeTheFirstRequest) {
  const std::string folder = new_folder();
  const Certificate mine = server.ca().issue({.names = {"client.test"}});
  const auto file = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder + '/' + name) << text;
    return folder + '/' + name;
  };
  const std::string certificate = file("mine.pem", mine.pem());
  const std::string key = file("mine.key", mine.key_pem());
  const std::string other = file("other.key", server.ca().issue({.names = {"client.test"}}).key_pem());
  const std::string locked = folder + "/locked.key";
  std::FILE* to = std::fopen(locked.c_str(), "w");
  ASSERT_EQ(PEM_write_PKCS8PrivateKey(to, mine.key(), EVP_aes_256_cbc(), "word", 4, nullptr, nullptr), 1);
  std::fclose(to);
  const struct {
    std::string certificate_file, key_file, password, sentence;
  } cases[] = {
      {"", "", "", ""},
      {certificate, key, "", ""},
      {certificate, locked, "word", ""},
      {file("both.pem", mine.pem() + mine.key_pem()), "", "", ""},
      {"/nowhere", key, "", "the client's certificate cannot be read from /nowhere: "},
      {key, key, "", "the client's certificate cannot be read from " + key + ": "},
      {certificate, "", "", "the private key of the client's certificate cannot be read from " + certificate + ": "},
      {certificate, "/nowhere", "", "the private key of the client's certificate cannot be read from /nowhere: "},
      {certificate, locked, "", "the private key of the client's certificate cannot be read from " + locked + ": "},
      {certificate, locked, "other", "the private key of the client's certificate cannot be read from " + locked},
      {certificate, other, "", "the private key in " + other + " does not belong to the certificate in " + certificate},
  };
  for (const auto& one : cases) {
    tls() = {};
    tls().certificate_file = one.certificate_file;
    tls().key_file = one.key_file;
    tls().key_password = one.password;
    const auto checked = check_client_certificate(tls());
    EXPECT_EQ(checked.ok(), one.sentence.empty()) << one.certificate_file << ' ' << one.key_file;
    if (checked) continue;
    EXPECT_EQ(checked.error().code, "invalid-certificate");
    EXPECT_TRUE(checked.error().message.starts_with(one.sentence)) << checked.error().message;
  }
}

TEST_F(TlsOptionsTest, TheEnvironmentNamesTheAuthorities) {
  ASSERT_EQ(::setenv("SSL_CERT_FILE", "/some/file.pem", 1), 0);
  ASSERT_EQ(::setenv("SSL_CERT_DIR", "/some/folder", 1), 0);
  const robotrules::TlsOptions known = tls_from_environment();
  ::unsetenv("SSL_CERT_FILE");
  ::unsetenv("SSL_CERT_DIR");
  EXPECT_EQ(known.ca_file, "/some/file.pem");
  EXPECT_EQ(known.ca_path, "/some/folder");
  EXPECT_EQ(tls_from_environment().ca_file, "");
}

TEST_F(TlsOptionsTest, TheAuthoritiesThatAreJudgedAreThoseThatAreUsed) {
  const std::string folder = new_folder();
  const struct {
    std::string file, path, sentence;
  } cases[] = {
      {"", "", ""},
      {server.ca_file(), "", ""},
      {server.ca_file(), "/nowhere", ""},
      {"", folder, ""},
      {"", "/nowhere:" + folder, ""},
      {"/nowhere", folder, "the certificate authorities for https cannot be read from /nowhere: "},
      {"", "/nowhere", "the certificate authorities for https cannot be read from the folder /nowhere: "},
  };
  for (const auto& one : cases) {
    tls() = {};
    tls().ca_file = one.file;
    tls().ca_path = one.path;
    const auto checked = check_certificate_authorities(tls());
    EXPECT_EQ(checked.ok(), one.sentence.empty()) << one.file << ' ' << one.path;
    if (!checked) {
      EXPECT_TRUE(checked.error().message.starts_with(one.sentence)) << checked.error().message;
    }
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
