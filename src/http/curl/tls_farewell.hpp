// Did the peer take its leave (TLS's close_notify) before the connection ended, or was the stream cut? libcurl 7.88
// takes both for the end of a body.
#pragma once

#include <curl/curl.h>

#include <memory>
#include <optional>

namespace robotrules::agent {

// Of one transfer. Where libcurl is built on another library than OpenSSL, nobody ever said farewell.
class TlsFarewell {
 public:
  // From now on connections that this handle makes are listened to.
  static void listen(CURL* easy) noexcept;

  // While the transfer has its connection.
  void remember_connection(CURL* easy) noexcept;
  // Of the connection that was remembered, which may be gone by now.
  bool was_said() const noexcept { return said_ != nullptr && *said_; }

 private:
  std::shared_ptr<bool> said_;  // shared with the connection; null: none
};

// Returns whether the connection of the transfer agreed on HTTP/2 (ALPN); null if that is not known.
std::optional<bool> tls_agreed_on_http2(CURL* easy) noexcept;

}  // namespace robotrules::agent
