// What libcurl reports at the end of a transfer, as the error of a transfer.
#pragma once

#include <curl/curl.h>

#include <string_view>

#include <robotrules/seams/transport.hpp>

namespace robotrules::agent {

// The facts that libcurl reports.
struct CurlEnd {
  CURLcode code = CURLE_OK;
  int system_error = 0;             // errno of the last connection that failed; 0: none
  bool in_head = false;             // a part of a head came
  bool through_proxy = false;       // a proxy is in use
  bool is_proxy_tls = false;        // the connection to the proxy uses TLS
  bool reached_proxy = false;       // a connection to the proxy stands
  bool tunnel = false;              // the proxy connected to the server
  int connect_status = 0;           // of the proxy's answer to CONNECT; 0: none
  CURLproxycode socks = CURLPX_OK;  // of a SOCKS proxy
  bool refused_http1 = false;       // the server ended the handshake because of its protocols (alert 120)
};

// Returns the error for what libcurl reports. Pure. The caller knows more about some errors, such as the address that
// the guard refused.
TransferError error_of(const CurlEnd& end) noexcept;

// Returns why this machine could make no connection: it lacks something, or forbids it. Empty for errors of the
// network and of servers. A view of a literal.
std::string_view lack_of(int system_error) noexcept;

}  // namespace robotrules::agent
