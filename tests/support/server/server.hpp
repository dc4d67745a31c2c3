// A scripted HTTP server in the test's own process, on a thread of its own: it answers what a test tells it to, down to
// the single byte, and remembers all that was asked. Loopback only, free ports only.
//
//   ScriptedServer server;
//   const std::uint16_t port = server.listen();                          // http://127.0.0.1:port
//   const std::uint16_t secure = server.listen("127.0.0.1", true);       // https://, any name: the CA's own
//   certificates const std::uint16_t dead = server.refuse();                          // connections are refused const
//   std::uint16_t canary = server.open({.manner = Manner::silent}); server.on("a.test", "/robots.txt",
//   reply("User-agent: *\nDisallow:\n")); server.on("", "/bomb", Script().send("HTTP/1.1 200 OK\r\n\r\n").repeat("more
//   "));
//   ... fetch ...
//   ASSERT_TRUE(server.witness().wait_for(1));
//   EXPECT_EQ(server.witness().requests()[0].header("User-Agent"), "FooBot/1.0");
//   EXPECT_EQ(server.witness().connections_to(canary), 0);
//
// Routes. The host is that of an absolute target, else of the Host header, in whatever case: "a.test" is that host at
// any port, "a.test:81" at that port alone, "" any host. The path is a whole target ("/a?b"), a path whatever the query
// ("/a") or, with a star at its end, how the target begins ("/a*"). A given host goes before any host, a whole target
// before a path before the longest beginning; a later route of the same host and path replaces the earlier one.
// What has no route gets 404, and its `routed` is false. Replies keep the connection open as HTTP/1.1 says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/server/certificates.hpp"
#include "support/server/reply.hpp"
#include "support/server/witness.hpp"

namespace robotrules::test {

enum class TlsVersion { tls1_0, tls1_1, tls1_2, tls1_3 };

struct TlsOptions {
  // The first that covers the name asked for, else the first. Empty: the server's CA makes a good one for the name
  // asked for and the listener's address.
  std::vector<Certificate> certificates = {};
  TlsVersion least = TlsVersion::tls1_2;
  TlsVersion most = TlsVersion::tls1_3;
  std::vector<std::string> alpn = {"http/1.1"};   // in order of preference; with no match none is agreed on
  bool alert_without_match = false;               // true: with no match the handshake ends (alert 120)
  std::optional<std::size_t> cut_handshake = {};  // bytes of the handshake that are sent; then the end of the stream
  bool close_notify = true;                       // false: every orderly end lacks it
  bool asks_client = false;                       // only clients with a certificate of the server's CA are served
};

enum class Manner {
  http,    // answers from the routes
  proxy,   // the same for absolute targets, and CONNECT
  silent,  // accepts, after a TLS handshake if there is TLS, reads and never answers: hangs, and canaries
};

struct ListenOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  // 0: a free one; else that of an earlier listener, on another address
  Manner manner = Manner::http;
  std::optional<TlsOptions> tls = {};
  int send_buffer = 0;                 // bytes the kernel takes that the peer has not read; 0: the kernel's own choice
  std::string proxy_credentials = {};  // "user:password": a proxy answers 407 (Basic) without them
};

class ScriptedServer {
 public:
  ScriptedServer();
  // Ends all connections and its thread.
  ~ScriptedServer();
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  // A new listener; returns its port. Throws std::exception where the address cannot be had.
  std::uint16_t open(const ListenOptions& options);
  std::uint16_t listen(const std::string& address = "127.0.0.1", bool tls = false);
  // A port that refuses connections, held so that nobody else gets it while the server lives.
  std::uint16_t refuse(const std::string& address = "127.0.0.1");
  // Closes a listener: from now on its port refuses. Connections it accepted go on.
  void stop_listening(std::uint16_t port);
  // Ends all open connections, without a word.
  void drop_connections();

  void on(std::string_view host, std::string_view path, Handler handler);
  void forget_routes();

  // Where a proxy's CONNECT to `host_port` ("a.test:443") goes. Without one: to our own listener of that port, else
  // 502.
  void tunnel(const std::string& host_port, const std::string& address, std::uint16_t port);

  Witness& witness() { return witness_; }
  const Witness& witness() const { return witness_; }

  const TestCa& ca() const { return ca_; }
  std::string ca_pem() const { return ca_.pem(); }
  // A file with ca_pem(), for clients that take a path. It goes with the server.
  const std::string& ca_file() const { return ca_file_; }

 private:
  class Core;
  Witness witness_;
  TestCa ca_;
  std::string ca_file_;
  std::unique_ptr<Core> core_;
};

// "http://127.0.0.1:port/path"
std::string url_of(std::uint16_t port, std::string_view path = "/", std::string_view host = "127.0.0.1",
                   std::string_view scheme = "http");

}  // namespace robotrules::test
