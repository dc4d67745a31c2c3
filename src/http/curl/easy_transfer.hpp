// One exchange in libcurl.
#pragma once

#include <curl/curl.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include <robotrules/seams/transport.hpp>
#include <robotrules/url.hpp>

#include "http/curl/curl_error.hpp"
#include "http/curl/kept_sockets.hpp"
#include "http/curl/tls_watcher.hpp"

namespace robotrules::agent {

// An easy handle with its callbacks, for one exchange. It is never reused: before 8.1.0, libcurl keeps a pointer to the
// last field of the previous response, which is freed by then (docs/security.md).
class EasyTransfer {
 public:
  enum class Connection { any, new_one };
  // If `sweep` is true, the end of the transfer removes names older than a minute from libcurl's cache; otherwise the
  // names stay there. `sockets` must outlive the connections. Throws std::bad_alloc if libcurl refuses an option.
  EasyTransfer(Transfer transfer, TransferHandler& handler, Transport::Id id, bool sweep, KeptSockets& sockets,
               Connection connection = Connection::any);
  ~EasyTransfer();
  EasyTransfer(const EasyTransfer&) = delete;
  EasyTransfer& operator=(const EasyTransfer&) = delete;

  // Continues after the handler was not ready. Any code except CURLE_OK ends the transfer; libcurl does not report the
  // end again.
  CURLcode resume() noexcept;
  // Returns true if nothing was sent, because the kept connection cannot be used: something had come over it while it
  // was idle, or it goes to another address. Such a transfer begins again on a new connection.
  bool needs_new_connection() const noexcept { return is_unusable_ && !threw_; }
  Transfer take_transfer() noexcept { return std::move(transfer_); }
  // Returns the meaning of libcurl's code.
  TransferHandler::Done result(CURLcode code) noexcept;

  CURL* easy() const noexcept { return easy_.get(); }
  // Returns the host of the URL; empty if the URL has none.
  std::string host() const;
  // Counts the sockets that libcurl watches for this transfer.
  void count_socket(int change) noexcept { sockets_ += change; }
  // Call it when libcurl waits for bytes of a socket: then the socket is connected.
  void note_read(curl_socket_t socket) noexcept {
    is_connected_ = is_connected_ || std::find(opened_.begin(), opened_.end(), socket) != opened_.end();
  }
  // Returns true if there is none although the request was not sent.
  bool is_without_socket() const noexcept { return sockets_ == 0 && !sent_; }
  AddressFamily family() const noexcept { return transfer_.connection->family; }
  TransferHandler& handler() const noexcept { return handler_; }
  Transport::Id id() const noexcept { return id_; }
  bool sweeps() const noexcept { return sweeps_; }

 private:
  struct CleanUp {
    void operator()(CURL* easy) const noexcept { curl_easy_cleanup(easy); }
    void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
  };
  using List = std::unique_ptr<curl_slist, CleanUp>;

  // Sets an option; throws std::bad_alloc if libcurl refuses it.
  template <class T>
  void set(CURLoption option, T value) {
    if (curl_easy_setopt(easy_.get(), option, value) != CURLE_OK) throw std::bad_alloc();
  }
  static void append(List& list, const std::string& text);
  void set_up_callbacks();
  void set_up_connection();
  void set_up_method();
  void set_up_proxy();
  void set_up_fields();
  void set_up_addresses();
  void set_up_time();
  static constexpr long max_option_value = std::numeric_limits<int>::max();  // libcurl refuses larger numbers
  static long milliseconds(std::chrono::milliseconds time);
  void limit_time_of_body();
  void set_total_timeout(std::chrono::milliseconds limit) noexcept;
  bool pause() noexcept;
  std::string addresses_for(const Origin& origin) const;
  bool may_ask();
  void note_refusal(const std::string& address, std::uint16_t port);
  std::string refusal() const;
  std::string passing_handshake_failure() const;
  bool may_connect(const std::string& address) const;
  CurlEnd end_with(CURLcode code) const;
  TransferHandler::Done explained(CURLcode code) const;
  std::string sentence_of(CURLcode code) const;
  std::string peer() const;
  bool is_reused() const;
  bool was_connected() const;
  bool is_meant(const char* remote) const;
  bool is_silent(const std::string& ends) const;
  bool on_head_line(std::string_view line);
  bool is_agreed_version(int version) const;
  static std::size_t on_header(char* bytes, std::size_t one, std::size_t size, void* self) noexcept;
  static std::size_t on_data(char* bytes, std::size_t one, std::size_t size, void* self) noexcept;
  static std::size_t on_read(char* to, std::size_t one, std::size_t room, void* self) noexcept;
  static int on_seek(void* self, curl_off_t offset, int origin) noexcept;
  static curl_socket_t on_open(void* self, curlsocktype purpose, curl_sockaddr* address) noexcept;
  static int on_close(void* sockets, curl_socket_t socket) noexcept;
  static int on_debug(CURL* easy, curl_infotype type, char* bytes, std::size_t size, void* self) noexcept;
  static int on_prerequest(void* self, char* remote, char* local, int remote_port, int local_port) noexcept;

  Transfer transfer_;
  TransferHandler& handler_;
  Transport::Id id_;
  bool sweeps_;
  KeptSockets& kept_;
  std::vector<int> opened_;  // the sockets that were made for this transfer
  bool secure_;              // https
  std::string proxy_;        // empty: none
  List fields_;              // libcurl reads it as long as the handle lives
  List addresses_;           // as fields_
  std::unique_ptr<CURL, CleanUp> easy_;
  TlsWatcher tls_;
  // The addresses that the guard refused, or host and port of the URL.
  std::vector<std::string> refused_;
  bool target_refused_ = false;  // may_ask() refused the URL
  bool tried_address_ = false;   // a permitted address was tried, so the failure is not the guard's
  const char* fault_ = nullptr;  // what is wrong with the head of the response
  int sockets_ = 0;
  bool is_connected_ = false;  // to the server or the proxy, at some time
  bool sent_ = false;
  bool sent_over_kept_ = false;  // over a connection that an earlier transfer had used
  bool unanswered_ = false;      // libcurl wanted to send it again
  bool is_unusable_ = false;     // see needs_new_connection()
  std::string request_head_;     // if record_heads is set
  std::string response_head_;
  bool in_head_ = false;
  bool is_interim_ = false;  // that head is an interim one (1xx)
  bool is_redirect_ = false;
  bool set_cookie_ = false;  // the head has a Set-Cookie
  bool had_head_ = false;    // the final head is complete
  bool in_body_ = false;
  bool stopped_ = false;
  std::optional<std::chrono::steady_clock::time_point> paused_at_;
  std::chrono::milliseconds paused_for_{0};  // the time of earlier pauses
  bool bad_request_body_ = false;
  int open_error_ = 0;  // errno of a socket that could not be made; 0: none
  bool threw_ = false;  // a callback of the handler or of the request's body threw
  char error_[CURL_ERROR_SIZE] = {};
};

}  // namespace robotrules::agent
