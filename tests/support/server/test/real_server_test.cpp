// nginx and Apache httpd start, answer libcurl, write their logs and end.
#include <gtest/gtest.h>

#include "support/agent/curl_fetch.hpp"
#include "support/agent/plain_client.hpp"
#include "support/server/certificates.hpp"
#include "support/server/real_server.hpp"
#include "support/server/server.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

RealServer::Files files_of(const TestCa& ca) {
  const Certificate certificate = ca.issue({.names = {"a.test"}});
  return {{"www/robots.txt", "User-agent: *\nDisallow: /x\n"},
          {"ca.pem", ca.pem()},
          {"certificate.pem", certificate.pem()},
          {"key.pem", certificate.key_pem()}};
}

void expect_both_schemes(RealServer& real) {
  const CurlFetch::Got plain = CurlFetch{.url = url_of(real.port(), "/robots.txt")}.get();
  EXPECT_EQ(plain.body, "User-agent: *\nDisallow: /x\n") << plain.error << real.error_log();
  const CurlFetch::Got secure = CurlFetch{.url = url_of(real.port(1), "/robots.txt", "127.0.0.1", "https"),
                                          .ca_file = real.folder() + "/ca.pem",
                                          .http2 = true}
                                    .get();
  EXPECT_EQ(secure.body, plain.body) << secure.error << real.error_log();
  EXPECT_EQ(secure.version, CURL_HTTP_VERSION_2_0);
  ASSERT_TRUE(real.wait_for_log(2));
  const std::vector<std::string> log = real.access_log();
  EXPECT_NE(log[0].find(" " + std::to_string(real.port()) + " 127.0.0.1 "), std::string::npos) << log[0];
  EXPECT_NE(log[0].find("\"GET /robots.txt HTTP/1.1\" 200"), std::string::npos) << log[0];
  EXPECT_NE(log[1].find("\"GET /robots.txt HTTP/2.0\" 200"), std::string::npos) << log[1];
  EXPECT_GT(std::stod(log[0]), 1.7e9) << log[0];
  real.end();
  EXPECT_TRUE(PlainClient::refused(real.port()));
}

TEST(RealServer, Nginx) {
  RealServer nginx = RealServer::nginx(
      "server { listen 127.0.0.1:{port}; listen 127.0.0.1:{port1} ssl http2; root {folder}/www;\n"
      "ssl_certificate {folder}/certificate.pem; ssl_certificate_key {folder}/key.pem; }",
      files_of(TestCa()));
  if (!nginx.installed()) GTEST_SKIP() << nginx.why_not();
  ASSERT_TRUE(nginx.running()) << nginx.why_not();
  expect_both_schemes(nginx);
}

TEST(RealServer, Apache) {
  RealServer apache = RealServer::apache(
      "Listen 127.0.0.1:{port1}\nDocumentRoot {folder}/www\n<Directory {folder}/www>\nRequire all "
      "granted\n</Directory>\n"
      "<VirtualHost 127.0.0.1:{port1}>\nSSLEngine on\nProtocols h2 http/1.1\n"
      "SSLCertificateFile {folder}/certificate.pem\nSSLCertificateKeyFile {folder}/key.pem\n</VirtualHost>",
      files_of(TestCa()));
  if (!apache.installed()) GTEST_SKIP() << apache.why_not();
  ASSERT_TRUE(apache.running()) << apache.why_not();
  expect_both_schemes(apache);
}

TEST(RealServer, ABadConfigurationIsReportedNotWaitedFor) {
  const RealServer nginx = RealServer::nginx("no such directive {port};");
  if (!nginx.installed()) GTEST_SKIP() << nginx.why_not();
  EXPECT_FALSE(nginx.running());
  EXPECT_NE(nginx.why_not().find("unknown directive"), std::string::npos) << nginx.why_not();
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
