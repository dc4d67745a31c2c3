#include "http/curl/curl_error.hpp"

#include <cerrno>

namespace robotrules::agent {
namespace {

TransferError meaning_of(CURLcode code) noexcept {
  switch (code) {
    case CURLE_OK: return TransferError::none;
    case CURLE_COULDNT_RESOLVE_HOST: return TransferError::resolve;
    case CURLE_COULDNT_CONNECT: return TransferError::connect;
    case CURLE_COULDNT_RESOLVE_PROXY: return TransferError::proxy;
    case CURLE_OPERATION_TIMEDOUT: return TransferError::timeout;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_SSL_CRL_BADFILE:
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH: return TransferError::certificate;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_ENGINE_NOTFOUND:
    case CURLE_SSL_ENGINE_SETFAILED:
    case CURLE_SSL_ENGINE_INITFAILED:
    case CURLE_SSL_SHUTDOWN_FAILED:
    case CURLE_SSL_CLIENTCERT:
    case CURLE_USE_SSL_FAILED: return TransferError::tls;
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_BAD_CONTENT_ENCODING: return TransferError::protocol;
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
    case CURLE_GOT_NOTHING: return TransferError::cut;
    case CURLE_INTERFACE_FAILED:  // this machine does not have the address of ConnectionOptions::local_address
    case CURLE_FAILED_INIT:
    case CURLE_OUT_OF_MEMORY: return TransferError::internal;
    case CURLE_WRITE_ERROR: return TransferError::stopped;
    case CURLE_READ_ERROR:
    case CURLE_SEND_FAIL_REWIND:
    case CURLE_ABORTED_BY_CALLBACK: return TransferError::request_body;
    default: return TransferError::other;
  }
}

// Returns true for what a SOCKS proxy says of the server: codes 2 to 8 (RFC 1928 section 6), and 91 of SOCKS 4.
bool is_about_server(CURLproxycode code) noexcept {
  switch (code) {
    case CURLPX_REPLY_NOT_ALLOWED:
    case CURLPX_REPLY_NETWORK_UNREACHABLE:
    case CURLPX_REPLY_HOST_UNREACHABLE:
    case CURLPX_REPLY_CONNECTION_REFUSED:
    case CURLPX_REPLY_TTL_EXPIRED:
    case CURLPX_REPLY_COMMAND_NOT_SUPPORTED:
    case CURLPX_REPLY_ADDRESS_TYPE_NOT_SUPPORTED:
    case CURLPX_REQUEST_FAILED:
    case CURLPX_RESOLVE_HOST: return true;  // SOCKS 4 and socks5:// resolve the name here
    default: return false;
  }
}

// Returns true if the proxy ended the connection or was silent after it had been asked for the server.
bool is_without_answer(CURLproxycode code) noexcept {
  switch (code) {
    case CURLPX_CLOSED:
    case CURLPX_RECV_ADDRESS:
    case CURLPX_RECV_AUTH:
    case CURLPX_RECV_CONNECT:
    case CURLPX_RECV_REQACK:
    case CURLPX_SEND_AUTH:
    case CURLPX_SEND_CONNECT:
    case CURLPX_SEND_REQUEST: return true;
    default: return false;
  }
}

bool is_of_tls(TransferError error) noexcept {
  return error == TransferError::tls || error == TransferError::certificate;
}

// The transfer failed before the proxy had connected to the server, or a proxy without tunnels carries it.
TransferError before_tunnel(const CurlEnd& end, TransferError error) noexcept {
  constexpr int proxy_authentication_required = 407;
  if (end.code == CURLE_PROXY) {
    if (is_without_answer(end.socks)) return TransferError::cut;
    return is_about_server(end.socks) ? TransferError::proxy_refused : TransferError::proxy;
  }
  if (end.connect_status == proxy_authentication_required) return TransferError::proxy;
  if (end.connect_status != 0) return TransferError::proxy_refused;
  if (is_of_tls(error) && end.is_proxy_tls) return TransferError::proxy;
  const bool is_unreached = error == TransferError::connect || error == TransferError::timeout;
  return is_unreached && !end.reached_proxy ? TransferError::proxy : error;
}

}  // namespace

TransferError error_of(const CurlEnd& end) noexcept {
  const TransferError error = meaning_of(end.code);
  if (end.code == CURLE_OUT_OF_MEMORY && end.in_head) return TransferError::protocol;  // 7.88: a head beyond its limit
  if (error == TransferError::connect && !lack_of(end.system_error).empty()) return TransferError::internal;
  if (error != TransferError::none && end.through_proxy && !end.tunnel) return before_tunnel(end, error);
  if (error == TransferError::tls && end.refused_http1) return TransferError::no_http1;
  const bool has_no_route = end.system_error == ENETUNREACH || end.system_error == ENETDOWN;
  return error == TransferError::connect && has_no_route ? TransferError::route : error;
}

std::string_view lack_of(int system_error) noexcept {
  switch (system_error) {
    case EMFILE:
    case ENFILE: return "the process cannot open more files: raise its limit (ulimit -n)";
    case EADDRNOTAVAIL: return "this machine has no free port, or no address, for the connection";
    case EPERM:
    case EACCES: return "this machine does not permit the connection: see its firewall";
    case ENOBUFS:
    case ENOMEM: return "this machine has no memory for the connection";
    default: return {};
  }
}

}  // namespace robotrules::agent
