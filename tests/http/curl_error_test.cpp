// What libcurl reports, case by case, and the proxy that a request goes through.
#include "http/curl/curl_error.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>
#include <vector>

#include "http/curl/proxy_choice.hpp"

namespace robotrules::agent {
namespace {

struct Case {
  std::string name;
  CurlEnd end;
  TransferError error;
};

CurlEnd ended(CURLcode code, int system_error = 0) {
  CurlEnd end;
  end.code = code;
  end.system_error = system_error;
  return end;
}
CurlEnd in_head(CURLcode code) {
  CurlEnd end = ended(code);
  end.in_head = true;
  return end;
}
CurlEnd by_proxy(CURLcode code, bool reached = true, int connect_status = 0) {
  CurlEnd end = ended(code);
  end.through_proxy = true;
  end.reached_proxy = reached;
  end.connect_status = connect_status;
  end.tunnel = connect_status == 200;
  return end;
}
CurlEnd by_socks(CURLproxycode code) {
  CurlEnd end = by_proxy(CURLE_PROXY);
  end.socks = code;
  return end;
}
CurlEnd to_proxy_by_tls(CURLcode code, int connect_status = 0) {
  CurlEnd end = by_proxy(code, true, connect_status);
  end.is_proxy_tls = true;
  return end;
}
CurlEnd with_alert_120() {
  CurlEnd end = ended(CURLE_SSL_CONNECT_ERROR);
  end.refused_http1 = true;
  return end;
}

TEST(CurlError, IsAsTheTableSays) {
  const std::vector<Case> cases = {
      {"success", ended(CURLE_OK), TransferError::none},
      {"refused", ended(CURLE_COULDNT_CONNECT, ECONNREFUSED), TransferError::connect},
      {"no route", ended(CURLE_COULDNT_CONNECT, EHOSTUNREACH), TransferError::connect},
      {"no descriptors", ended(CURLE_COULDNT_CONNECT, EMFILE), TransferError::internal},
      {"no descriptors of the system", ended(CURLE_COULDNT_CONNECT, ENFILE), TransferError::internal},
      {"no ports", ended(CURLE_COULDNT_CONNECT, EADDRNOTAVAIL), TransferError::internal},
      {"a firewall", ended(CURLE_COULDNT_CONNECT, EPERM), TransferError::internal},
      {"a forbidden route", ended(CURLE_COULDNT_CONNECT, EACCES), TransferError::internal},
      {"no buffers", ended(CURLE_COULDNT_CONNECT, ENOBUFS), TransferError::internal},
      {"no ports for the proxy",
       [] {
         CurlEnd end = by_proxy(CURLE_COULDNT_CONNECT, false);
         end.system_error = EADDRNOTAVAIL;
         return end;
       }(),
       TransferError::internal},
      {"the errno of an earlier connection", ended(CURLE_GOT_NOTHING, EADDRNOTAVAIL), TransferError::cut},
      {"no memory", ended(CURLE_OUT_OF_MEMORY), TransferError::internal},
      {"a head beyond libcurl's limit", in_head(CURLE_OUT_OF_MEMORY), TransferError::protocol},
      {"a local address that is not there", ended(CURLE_INTERFACE_FAILED), TransferError::internal},
      {"a stream that is reset", ended(CURLE_HTTP2_STREAM), TransferError::cut},
      {"a connection of HTTP/2 that ends", ended(CURLE_HTTP2), TransferError::cut},
      {"alert 120", with_alert_120(), TransferError::no_http1},
      {"a cipher", ended(CURLE_SSL_CONNECT_ERROR), TransferError::tls},

      {"a dead proxy", by_proxy(CURLE_COULDNT_CONNECT, false), TransferError::proxy},
      {"a proxy whose name is not known", by_proxy(CURLE_COULDNT_RESOLVE_PROXY, false), TransferError::proxy},
      {"a proxy that drops packets", by_proxy(CURLE_OPERATION_TIMEDOUT, false), TransferError::proxy},
      {"a proxy that is silent", by_proxy(CURLE_OPERATION_TIMEDOUT), TransferError::timeout},
      {"CONNECT 407", by_proxy(CURLE_RECV_ERROR, true, 407), TransferError::proxy},
      {"CONNECT 403", by_proxy(CURLE_RECV_ERROR, true, 403), TransferError::proxy_refused},
      {"CONNECT 502", by_proxy(CURLE_RECV_ERROR, true, 502), TransferError::proxy_refused},
      {"CONNECT 504", by_proxy(CURLE_COULDNT_CONNECT, true, 504), TransferError::proxy_refused},
      {"a certificate in a tunnel", to_proxy_by_tls(CURLE_PEER_FAILED_VERIFICATION, 200), TransferError::certificate},
      {"the proxy's certificate", to_proxy_by_tls(CURLE_PEER_FAILED_VERIFICATION), TransferError::proxy},
      {"the proxy's handshake", to_proxy_by_tls(CURLE_SSL_CONNECT_ERROR), TransferError::proxy},
      {"a cut in a tunnel", by_proxy(CURLE_RECV_ERROR, true, 200), TransferError::cut},
      {"SOCKS 1", by_socks(CURLPX_REPLY_GENERAL_SERVER_FAILURE), TransferError::proxy},
      {"SOCKS without a method", by_socks(CURLPX_NO_AUTH), TransferError::proxy},
      {"SOCKS refuses the password", by_socks(CURLPX_USER_REJECTED), TransferError::proxy},
      {"SOCKS ends the connection", by_socks(CURLPX_CLOSED), TransferError::cut},
      {"SOCKS 2", by_socks(CURLPX_REPLY_NOT_ALLOWED), TransferError::proxy_refused},
      {"SOCKS 3", by_socks(CURLPX_REPLY_NETWORK_UNREACHABLE), TransferError::proxy_refused},
      {"SOCKS 4", by_socks(CURLPX_REPLY_HOST_UNREACHABLE), TransferError::proxy_refused},
      {"SOCKS 5", by_socks(CURLPX_REPLY_CONNECTION_REFUSED), TransferError::proxy_refused},
      {"SOCKS 6", by_socks(CURLPX_REPLY_TTL_EXPIRED), TransferError::proxy_refused},
      {"SOCKS 7", by_socks(CURLPX_REPLY_COMMAND_NOT_SUPPORTED), TransferError::proxy_refused},
      {"SOCKS 8", by_socks(CURLPX_REPLY_ADDRESS_TYPE_NOT_SUPPORTED), TransferError::proxy_refused},
      {"SOCKS 4: 91", by_socks(CURLPX_REQUEST_FAILED), TransferError::proxy_refused},
  };
  for (const Case& row : cases) {
    EXPECT_EQ(static_cast<int>(error_of(row.end)), static_cast<int>(row.error)) << row.name;
  }
}

struct Exempt {
  std::string host;
  std::string entry;
  bool is_exempt;
};

// As curl 7.88 reads NO_PROXY.
TEST(ProxyChoice, ExemptsAsCurlDoes) {
  const std::vector<Exempt> cases = {
      {"a.test", "a.test", true},
      {"a.test", "A.Test", true},
      {"www.a.test", "a.test", true},
      {"www.a.test", ".a.test", true},
      {"a.test", ".a.test", true},
      {"xa.test", "a.test", false},
      {"a.test", "www.a.test", false},
      {"a.test", "a.test.", true},
      {"a.test", "*", true},
      {"10.1.2.3", "*", true},
      {"a.test", ".", false},
      {"10.1.2.3", "10.1.2.3", true},
      {"10.1.2.3", "1.2.3", false},
      {"10.1.2.3", "10.0.0.0/8", true},
      {"11.1.2.3", "10.0.0.0/8", false},
      {"10.1.2.3", "10.1.2.0/31", false},
      {"10.1.2.3", "10.1.2.2/31", true},
      {"10.1.2.3", "0.0.0.0/0", true},
      {"10.1.2.3", "10.0.0.0/33", false},
      {"10.1.2.3", "10.0.0.0/", false},
      {"[2001:db8::1]", "2001:db8::/32", true},
      {"[2001:db8::1]", "2001:db9::/32", false},
      {"[2001:db8::1]", "2001:db8::1", true},
      {"[2001:db8::1]", "10.0.0.0/8", false},
      {"a.test", "10.0.0.0/8", false},
  };
  for (const Exempt& row : cases) {
    ProxyOptions options;
    options.http = "http://proxy:3128";
    options.exempt = {"other.test", row.entry};
    const auto origin = Origin::of("http://" + row.host + "/");
    ASSERT_TRUE(origin) << row.host;
    EXPECT_EQ(proxy_for(options, *origin), row.is_exempt ? "" : options.http) << row.host << ' ' << row.entry;
  }
}

TEST(ProxyChoice, ShowsNoPassword) {
  EXPECT_EQ(shown_proxy("http://me:p@ss@proxy:3128/"), "http://proxy:3128");
  EXPECT_EQ(shown_proxy("me:pass@proxy:3128"), "http://proxy:3128");
  EXPECT_EQ(shown_proxy("proxy"), "http://proxy");
  EXPECT_EQ(shown_proxy("socks5h://me:pass@[::1]:1080"), "socks5h://[::1]:1080");
}

}  // namespace
}  // namespace robotrules::agent
