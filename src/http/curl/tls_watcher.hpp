// Facts about a TLS connection that libcurl 7.88 does not report: how it ended, why its handshake failed, and which
// version of HTTP the two sides agreed on.
#pragma once

#include <curl/curl.h>

#include <memory>
#include <optional>

struct ssl_st;  // OpenSSL's SSL

namespace robotrules::agent {

// Watches the connection of one transfer. If libcurl does not use OpenSSL, it sees nothing.
class TlsWatcher {
 public:
  // Watches the connections that this handle makes from now on. `this` must outlive the transfer.
  void watch(CURL* easy) noexcept;

  // Call it while the transfer has its connection, which an earlier transfer may have made.
  void remember_connection(CURL* easy) noexcept;
  // Returns whether close_notify came on the remembered connection. The connection may be closed by now. libcurl treats
  // an end without it as the end of a body too, although the stream may have been cut.
  bool has_close_notify() const noexcept { return known_ != nullptr && known_->close_notify; }

  // Returns the alert with which the server ended the handshake of the last connection; null if there was none.
  std::optional<int> alert_received() const noexcept;
  // Returns whether the last connection ended during its handshake without an alert from either side.
  bool was_cut() const noexcept;

 private:
  // Belongs to a connection, and to the transfers that use it.
  struct Known {
    bool close_notify = false;
    std::optional<int> alert_sent{};  // these two: fatal, or user_canceled
    std::optional<int> alert_received{};
  };
  using Shared = std::shared_ptr<Known>;
  static int place() noexcept;
  static Shared known_of(const ssl_st* ssl) noexcept;
  static void on_info(const ssl_st* ssl, int where, int value) noexcept;
  static CURLcode on_context(CURL* easy, void* context, void* self) noexcept;

  Shared known_;  // null: no connection was made or remembered
};

// Returns whether the connection of the transfer agreed on HTTP/2 (ALPN); null if that is not known.
std::optional<bool> tls_agreed_on_http2(CURL* easy) noexcept;

// Returns whether OpenSSL has received bytes on the connection of the transfer that libcurl has not read.
bool tls_has_pending(CURL* easy) noexcept;

}  // namespace robotrules::agent
