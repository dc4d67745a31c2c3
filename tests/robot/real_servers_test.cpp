// The agent against nginx and Apache httpd as Debian has them.
#include <robotrules/robot_ua.hpp>

#include "support/agent/loopback.hpp"
#include "support/server/certificates.hpp"
#include "support/server/real_server.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

class RealServers : public LocalAgent {
 protected:
  // A page of 20,000 bytes, and what TLS needs.
  RealServer::Files files() const {
    const Certificate certificate = ca.issue({.names = {"a.test"}});
    return {{"www/page.html", page}, {"www/secret/page.html", "inside"},     {"passwords", "user:{PLAIN}secret\n"},
            {"ca.pem", ca.pem()},    {"certificate.pem", certificate.pem()}, {"key.pem", certificate.key_pem()}};
  }
  UserAgent agent_for(const RealServer& real) {
    options.connection.tls.ca_file = real.folder() + "/ca.pem";
    options.credentials = {{"a.test:" + std::to_string(real.port()), "inside", "user", "secret"}};
    return UserAgent(options);
  }
  // What both must do.
  void expect_the_usual(const RealServer& real) {
    options.connection.http2 = true;
    UserAgent ua = agent_for(real);
    for (const bool secure : {false, true}) {
      const auto url = [&](std::string_view path) {
        return url_of(real.port(secure ? 1 : 0), path, "a.test", secure ? "https" : "http");
      };
      for (int turn = 0; turn < 3; ++turn) {
        const Response got = ua.get(url("/page.html"));
        EXPECT_EQ(got.body, page) << got.warning << real.error_log();
        EXPECT_EQ(got.headers.get("Content-Encoding"), "gzip");
        EXPECT_LT(got.bytes_received, got.body_size);
        EXPECT_EQ(got.http_version, secure ? 20 : 11);
      }
      const Response moved = ua.get(url("/moved"));
      EXPECT_EQ(moved.body, page) << moved.warning;
      EXPECT_EQ(moved.redirects().size(), 1U);
      EXPECT_EQ(ua.get(url("/missing")).code, 404);
      EXPECT_EQ(ua.head(url("/page.html")).code, 200);
      const Response again = ua.get(
          url("/page.html"),
          {{"If-Modified-Since", std::string(ua.head(url("/page.html")).headers.get("Last-Modified").value_or(""))}});
      EXPECT_EQ(again.code, 304);
      Request part;
      part.url = url("/page.html");
      part.max_size = 100;
      EXPECT_EQ(ua.request(part).body, page.substr(0, 100));
      EXPECT_EQ(ua.get(url("/page.html")).body, page);
    }
    EXPECT_EQ(ua.get(url_of(real.port(), "/secret/page.html", "a.test")).body, "inside");
    options.connection.http2 = false;
    EXPECT_EQ(agent_for(real).get(url_of(real.port(1), "/page.html", "a.test", "https")).http_version, 11);
    EXPECT_EQ(agent_for(real).get(url_of(real.port(1), "/", "b.test", "https")).source, ResponseSource::tls);
  }

  TestCa ca;
  const std::string page = "<html>" + std::string(20'000, 'x') + "</html>";
};

TEST_F(RealServers, Nginx) {
  const RealServer nginx = RealServer::nginx(
      "types { text/html html; }\ngzip on; gzip_min_length 1;\n"
      "limit_req_zone $binary_remote_addr zone=one:1m rate=1r/m;\n"
      "server { listen 127.0.0.1:{port}; listen 127.0.0.1:{port1} ssl http2; root {folder}/www;\n"
      "ssl_certificate {folder}/certificate.pem; ssl_certificate_key {folder}/key.pem;\n"
      "location /moved { return 301 /page.html; }\n"
      "location /secret/ { auth_basic inside; auth_basic_user_file {folder}/passwords; }\n"
      "location /limited { limit_req zone=one; limit_req_status 429; add_header Retry-After 7 always; "
      "alias {folder}/www/page.html; }\n"
      "location /count { default_type text/plain; return 200 $connection; } }",
      files());
  if (!nginx.installed()) GTEST_SKIP() << nginx.why_not();
  ASSERT_TRUE(nginx.running()) << nginx.why_not();
  expect_the_usual(nginx);
  options = local_options();
  UserAgent ua = agent_for(nginx);
  EXPECT_EQ(ua.get(url_of(nginx.port(), "/limited", "a.test")).code, 200);
  const Response limited = ua.get(url_of(nginx.port(), "/limited", "a.test"));
  EXPECT_EQ(limited.code, 429);
  EXPECT_EQ(limited.headers.get("Retry-After"), "7");
  const std::string connection = ua.get(url_of(nginx.port(), "/count", "a.test")).body;
  EXPECT_EQ(ua.get(url_of(nginx.port(), "/count", "a.test")).body, connection) << "kept alive";
}

// Only frames say where a body of HTTP/2 ends, and libcurl takes the reset of a stream for an end.
TEST_F(RealServers, NginxGivesOnlyPagesOverHttp2AndOnlyIfAsked) {
  for (const bool http2 : {false, true}) {
    RealServer::Files with_more = files();
    with_more.emplace_back("www/robots.txt", no_x);
    const RealServer nginx = RealServer::nginx(
        "server { listen 127.0.0.1:{port} ssl http2; root {folder}/www;\n"
        "ssl_certificate {folder}/certificate.pem; ssl_certificate_key {folder}/key.pem; }",
        with_more);
    if (!nginx.installed()) GTEST_SKIP() << nginx.why_not();
    ASSERT_TRUE(nginx.running()) << nginx.why_not();
    options.connection.tls.ca_file = nginx.folder() + "/ca.pem";
    options.connection.http2 = http2;
    RobotUA ua = new_robot();
    const std::string url = url_of(nginx.port(), "/page.html", "a.test", "https");
    EXPECT_EQ(ua.get(url).http_version, http2 ? 20 : 11);
    EXPECT_EQ(ua.get(url).http_version, http2 ? 20 : 11);
    Request sitemap;
    sitemap.url = url;
    sitemap.http1 = true;
    EXPECT_EQ(ua.request(sitemap).http_version, 11);
    ASSERT_TRUE(nginx.wait_for_log(4));
    const std::vector<std::string> log = nginx.access_log();
    EXPECT_NE(log[0].find("\"GET /robots.txt HTTP/1.1\" 200"), std::string::npos) << log[0];
  }
}

TEST_F(RealServers, NginxAsksARobotToWaitAndItDoes) {
  const RealServer nginx = RealServer::nginx(
      "limit_req_zone $binary_remote_addr zone=one:1m rate=1r/m;\n"
      "server { listen 127.0.0.1:{port}; root {folder}/www;\n"
      "location /page.html { limit_req zone=one; limit_req_status 429; add_header Retry-After 70 always; } }",
      files());
  if (!nginx.installed()) GTEST_SKIP() << nginx.why_not();
  ASSERT_TRUE(nginx.running()) << nginx.why_not();
  robot_options.use_sleep = false;
  RobotUA ua = new_robot();
  const std::string url = url_of(nginx.port(), "/page.html", "a.test");
  EXPECT_EQ(ua.get(url).code, 200);
  EXPECT_EQ(ua.get(url).code, 429);
  const Response held = ua.get(url_of(nginx.port(), "/other.html", "a.test"));
  EXPECT_EQ(held.source, ResponseSource::too_early) << held.warning;
  const auto wait = ua.host_wait(url);
  ASSERT_TRUE(wait);
  EXPECT_GT(wait.value(), std::chrono::seconds(60));
  EXPECT_LE(wait.value(), std::chrono::seconds(71));
  ASSERT_TRUE(nginx.wait_for_log(3));
  EXPECT_EQ(nginx.access_log().size(), 3U) << "robots.txt and two pages";
}

TEST_F(RealServers, Apache) {
  const RealServer apache = RealServer::apache(
      "Listen 127.0.0.1:{port1}\nDocumentRoot {folder}/www\nAddOutputFilterByType DEFLATE text/html\n"
      "DeflateAlterETag NoChange\nRedirect 302 /moved /page.html\n"
      "<Directory {folder}/www>\nRequire all granted\n</Directory>\n"
      "<Location /secret/>\nAuthType Basic\nAuthName inside\nAuthUserFile {folder}/apache_passwords\n"
      "Require valid-user\n</Location>\n"
      "<Location /digest/>\nAuthType Digest\nAuthName digest\nAuthDigestDomain /digest/\n"
      "AuthUserFile {folder}/digests\nRequire valid-user\n</Location>\n"
      "<VirtualHost 127.0.0.1:{port1}>\nSSLEngine on\nProtocols h2 http/1.1\n"
      "SSLCertificateFile {folder}/certificate.pem\nSSLCertificateKeyFile {folder}/key.pem\n</VirtualHost>",
      [this] {
        RealServer::Files all = files();
        all.emplace_back("www/digest/page.html", "by digest");
        all.emplace_back("digests", "user:digest:00e2ce2d6c1d120d6ed7920a5efadbed\n");
        all.emplace_back("apache_passwords", "user:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n");
        return all;
      }());
  if (!apache.installed()) GTEST_SKIP() << apache.why_not();
  ASSERT_TRUE(apache.running()) << apache.why_not();
  expect_the_usual(apache);

  const std::string by_digest = url_of(apache.port(), "/digest/page.html", "a.test");
  const auto with = [&](const std::string& password) {
    options.credentials = {{"a.test:" + std::to_string(apache.port()), "digest", "user", password}};
    return UserAgent(options);
  };
  UserAgent known = with("secret");
  for (int turn = 0; turn < 3; ++turn) {
    const Response page = known.get(by_digest);
    EXPECT_EQ(page.body, "by digest") << page.warning << apache.error_log();
    EXPECT_EQ(page.previous != nullptr, turn == 0) << "a challenge that is known is answered at once";
  }
  const Response refused = with("wrong").get(by_digest);
  EXPECT_EQ(refused.code, 401);
  EXPECT_TRUE(refused.headers.get("WWW-Authenticate").value_or("").starts_with("Digest"));
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
