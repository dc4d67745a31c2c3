// The scripted server's TLS, its proxy and its hostile bodies, as libcurl sees them.
#include <gtest/gtest.h>
#include <openssl/bio.h>
#include <openssl/ssl.h>

#include <array>
#include <cstdio>
#include <memory>

#include "support/agent/curl_fetch.hpp"
#include "support/agent/plain_client.hpp"
#include "support/server/bodies.hpp"
#include "support/server/server.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using std::chrono_literals::operator""h;

// A server whose every page is "secret", behind TLS as told.
class Secured {
 public:
  explicit Secured(const TlsOptions& options) : port_(server_.open({.tls = options})) {
    server_.on("", "/", reply("secret"));
  }
  CurlFetch::Got get(const std::string& host = "a.test") {
    return CurlFetch{.url = url_of(port_, "/", host, "https"),
                     .ca_file = server_.ca_file(),
                     .resolve = {host + ":" + std::to_string(port_) + ":127.0.0.1"}}
        .get();
  }
  ScriptedServer& server() { return server_; }
  std::string why() {
    EXPECT_TRUE(server_.witness().wait_for_closed(1));
    return server_.witness().connections().at(0).tls_error;
  }

 private:
  ScriptedServer server_;
  std::uint16_t port_;
};

TEST(ServerTls, ACertificateOfItsCaForWhateverNameIsAsked) {
  Secured secured{TlsOptions{}};
  for (const char* host : {"a.test", "b.test"}) {
    const CurlFetch::Got got = secured.get(host);
    EXPECT_EQ(got.code, CURLE_OK) << got.error;
    EXPECT_EQ(got.body, "secret");
  }
  const std::vector<SeenRequest> seen = secured.server().witness().requests();
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[1].ends.sni, "b.test");
  EXPECT_EQ(seen[1].ends.tls_version, "TLSv1.3");
  EXPECT_EQ(seen[1].ends.alpn, "http/1.1");
  EXPECT_TRUE(seen[1].ends.tls);
}

TEST(ServerTls, TheAddressItselfIsCoveredToo) {
  ScriptedServer server;
  const std::uint16_t port = server.listen("127.0.0.1", true);
  server.on("", "/", reply("secret"));
  const CurlFetch::Got got =
      CurlFetch{.url = url_of(port, "/", "127.0.0.1", "https"), .ca_file = server.ca_file()}.get();
  EXPECT_EQ(got.code, CURLE_OK) << got.error;
  ASSERT_EQ(server.witness().request_count(), 1U);
  EXPECT_EQ(server.witness().requests()[0].ends.sni, "");
}

TEST(ServerTls, TheCertificateIsChosenByName) {
  const TestCa ca;
  const Certificate one = ca.issue({.names = {"one.test"}});
  const Certificate two = ca.issue({.names = {"two.test", "*.two.test"}});
  EXPECT_TRUE(two.covers("www.two.test"));
  EXPECT_FALSE(two.covers("one.test"));
  ScriptedServer server;
  const std::string ca_file = server.ca_file() + ".other";
  std::FILE* file = std::fopen(ca_file.c_str(), "w");
  ASSERT_NE(file, nullptr);
  std::fputs(ca.pem().c_str(), file);
  std::fclose(file);
  const std::uint16_t port = server.open({.tls = TlsOptions{.certificates = {one, two}}});
  server.on("", "/", reply("secret"));
  for (const auto& [host, code] :
       {std::pair{"one.test", CURLE_OK}, std::pair{"two.test", CURLE_OK}, std::pair{"x.two.test", CURLE_OK},
        std::pair{"three.test", CURLE_PEER_FAILED_VERIFICATION}}) {
    const CurlFetch::Got got = CurlFetch{.url = url_of(port, "/", host, "https"),
                                         .ca_file = ca_file,
                                         .resolve = {std::string(host) + ":" + std::to_string(port) + ":127.0.0.1"}}
                                   .get();
    EXPECT_EQ(got.code, code) << host << ": " << got.error;
  }
}

TEST(ServerTls, BadCertificatesAreRefused) {
  ScriptedServer server;
  server.on("", "/", reply("secret"));
  const TestCa unknown("somebody else");
  const std::vector<std::pair<std::string, Certificate>> bad{
      {"self-signed", self_signed({.names = {"a.test"}})},
      {"unknown CA", unknown.issue({.names = {"a.test"}})},
      {"expired", server.ca().issue({.names = {"a.test"}, .from = -48h, .until = -24h})},
      {"not yet valid", server.ca().issue({.names = {"a.test"}, .from = 24h, .until = 48h})},
      {"wrong host", server.ca().issue({.names = {"b.test"}})}};
  for (const auto& [what, certificate] : bad) {
    const std::uint16_t port = server.open({.tls = TlsOptions{.certificates = {certificate}}});
    const CurlFetch::Got got = CurlFetch{.url = url_of(port, "/", "a.test", "https"),
                                         .ca_file = server.ca_file(),
                                         .resolve = {"a.test:" + std::to_string(port) + ":127.0.0.1"}}
                                   .get();
    EXPECT_EQ(got.code, CURLE_PEER_FAILED_VERIFICATION) << what << ": " << got.error;
  }
  EXPECT_EQ(server.witness().request_count(), 0U);
  // The same CA, host and dates as they should be: what was refused was refused for its one fault.
  const Certificate good = server.ca().issue({.names = {"a.test"}});
  const std::uint16_t port = server.open({.tls = TlsOptions{.certificates = {good}}});
  const CurlFetch::Got got = CurlFetch{.url = url_of(port, "/", "a.test", "https"),
                                       .ca_file = server.ca_file(),
                                       .resolve = {"a.test:" + std::to_string(port) + ":127.0.0.1"}}
                                 .get();
  EXPECT_EQ(got.code, CURLE_OK) << got.error;
}

TEST(ServerTls, OldVersionsAloneAreRefused) {
  Secured secured{TlsOptions{.least = TlsVersion::tls1_0, .most = TlsVersion::tls1_0}};
  EXPECT_EQ(secured.get().code, CURLE_SSL_CONNECT_ERROR);
  EXPECT_NE(secured.why(), "");
}

TEST(ServerTls, OneVersionOnly) {
  Secured secured{TlsOptions{.most = TlsVersion::tls1_2}};
  EXPECT_EQ(secured.get().code, CURLE_OK);
  EXPECT_EQ(secured.server().witness().requests().at(0).ends.tls_version, "TLSv1.2");
}

TEST(ServerTls, AHandshakeIsCutWhereToldTo) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{100}}) {
    Secured secured{TlsOptions{.cut_handshake = bytes}};
    EXPECT_EQ(secured.get().code, CURLE_SSL_CONNECT_ERROR) << bytes;
    EXPECT_EQ(secured.why(), "cut by the test");
    EXPECT_EQ(secured.server().witness().connections()[0].bytes_out, bytes);
  }
}

// OpenSSL's own client, which trusts anybody: libcurl 7.88 does not say how a stream ended.
class TlsClient {
 public:
  explicit TlsClient(std::uint16_t port) : context_(SSL_CTX_new(TLS_client_method()), SSL_CTX_free) {
    bio_.reset(BIO_new_ssl_connect(context_.get()));
    BIO_get_ssl(bio_.get(), &session_);
    SSL_set_quiet_shutdown(session_, 1);  // no word to a server that has gone: OpenSSL's sockets raise SIGPIPE
    BIO_set_conn_hostname(bio_.get(), ("127.0.0.1:" + std::to_string(port)).c_str());
  }
  bool connect() { return BIO_do_connect(bio_.get()) == 1 && BIO_do_handshake(bio_.get()) == 1; }
  void send(const std::string& bytes) { BIO_write(bio_.get(), bytes.data(), static_cast<int>(bytes.size())); }
  // Reads to the end. SSL_ERROR_ZERO_RETURN: there was a close_notify.
  int how_it_ends() {
    std::array<char, 1000> buffer;
    int count = 1;
    while (count > 0) count = SSL_read(session_, buffer.data(), static_cast<int>(buffer.size()));
    return SSL_get_error(session_, count);
  }

 private:
  std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context_;
  std::unique_ptr<BIO, void (*)(BIO*)> bio_{nullptr, BIO_free_all};
  SSL* session_ = nullptr;
};

TEST(ServerTls, AnEndWithoutCloseNotify) {
  ScriptedServer server;
  const std::uint16_t polite = server.open({.tls = TlsOptions{}});
  const std::uint16_t rude = server.open({.tls = TlsOptions{.close_notify = false}});
  const Reply endless{.body = "part", .length = false};
  server.on("", "/", endless);
  server.on("", "/cut", Script().send(endless).cut());
  const auto how_it_ends = [](std::uint16_t port, const std::string& target) {
    TlsClient client(port);
    EXPECT_TRUE(client.connect());
    client.send("GET " + target + " HTTP/1.1\r\n\r\n");
    return client.how_it_ends();
  };
  EXPECT_EQ(how_it_ends(polite, "/"), SSL_ERROR_ZERO_RETURN);
  EXPECT_EQ(how_it_ends(polite, "/cut"), SSL_ERROR_SSL);
  EXPECT_EQ(how_it_ends(rude, "/"), SSL_ERROR_SSL);
}

TEST(ServerTls, SilentBehindAHandshake) {
  ScriptedServer server;
  const std::uint16_t port = server.open({.manner = Manner::silent, .tls = TlsOptions{}});
  TlsClient client(port);
  ASSERT_TRUE(client.connect());
  server.drop_connections();
  EXPECT_NE(client.how_it_ends(), SSL_ERROR_ZERO_RETURN);
  ASSERT_TRUE(server.witness().wait_for_closed(1));
  EXPECT_EQ(server.witness().request_count(), 0U);
}

TEST(ServerTls, WhatIsNoTlsIsNoted) {
  ScriptedServer server;
  const std::uint16_t port = server.listen("127.0.0.1", true);
  PlainClient client(port);
  client.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
  client.read_all();
  client.half_close();
  ASSERT_TRUE(server.witness().wait_for_closed(1));
  EXPECT_NE(server.witness().connections()[0].tls_error.find("http request"), std::string::npos)
      << server.witness().connections()[0].tls_error;
  EXPECT_EQ(server.witness().request_count(), 0U);
}

TEST(ServerProxy, AnswersAbsoluteTargetsFromTheRoutes) {
  ScriptedServer server;
  const std::uint16_t proxy = server.open({.manner = Manner::proxy, .proxy_credentials = "me:secret"});
  server.on("a.test", "/x", reply("through"));
  CurlFetch fetch{.url = "http://a.test/x?y", .proxy = url_of(proxy)};
  EXPECT_EQ(fetch.get().status, 407);
  fetch.proxy_credentials = "me:secret";
  const CurlFetch::Got got = fetch.get();
  EXPECT_EQ(got.status, 200) << got.error;
  EXPECT_EQ(got.body, "through");
  const SeenRequest seen = server.witness().requests().back();
  EXPECT_EQ(seen.target, "http://a.test/x?y");
  EXPECT_EQ(seen.header("Proxy-Authorization"), "Basic bWU6c2VjcmV0");
}

TEST(ServerProxy, TunnelsToOurListenersAndWhereItIsTold) {
  ScriptedServer server;
  const std::uint16_t proxy = server.open({.manner = Manner::proxy});
  const std::uint16_t secure = server.listen("127.0.0.1", true);
  server.on("a.test", "/", reply("through"));
  server.tunnel("b.test:443", "127.0.0.1", secure);
  server.on("b.test", "/", reply(std::string(300'000, 'b')));
  CurlFetch fetch{.url = url_of(secure, "/", "a.test", "https"), .ca_file = server.ca_file(), .proxy = url_of(proxy)};
  EXPECT_EQ(fetch.get().body, "through");
  fetch.url = "https://b.test/";
  EXPECT_EQ(fetch.get().bytes, 300'000U);
  fetch.url = "https://c.test/";
  EXPECT_NE(fetch.get().code, CURLE_OK);
  ASSERT_TRUE(server.witness().wait_for(5));
  std::vector<std::string> asked;
  for (const SeenRequest& seen : server.witness().requests()) asked.push_back(seen.method + " " + seen.target);
  EXPECT_EQ(asked, (std::vector<std::string>{"CONNECT a.test:" + std::to_string(secure), "GET /", "CONNECT b.test:443",
                                             "GET /", "CONNECT c.test:443"}));
}

TEST(ServerBodies, LibcurlUnpacksThem) {
  ScriptedServer server;
  const std::uint16_t port = server.listen();
  const std::string rules = "User-agent: *\nDisallow: /x\n";
  const std::string large = bomb(Coding::gzip, 3'000'000, rules, '#');
  EXPECT_LT(large.size(), 10'000U);
  for (const Coding coding : {Coding::gzip, Coding::deflate, Coding::raw_deflate, Coding::brotli, Coding::zstd}) {
    const std::string name(name_of(coding));
    server.on("", "/", Reply{.headers = {{"Content-Encoding", name}}, .body = packed(coding, rules)});
    server.on("", "/bomb", Reply{.headers = {{"Content-Encoding", name}}, .body = bomb(coding, 3'000'000, rules, '#')});
    CurlFetch fetch{.url = url_of(port), .accept_encoding = name};
    EXPECT_EQ(fetch.get().body, rules) << name;
    fetch.url = url_of(port, "/bomb");
    const CurlFetch::Got got = fetch.get();
    EXPECT_EQ(got.bytes, 3'000'000 + rules.size()) << name;
    EXPECT_TRUE(got.body.starts_with(rules + "####")) << name;
  }
}

TEST(ServerBodies, FloodsAreWhatTheySay) {
  EXPECT_EQ(header_flood(2, 3), "X-Flood-1: vvv\r\nX-Flood-2: vvv\r\n");
  EXPECT_EQ(interim_flood(2), "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_EQ(chunked("abc", 2), "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n");
  EXPECT_EQ(unfinished_chunks("abc", 2), "2\r\nab\r\n1\r\nc\r\n");
  ScriptedServer server;
  const std::uint16_t port = server.listen();
  server.on("", "/headers", Script().send("HTTP/1.1 200 OK\r\n" + header_flood(100'000) + "\r\n"));
  server.on("", "/interim", Script().send(interim_flood(200)).send(reply("at last")));
  EXPECT_NE(CurlFetch{.url = url_of(port, "/headers")}.get().code, CURLE_OK);
  EXPECT_EQ(CurlFetch{.url = url_of(port, "/interim")}.get().body, "at last");
}

TEST(ScriptedServer, ContinuesWhereItIsExpectedTo) {
  ScriptedServer server;
  const std::uint16_t port = server.listen();
  server.on("", "/", reply("taken"));
  const CurlFetch::Got got = CurlFetch{.url = url_of(port), .body = std::string(3'000'000, 'p')}.get();
  EXPECT_EQ(got.body, "taken");
  const SeenRequest seen = server.witness().requests().at(0);
  EXPECT_EQ(seen.header("Expect"), "100-continue");
  EXPECT_EQ(seen.body_bytes, 3'000'000U);
  EXPECT_EQ(seen.body.size(), std::size_t{1} << 20);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
