#include "http/curl/tls_watcher.hpp"

#include <openssl/ssl.h>

#include <new>

namespace robotrules::agent {
namespace {

// Returns the SSL of the transfer's connection; null if there is none or libcurl uses another TLS library.
SSL* ssl_of(CURL* easy) {
  curl_tlssessioninfo* session = nullptr;
  if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || session == nullptr) return nullptr;
  return session->backend == CURLSSLBACKEND_OPENSSL ? static_cast<SSL*>(session->internals) : nullptr;
}

}  // namespace

// Returns the index of a Shared in each SSL_CTX. libcurl makes one for each connection, and frees it with it.
int TlsWatcher::place() noexcept {
  static const int index = SSL_CTX_get_ex_new_index(
      0, nullptr, nullptr, nullptr,
      [](void*, void* shared, CRYPTO_EX_DATA*, int, long, void*) { delete static_cast<Shared*>(shared); });
  return index;
}

TlsWatcher::Shared TlsWatcher::known_of(const SSL* ssl) noexcept {
  const auto* shared = static_cast<const Shared*>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), place()));
  return shared == nullptr ? nullptr : *shared;
}

// TLS authenticates alerts after the handshake, so an attacker cannot forge a close_notify. `value` has the level of an
// alert in its upper byte.
void TlsWatcher::on_info(const SSL* ssl, int where, int value) noexcept {
  const Shared known = (where & SSL_CB_ALERT) != 0 ? known_of(ssl) : nullptr;
  if (known == nullptr) return;
  const int alert = value & 0xff;
  const bool ends = value >> 8 == SSL3_AL_FATAL || alert == SSL_AD_USER_CANCELLED;
  if ((where & SSL_CB_WRITE) != 0) {
    if (ends) known->alert_sent = alert;
  } else if (alert == SSL_AD_CLOSE_NOTIFY) {
    known->close_notify = true;
  } else if (ends) {
    known->alert_received = alert;
  }
}

// libcurl has set up the context before this, and obeys the environment variable SSLKEYLOGFILE. Removing the callback
// keeps the keys secret.
CURLcode TlsWatcher::on_context(CURL*, void* context, void* self) noexcept {
  auto* const made = static_cast<SSL_CTX*>(context);
  SSL_CTX_set_info_callback(made, &on_info);
  SSL_CTX_set_keylog_callback(made, nullptr);
  Shared& own = static_cast<TlsWatcher*>(self)->known_;
  own.reset();
  try {
    auto shared = std::make_unique<Shared>(std::make_shared<Known>());
    if (place() < 0 || SSL_CTX_set_ex_data(made, place(), shared.get()) != 1) return CURLE_OK;
    own = *shared.release();
  } catch (const std::bad_alloc&) {  // then the end counts as cut
  }
  return CURLE_OK;
}

void TlsWatcher::watch(CURL* easy) noexcept {
  curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, &on_context);
  curl_easy_setopt(easy, CURLOPT_SSL_CTX_DATA, this);
}

void TlsWatcher::remember_connection(CURL* easy) noexcept {
  const SSL* const ssl = ssl_of(easy);
  known_ = ssl == nullptr ? nullptr : known_of(ssl);
}

std::optional<int> TlsWatcher::alert_received() const noexcept {
  return known_ == nullptr ? std::nullopt : known_->alert_received;
}

// OpenSSL answers the end of the connection with decode_error.
bool TlsWatcher::was_cut() const noexcept {
  return known_ != nullptr && !known_->alert_received &&
         known_->alert_sent.value_or(SSL_AD_DECODE_ERROR) == SSL_AD_DECODE_ERROR;
}

std::optional<bool> tls_agreed_on_http2(CURL* easy) noexcept {
  const SSL* ssl = ssl_of(easy);
  if (ssl == nullptr) return std::nullopt;
  const unsigned char* name = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(ssl, &name, &size);
  return size == 2 && name[0] == 'h' && name[1] == '2';
}

bool tls_has_pending(CURL* easy) noexcept {
  const SSL* ssl = ssl_of(easy);
  return ssl != nullptr && SSL_has_pending(ssl) == 1;
}

}  // namespace robotrules::agent
