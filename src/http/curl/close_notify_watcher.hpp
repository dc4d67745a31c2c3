// Detects whether the server ended a TLS connection with close_notify, or whether the stream was cut. libcurl 7.88
// treats both as the end of a body.
#pragma once

#include <curl/curl.h>

#include <memory>
#include <optional>

namespace robotrules::agent {

// The detector for one transfer. If libcurl does not use OpenSSL, close_notify is never reported.
class CloseNotifyWatcher {
 public:
  // Watches the connections that this handle makes from now on.
  static void watch(CURL* easy) noexcept;

  // Call it while the transfer has its connection.
  void remember_connection(CURL* easy) noexcept;
  // Returns whether close_notify came on the remembered connection. The connection may be closed by now.
  bool has_come() const noexcept { return came_ != nullptr && *came_; }

 private:
  std::shared_ptr<bool> came_;  // shared with the connection; null: none
};

// Returns whether the connection of the transfer agreed on HTTP/2 (ALPN); null if that is not known.
std::optional<bool> tls_agreed_on_http2(CURL* easy) noexcept;

}  // namespace robotrules::agent
