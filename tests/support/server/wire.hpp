// The bytes of one connection, with or without TLS, counted. For the scripted server's own sources alone.
#pragma once

#include <openssl/ssl.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "support/server/asio.hpp"
#include "support/server/tls_context.hpp"

namespace robotrules::test {

// One reader and one writer at a time.
class Wire {
 public:
  // `tls`: null for none; outlives this.
  Wire(tcp::socket socket, const TlsContext* tls);

  // False: it failed, error() says why. Does nothing without TLS.
  awaitable<bool> handshake();
  // Up to `size` bytes; 0: the peer closed, or it broke.
  awaitable<std::size_t> read(char* to, std::size_t size);
  // False: the peer is gone. `bytes` must live until it is done.
  awaitable<bool> write(std::string_view bytes);
  // The end of our stream, with close_notify if `notify` and the listener's options say so.
  awaitable<void> half_close(bool notify = true);
  // RST.
  void reset();
  // What waits for the socket ends in error.
  void close();

  tcp::socket& socket() { return socket_; }
  bool peer_closed() const { return peer_closed_; }
  // Peeks: true if the peer's end is the next thing to be read.
  bool at_end();
  std::uint64_t bytes_in() const { return bytes_in_; }
  std::uint64_t bytes_out() const { return bytes_out_; }
  const std::string& error() const { return error_; }
  std::string sni() const;
  std::string tls_version() const;
  std::string alpn() const;
  std::string client() const;  // the common name in the client's certificate

 private:
  awaitable<bool> flush();                              // what TLS has to say, to the socket
  awaitable<bool> take();                               // from the socket into TLS
  awaitable<bool> write_plain(std::string_view bytes);  // to the socket as it is
  awaitable<std::size_t> read_plain(char* to, std::size_t size);
  void note_error(const char* what);

  tcp::socket socket_;
  const TlsContext* tls_;
  std::unique_ptr<SSL, void (*)(SSL*)> session_;
  bool shaken_ = false;
  bool peer_closed_ = false;
  bool write_failed_ = false;
  std::uint64_t bytes_in_ = 0;
  std::uint64_t bytes_out_ = 0;
  std::string error_;
};

}  // namespace robotrules::test
