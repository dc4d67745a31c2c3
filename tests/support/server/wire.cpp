#include "support/server/wire.hpp"

#include <openssl/err.h>
#include <sys/socket.h>

#include <array>
#include <stdexcept>
#include <vector>

namespace robotrules::test {

Wire::Wire(tcp::socket socket, const TlsContext* tls)
    : socket_(std::move(socket)), tls_(tls), session_(nullptr, SSL_free) {
  ErrorCode ignored;
  socket_.set_option(tcp::no_delay(true), ignored);
  if (tls_ == nullptr) return;
  session_.reset(SSL_new(tls_->get()));
  if (session_ == nullptr) throw std::runtime_error("no TLS session");
  SSL_set_accept_state(session_.get());
  SSL_set_bio(session_.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));  // it owns them
}

awaitable<bool> Wire::handshake() {
  if (session_ == nullptr) co_return true;
  for (;;) {
    ERR_clear_error();
    const int state = SSL_do_handshake(session_.get());
    const int wish = SSL_get_error(session_.get(), state);
    if (state != 1 && wish != SSL_ERROR_WANT_READ) note_error("handshake");
    const bool flushed = co_await flush();  // the alert that says why, too
    if (!flushed || (state != 1 && wish != SSL_ERROR_WANT_READ)) co_return false;
    if (state == 1) break;
    const bool taken = co_await take();
    if (!taken) {
      if (error_.empty()) error_ = "the peer closed during the handshake";
      co_return false;
    }
  }
  shaken_ = true;
  co_return true;
}

awaitable<std::size_t> Wire::read(char* to, std::size_t size) {
  if (session_ == nullptr || !shaken_) {  // behind a handshake that failed only the end is waited for
    const std::size_t count = co_await read_plain(to, size);
    co_return count;
  }
  for (;;) {
    ERR_clear_error();
    std::size_t count = 0;
    const int state = SSL_read_ex(session_.get(), to, size, &count);
    if (state == 1) co_return count;
    const int wish = SSL_get_error(session_.get(), state);
    if (wish != SSL_ERROR_WANT_READ) {
      peer_closed_ = true;
      if (wish != SSL_ERROR_ZERO_RETURN) note_error("read");
      co_return 0;
    }
    const bool taken = co_await take();
    if (!taken) co_return 0;
  }
}

awaitable<bool> Wire::write(std::string_view bytes) {
  if (session_ == nullptr) {
    const bool written = co_await write_plain(bytes);
    co_return written;
  }
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, 65'536);
    bytes.remove_prefix(piece.size());
    ERR_clear_error();
    std::size_t count = 0;
    if (SSL_write_ex(session_.get(), piece.data(), piece.size(), &count) != 1) {
      note_error("write");
      co_return false;
    }
    const bool flushed = co_await flush();
    if (!flushed) co_return false;
  }
  co_return true;
}

awaitable<void> Wire::half_close(bool notify) {
  if (session_ != nullptr && shaken_ && notify && tls_->options().close_notify) {
    ERR_clear_error();
    SSL_shutdown(session_.get());
    co_await flush();
  }
  ErrorCode ignored;
  socket_.shutdown(tcp::socket::shutdown_send, ignored);
}

void Wire::reset() {
  ErrorCode ignored;
  socket_.set_option(tcp::socket::linger(true, 0), ignored);
  socket_.close(ignored);
}

void Wire::close() {
  ErrorCode ignored;
  socket_.close(ignored);
}

bool Wire::at_end() {
  char byte = 0;
  if (!socket_.is_open()) return true;
  const ssize_t count = ::recv(socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  const bool nothing_yet = count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
  if (count <= 0 && !nothing_yet) peer_closed_ = true;
  return count <= 0 && !nothing_yet;
}

std::string Wire::sni() const {
  const char* name = session_ == nullptr ? nullptr : SSL_get_servername(session_.get(), TLSEXT_NAMETYPE_host_name);
  return name == nullptr ? "" : name;
}

std::string Wire::tls_version() const { return shaken_ ? SSL_get_version(session_.get()) : ""; }

std::string Wire::alpn() const {
  if (session_ == nullptr) return "";
  const unsigned char* data = nullptr;
  unsigned int size = 0;
  SSL_get0_alpn_selected(session_.get(), &data, &size);
  return {reinterpret_cast<const char*>(data), size};
}

std::string Wire::client() const {
  const X509* const shown = session_ == nullptr ? nullptr : SSL_get0_peer_certificate(session_.get());
  if (shown == nullptr) return "";
  std::array<char, 256> text{};
  X509_NAME_get_text_by_NID(X509_get_subject_name(shown), NID_commonName, text.data(), static_cast<int>(text.size()));
  return text.data();
}

awaitable<bool> Wire::flush() {
  BIO* const out = SSL_get_wbio(session_.get());
  std::string bytes(BIO_ctrl_pending(out), '\0');
  if (bytes.empty()) co_return true;
  BIO_read(out, bytes.data(), static_cast<int>(bytes.size()));
  const std::optional<std::size_t> cut = tls_->options().cut_handshake;
  const bool cut_here = cut.has_value() && bytes_out_ + bytes.size() > *cut;
  if (cut_here) bytes.resize(*cut > bytes_out_ ? *cut - bytes_out_ : 0);
  const bool written = co_await write_plain(bytes);
  if (cut_here) error_ = "cut by the test";
  co_return written && !cut_here;
}

awaitable<bool> Wire::take() {
  std::array<char, 16'384> buffer;
  const std::size_t count = co_await read_plain(buffer.data(), buffer.size());
  if (count > 0) BIO_write(SSL_get_rbio(session_.get()), buffer.data(), static_cast<int>(count));
  co_return count > 0;
}

awaitable<bool> Wire::write_plain(std::string_view bytes) {
  while (!bytes.empty()) {
    if (write_failed_) co_return false;  // Asio 1.74 would wait for a next one for ever
    ErrorCode error;
    const std::size_t count = co_await socket_.async_write_some(asio::buffer(bytes.data(), bytes.size()),
                                                                asio::redirect_error(asio::use_awaitable, error));
    bytes_out_ += count;
    bytes.remove_prefix(count);
    if (error) {
      write_failed_ = true;
      if (error != asio::error::operation_aborted) peer_closed_ = true;
      co_return false;
    }
  }
  co_return true;
}

awaitable<std::size_t> Wire::read_plain(char* to, std::size_t size) {
  ErrorCode error;
  const std::size_t count =
      co_await socket_.async_read_some(asio::buffer(to, size), asio::redirect_error(asio::use_awaitable, error));
  bytes_in_ += count;
  if (error && error != asio::error::operation_aborted) peer_closed_ = true;
  co_return error ? 0 : count;
}

void Wire::note_error(const char* what) {
  if (!error_.empty()) return;  // the first says why
  const unsigned long code = ERR_peek_error();
  std::array<char, 256> text;
  ERR_error_string_n(code, text.data(), text.size());
  error_ = std::string(what) + ": " + (code == 0 ? "the stream ended" : text.data());
}

}  // namespace robotrules::test
