#include "http/curl/close_notify_watcher.hpp"

#include <openssl/ssl.h>

#include <new>

namespace robotrules::agent {
namespace {

using Shared = std::shared_ptr<bool>;  // stored on the heap, and freed by its SSL

void free_shared(void*, void* shared, CRYPTO_EX_DATA*, int, long, void*) { delete static_cast<Shared*>(shared); }

int place() {
  static const int index = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, &free_shared);
  return index;
}

// TLS authenticates alerts, so an attacker cannot forge one.
void on_info(const SSL* ssl, int where, int alert) {
  if ((where & SSL_CB_READ_ALERT) != SSL_CB_READ_ALERT || (alert & 0xff) != SSL_AD_CLOSE_NOTIFY) return;
  if (const auto* shared = static_cast<const Shared*>(SSL_get_ex_data(ssl, place()))) **shared = true;
}

// libcurl has set up the context before this, and obeys the environment variable SSLKEYLOGFILE. Removing the callback
// keeps the keys secret.
CURLcode on_context(CURL*, void* context, void*) {
  SSL_CTX_set_info_callback(static_cast<SSL_CTX*>(context), &on_info);
  SSL_CTX_set_keylog_callback(static_cast<SSL_CTX*>(context), nullptr);
  return CURLE_OK;
}

// Returns the SSL of the transfer's connection; null if there is none or libcurl uses another TLS library.
SSL* ssl_of(CURL* easy) {
  curl_tlssessioninfo* session = nullptr;
  if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || session == nullptr) return nullptr;
  return session->backend == CURLSSLBACKEND_OPENSSL ? static_cast<SSL*>(session->internals) : nullptr;
}

}  // namespace

std::optional<bool> tls_agreed_on_http2(CURL* easy) noexcept {
  const SSL* ssl = ssl_of(easy);
  if (ssl == nullptr) return std::nullopt;
  const unsigned char* name = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(ssl, &name, &size);
  return size == 2 && name[0] == 'h' && name[1] == '2';
}

void CloseNotifyWatcher::watch(CURL* easy) noexcept { curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, &on_context); }

void CloseNotifyWatcher::remember_connection(CURL* easy) noexcept {
  came_.reset();
  SSL* ssl = ssl_of(easy);
  if (ssl == nullptr || place() < 0) return;
  try {
    auto* known = static_cast<Shared*>(SSL_get_ex_data(ssl, place()));
    if (known == nullptr) {
      auto made = std::make_unique<Shared>(std::make_shared<bool>(false));
      if (SSL_set_ex_data(ssl, place(), made.get()) != 1) return;
      known = made.release();
    }
    came_ = *known;
  } catch (const std::bad_alloc&) {  // then the end counts as cut
  }
}

}  // namespace robotrules::agent
