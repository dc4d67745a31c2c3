// One exchange in libcurl's hands.
#pragma once

#include <curl/curl.h>

#include <memory>
#include <optional>
#include <string>

#include <robotrules/origin.hpp>
#include <robotrules/transport.hpp>

#include "agent/curl/tls_farewell.hpp"

namespace robotrules::agent {

// An easy handle with its callbacks; used for one exchange after the other.
class EasyTransfer {
 public:
  EasyTransfer();
  ~EasyTransfer();
  EasyTransfer(const EasyTransfer&) = delete;
  EasyTransfer& operator=(const EasyTransfer&) = delete;

  // False where there is no memory for it. `sweep`: its end forgets what names lead to where that is a minute old;
  // else it takes them as they are.
  bool prepare(Transfer transfer, TransferHandler& handler, Transport::Id id, bool sweep);
  // What libcurl's answer means.
  TransferHandler::Done result(CURLcode code) noexcept;
  void forget();

  CURL* easy() const noexcept { return easy_; }
  TransferHandler& handler() const noexcept { return *handler_; }
  Transport::Id id() const noexcept { return id_; }
  bool sweeps() const noexcept { return sweeps_; }

 private:
  bool set_up_connection(const ConnectionOptions& connection);
  void set_up_proxy();
  const std::string& proxy_for(bool secure) const;
  bool set_up_fields();
  bool set_up_method(const Transfer& transfer);
  std::string addresses_for(const Origin& origin) const;
  bool may_ask();
  bool may_connect(const std::string& address) const;
  TransferHandler::Done explained(CURLcode code) const;
  std::string peer() const;
  bool on_head_line(std::string_view line);
  static std::size_t on_header(char* octets, std::size_t one, std::size_t size, void* self) noexcept;
  static std::size_t on_data(char* octets, std::size_t one, std::size_t size, void* self) noexcept;
  static std::size_t on_read(char* to, std::size_t one, std::size_t room, void* self) noexcept;
  static int on_seek(void* self, curl_off_t offset, int origin) noexcept;
  static curl_socket_t on_open(void* self, curlsocktype purpose, curl_sockaddr* address) noexcept;
  static int on_debug(CURL* easy, curl_infotype type, char* octets, std::size_t size, void* self) noexcept;
  static int on_prerequest(void* self, char* remote, char* local, int remote_port, int local_port) noexcept;

  CURL* easy_;
  Transfer transfer_;
  TransferHandler* handler_ = nullptr;
  Transport::Id id_ = 0;
  bool sweeps_ = false;
  std::shared_ptr<const ConnectionOptions> set_up_for_;  // kept from one exchange to the next
  std::optional<bool> set_up_secure_;                    // the proxy is that of https
  curl_slist* fields_ = nullptr;                         // made of fields_from_, kept likewise
  Headers fields_from_;
  bool fields_of_body_ = false;
  curl_slist* addresses_ = nullptr;
  TlsFarewell farewell_;
  std::string refused_;          // an address that the guard refused, or the URL's host and port
  bool target_refused_ = false;  // by may_ask()
  bool sent_ = false;
  bool unanswered_ = false;   // libcurl wanted to send it again
  bool tells_heads_ = false;  // libcurl tells what it sends
  std::string request_head_;  // where asked for
  std::string response_head_;
  bool in_head_ = false;
  bool had_head_ = false;
  bool in_body_ = false;
  bool stopped_ = false;
  bool bad_request_body_ = false;
  bool threw_ = false;  // a callback, of the handler or of the request's body
  char error_[CURL_ERROR_SIZE] = {};
};

}  // namespace robotrules::agent
