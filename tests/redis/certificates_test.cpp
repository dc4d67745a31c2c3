// The names in the certificate of a Redis server.
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include <robotrules/open_store.hpp>

#include "support/folder.hpp"
#include "support/server/server.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

// Any server will do: what it says after the handshake is not Redis, which is another error.
std::string code_with(const CertificateSpec& spec, const std::string& host,
                      std::chrono::milliseconds timeout = std::chrono::seconds(10)) {
  const TestCa ca;
  const TemporaryFolder folder;
  ScriptedServer server;
  TlsOptions tls;
  tls.certificates = {ca.issue(spec)};
  const std::uint16_t port = server.open({.tls = tls});
  const auto opened =
      open_store("rediss://" + host + ":" + std::to_string(port) + "?ca=" + folder.file("ca.pem", ca.pem()),
                 {.sqlite = {}, .server = {.timeout = timeout}});
  EXPECT_FALSE(opened.ok());
  return opened.ok() ? std::string() : std::string(opened.error().code);
}

TEST(RedisCertificates, NameTheServerAmongTheirAlternativeNames) {
  EXPECT_NE(code_with({.names = {"localhost"}, .addresses = {}}, "localhost", 500ms), "store-tls");
  EXPECT_NE(code_with({.names = {}, .addresses = {"127.0.0.1"}}, "127.0.0.1", 500ms), "store-tls");
  // RFC 9525 section 2: the common name is not looked at.
  EXPECT_EQ(code_with({.names = {}, .addresses = {}, .common_name = "localhost"}, "localhost"), "store-tls");
  EXPECT_EQ(code_with({.names = {}, .addresses = {"127.0.0.1"}, .common_name = "localhost"}, "localhost"), "store-tls");
  EXPECT_EQ(code_with({.names = {}, .addresses = {}, .common_name = "127.0.0.1"}, "127.0.0.1"), "store-tls");
  EXPECT_EQ(code_with({.names = {"other.test"}, .addresses = {}, .common_name = "localhost"}, "localhost"),
            "store-tls");
  // A wildcard is a whole label.
  EXPECT_EQ(code_with({.names = {"local*"}, .addresses = {}}, "localhost"), "store-tls");
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
