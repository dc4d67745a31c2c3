#include "http/curl/easy_transfer.hpp"

#include <sys/socket.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "fields/redirect.hpp"
#include "fields/status_line.hpp"
#include "http/curl/cookie_state.hpp"
#include "http/curl/curl_error.hpp"
#include "http/curl/proxy_choice.hpp"
#include "http/curl/socket_address.hpp"
#include "http/ports.hpp"

namespace robotrules::agent {
EasyTransfer::EasyTransfer(Transfer transfer, TransferHandler& handler, Transport::Id id, bool sweep,
                           KeptSockets& sockets, Connection connection)
    : transfer_(std::move(transfer)),
      handler_(handler),
      id_(id),
      sweeps_(sweep),
      kept_(sockets),
      secure_(transfer_.url.starts_with("https:")),
      easy_(curl_easy_init()) {
  if (easy_ == nullptr) throw std::bad_alloc();
  // These methods usually have a body, so "Content-Length: 0" is sent (RFC 9110 section 8.6).
  const std::string& method = transfer_.method;
  if (transfer_.body == nullptr && (method == "POST" || method == "PUT" || method == "PATCH")) {
    transfer_.body = body_of(std::string());
  }
  if (const auto origin = Origin::of(transfer_.url)) proxy_ = proxy_for(transfer_.connection->proxy, *origin);
  target_refused_ = !may_ask();
  set_up_callbacks();
  set_up_connection();
  set_up_method();
  set_up_proxy();
  set_up_fields();
  set_up_addresses();
  set_up_time();
  if (connection == Connection::new_one || transfer_.new_connection) set(CURLOPT_FRESH_CONNECT, 1L);
  if (transfer_.cookies != nullptr) {
    set(CURLOPT_SHARE, transfer_.cookies->state().share);
    set(CURLOPT_COOKIEFILE, "");
  }
  set(CURLOPT_URL, transfer_.url.c_str());
}

EasyTransfer::~EasyTransfer() = default;

bool EasyTransfer::on_head_line(std::string_view line) {
  // libcurl ends a head at each line that begins with CR or LF. "\r\r\n" is recorded as the empty line that libcurl
  // takes it for.
  const bool is_head_end = line.starts_with('\r') || line.starts_with('\n');
  const std::string_view bytes = line.starts_with('\r') ? "\r\n" : line;
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  if (in_body_ || had_head_) return handler_.field(line);  // a trailer is only counted
  if (transfer_.record_heads) {
    if (!in_head_) response_head_.clear();  // an interim head came before
    response_head_ += bytes;
  }
  if (!in_head_) {
    const auto read = read_status_line(line);
    if (!read) {
      fault_ = "the response does not begin with a status line";
      return false;
    }
    if (!is_agreed_version(read->version)) {
      fault_ = "the server answered in a version of HTTP that was not negotiated";
      return false;
    }
    in_head_ = true;
    is_interim_ = read->status < 200;
    is_redirect_ = is_redirect_status(read->status);
    return handler_.head_line(read->status, read->reason, read->version);
  }
  if (is_head_end) {
    in_head_ = false;
    had_head_ = !is_interim_;
    if (std::exchange(set_cookie_, false)) transfer_.cookies->state().keep_host_only(transfer_.url);
    if (secure_) tls_.remember_connection(easy());
    if (had_head_ && is_redirect_) limit_time_of_body();
    return handler_.head_end();
  }
  if (transfer_.cookies != nullptr && base::starts_with_ignore_case(line, "Set-Cookie:")) set_cookie_ = true;
  return handler_.field(line);
}

void EasyTransfer::limit_time_of_body() {
  if (transfer_.redirect_timeout.count() == 0) return;
  curl_off_t so_far = 0;  // microseconds
  if (curl_easy_getinfo(easy(), CURLINFO_TOTAL_TIME_T, &so_far) != CURLE_OK) return;
  const auto limit = std::chrono::milliseconds(so_far / 1'000 + 1) + transfer_.redirect_timeout;
  if (transfer_.total_timeout.count() > 0 && transfer_.total_timeout <= limit) return;
  transfer_.total_timeout = limit;
  set_total_timeout(limit);
}

// libcurl checks a new limit only when something happens, or once a second if there is a limit on silence or speed.
void EasyTransfer::set_total_timeout(std::chrono::milliseconds limit) noexcept {
  curl_easy_setopt(easy_.get(), CURLOPT_TIMEOUT_MS, milliseconds(limit));
  const bool has_none = transfer_.idle_timeout.count() == 0 && transfer_.min_rate == 0;
  if (has_none) curl_easy_setopt(easy_.get(), CURLOPT_LOW_SPEED_TIME, max_option_value);
}

// Only ALPN of TLS negotiates HTTP/2. Before 8.8.0, libcurl believes a status line that claims it.
bool EasyTransfer::is_agreed_version(int version) const {
  if (!secure_) return version < 20;
  const auto agreed = tls_agreed_on_http2(easy());
  return !agreed || *agreed == (version >= 20);
}

std::size_t EasyTransfer::on_header(char* bytes, std::size_t, std::size_t size, void* self) noexcept {
  auto& transfer = *static_cast<EasyTransfer*>(self);
  try {
    if (transfer.on_head_line({bytes, size})) return size;
    transfer.stopped_ = true;
  } catch (...) {
    transfer.threw_ = true;
  }
  return size == 0 ? 1 : 0;
}

// libcurl keeps the received bytes and reads no more. Its limits on silence and speed do not count a pause. Its limit
// on the whole time does, so it is switched off until resume().
bool EasyTransfer::pause() noexcept {
  if (paused_at_) return true;
  if (curl_easy_setopt(easy_.get(), CURLOPT_TIMEOUT_MS, 0L) != CURLE_OK) return false;
  paused_at_ = std::chrono::steady_clock::now();
  return true;
}

CURLcode EasyTransfer::resume() noexcept {
  if (!paused_at_) return CURLE_OK;
  const auto now = std::chrono::steady_clock::now();
  paused_for_ += std::chrono::ceil<std::chrono::milliseconds>(now - *paused_at_);
  paused_at_.reset();
  if (transfer_.total_timeout.count() > 0) set_total_timeout(transfer_.total_timeout + paused_for_);
  return curl_easy_pause(easy_.get(), CURLPAUSE_CONT);
}

std::size_t EasyTransfer::on_data(char* bytes, std::size_t, std::size_t size, void* self) noexcept {
  auto& transfer = *static_cast<EasyTransfer*>(self);
  transfer.in_body_ = true;
  try {
    if (!transfer.handler_.is_ready() && transfer.pause()) return CURL_WRITEFUNC_PAUSE;
    if (transfer.handler_.data({bytes, size})) return size;
    transfer.stopped_ = true;
  } catch (...) {
    transfer.threw_ = true;
  }
  return size == 0 ? 1 : 0;
}

std::size_t EasyTransfer::on_read(char* to, std::size_t one, std::size_t room, void* self) noexcept {
  auto& transfer = *static_cast<EasyTransfer*>(self);
  try {
    if (!transfer.bad_request_body_ && transfer.transfer_.body != nullptr) {
      if (const auto read = transfer.transfer_.body->read(to, one * room)) return *read;
    }
  } catch (...) {
    transfer.threw_ = true;
  }
  transfer.bad_request_body_ = true;
  return CURL_READFUNC_ABORT;
}

int EasyTransfer::on_seek(void* self, curl_off_t offset, int) noexcept {
  auto& transfer = *static_cast<EasyTransfer*>(self);
  if (offset != 0 || transfer.transfer_.body == nullptr) return CURL_SEEKFUNC_CANTSEEK;
  try {
    if (transfer.transfer_.body->rewind()) return CURL_SEEKFUNC_OK;
  } catch (...) {
    transfer.threw_ = true;
  }
  return CURL_SEEKFUNC_FAIL;
}

// Returns whether the host and port of the URL may be requested. If there is a proxy, the connection goes to the proxy,
// so no later check sees the URL's address. Without a proxy, may_connect() checks the address.
bool EasyTransfer::may_ask() {
  const ConnectionOptions& connection = *transfer_.connection;
  const auto origin = Origin::of(transfer_.url);
  refused_ = {origin ? origin->host + ':' + std::to_string(origin->port) : transfer_.url};
  if (!origin) return false;
  if (!connection.permits_port(origin->port)) return false;
  if (!proxy_.empty()) {
    const std::vector<Address> known = addresses_in(origin->host);
    const bool permitted = std::any_of(known.begin(), known.end(),
                                       [&](const Address& address) { return connection.guard.permits(address.bytes); });
    if (!known.empty() && !permitted) return false;
  }
  refused_.clear();
  return true;
}

void EasyTransfer::note_refusal(const std::string& address, std::uint16_t port) {
  constexpr std::size_t max_named = 4;
  if (target_refused_ || refused_.size() >= max_named) return;
  std::string name = with_port(address, port);
  if (std::find(refused_.begin(), refused_.end(), name) == refused_.end()) refused_.push_back(std::move(name));
}

// Returns "the addresses 127.0.0.1:80 and [::1]:80 are not allowed".
std::string EasyTransfer::refusal() const {
  const bool several = refused_.size() > 1;
  std::string text = several ? "the addresses " : "the address ";
  for (const std::string& name : refused_) text += (&name == &refused_.front() ? "" : " and ") + name;
  return text + (several ? " are not allowed" : " is not allowed");
}

bool EasyTransfer::may_connect(const std::string& address) const {
  return !target_refused_ && !address.empty() && transfer_.connection->guard.permits(address);
}

// Called before each connection, with the address that libcurl will connect to, whatever the URL is.
curl_socket_t EasyTransfer::on_open(void* self, curlsocktype, curl_sockaddr* address) noexcept {
  auto& transfer = *static_cast<EasyTransfer*>(self);
  // libcurl wants to send the request again: see on_prerequest(). Through a proxy, the new connection still tells
  // whether the proxy or the server has ended the one before (end_with()).
  if (transfer.sent_ && transfer.proxy_.empty()) {
    transfer.unanswered_ = true;
    return CURL_SOCKET_BAD;
  }
  try {
    const Address to = address_of(&address->addr);
    if (!transfer.may_connect(to.bytes)) {
      const std::uint16_t port = to.bytes.empty() ? std::uint16_t{0} : port_of(&address->addr);
      transfer.note_refusal(to.text, port);
      return CURL_SOCKET_BAD;
    }
  } catch (...) {
    transfer.threw_ = true;
    return CURL_SOCKET_BAD;
  }
  transfer.tried_address_ = true;
  const int made = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
  if (made < 0) {
    transfer.open_error_ = errno;
    return made;
  }
  try {
    transfer.opened_.push_back(made);
  } catch (const std::bad_alloc&) {  // then its connection is not used again
  }
  return made;
}

// May be called after the transfer has gone.
int EasyTransfer::on_close(void* sockets, curl_socket_t socket) noexcept {
  static_cast<KeptSockets*>(sockets)->close(socket);
  return 0;
}

// Only this callback sees the head of a request with the fields that libcurl adds.
int EasyTransfer::on_debug(CURL*, curl_infotype type, char* bytes, std::size_t size, void* self) noexcept {
  auto& transfer = *static_cast<EasyTransfer*>(self);
  if (type != CURLINFO_HEADER_OUT) return 0;
  try {
    transfer.request_head_.append(bytes, size);
  } catch (...) {
    transfer.threw_ = true;
  }
  return 0;
}

// Called before each request, also if it reuses a connection.
int EasyTransfer::on_prerequest(void* self, char* remote, char* local, int remote_port, int local_port) noexcept {
  auto& transfer = *static_cast<EasyTransfer*>(self);
  if (transfer.bad_request_body_) return CURL_PREREQFUNC_ABORT;
  // libcurl itself repeats a request that a reused connection did not answer. The agent must decide whether and when to
  // repeat it, so libcurl is stopped here.
  if (std::exchange(transfer.sent_, true)) {
    transfer.unanswered_ = true;
    return CURL_PREREQFUNC_ABORT;
  }
  transfer.sent_over_kept_ = transfer.is_reused();
  transfer.request_head_.clear();  // it holds the CONNECT for a proxy
  try {
    const std::string ends = KeptSockets::ends(remote, remote_port, local, local_port);
    if (!transfer.sent_over_kept_) {
      transfer.kept_.remember(ends, transfer.opened_, local_port);
    } else if (!transfer.is_meant(remote) || !transfer.is_silent(ends)) {
      transfer.is_unusable_ = true;
      return CURL_PREREQFUNC_ABORT;
    }
    const Address to = address_of(remote);
    if (transfer.may_connect(to.bytes)) return CURL_PREREQFUNC_OK;
    transfer.note_refusal(to.text, static_cast<std::uint16_t>(remote_port));
  } catch (...) {
    transfer.threw_ = true;
  }
  return CURL_PREREQFUNC_ABORT;
}

bool EasyTransfer::is_reused() const {
  long made = 0;
  return curl_easy_getinfo(easy(), CURLINFO_NUM_CONNECTS, &made) == CURLE_OK && made == 0;
}

// Returns false if a kept connection goes to an address that the gate was not asked for.
bool EasyTransfer::is_meant(const char* remote) const {
  const std::vector<std::string>& meant = transfer_.addresses;
  if (meant.empty() || !proxy_.empty()) return true;
  const std::string bytes = address_of(remote).bytes;
  return std::ranges::any_of(meant, [&](const std::string& one) { return address_of(one.c_str()).bytes == bytes; });
}

// Returns false if something has come over a kept connection since the last response: it would be taken for the
// response to this request. libcurl looks for the end of such a connection, but not for data. HTTP/2 has a number for
// each response, and servers send frames at any time.
bool EasyTransfer::is_silent(const std::string& ends) const {
  if (secure_ && tls_agreed_on_http2(easy()).value_or(false)) return true;
  const int socket = kept_.find(ends);
  if (socket < 0) return false;
  char byte = 0;
  const bool has_none =
      recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  return has_none && !(secure_ && tls_has_pending(easy()));
}

std::string EasyTransfer::host() const {
  const auto origin = Origin::of(transfer_.url);
  return origin ? origin->host : std::string();
}

std::string EasyTransfer::peer() const {
  char* address = nullptr;
  long port = 0;
  if (curl_easy_getinfo(easy(), CURLINFO_PRIMARY_IP, &address) != CURLE_OK || address == nullptr || *address == '\0') {
    return {};
  }
  curl_easy_getinfo(easy(), CURLINFO_PRIMARY_PORT, &port);
  return with_port(address, static_cast<std::uint16_t>(port));
}

bool EasyTransfer::was_connected() const {
  curl_off_t time = 0;
  return sent_ || (curl_easy_getinfo(easy(), CURLINFO_CONNECT_TIME_T, &time) == CURLE_OK && time > 0);
}

TransferHandler::Done EasyTransfer::result(CURLcode code) noexcept {
  try {
    TransferHandler::Done how = explained(code);
    how.request_head = std::move(request_head_);
    how.response_head = std::move(response_head_);
    return how;
  } catch (...) {
    return {TransferError::internal, {}, {}};
  }
}

// Returns why the TLS handshake failed, if it may succeed another time; empty for a certificate, a version or a cipher.
std::string EasyTransfer::passing_handshake_failure() const {
  constexpr int internal_error = 80, user_canceled = 90;  // RFC 8446 section 6
  const auto alert = tls_.alert_received();
  if (alert == internal_error || alert == user_canceled) {
    return "the server ended the TLS handshake with the alert " + std::to_string(*alert) +
           (alert == internal_error ? " (internal error)" : " (canceled)");
  }
  return tls_.was_cut() ? "the connection ended during the TLS handshake" : "";
}

// Returns libcurl's sentence. If it quotes a URL, such as that of the proxy with its password, returns the meaning of
// the code instead.
std::string EasyTransfer::sentence_of(CURLcode code) const {
  const std::string_view said = static_cast<const char*>(error_);
  const bool quotes_proxy = !proxy_.empty() && said.find(proxy_) != std::string_view::npos;
  const bool is_shown = !said.empty() && said.find("://") == std::string_view::npos && !quotes_proxy;
  return is_shown ? std::string(said) : curl_easy_strerror(code);
}

CurlEnd EasyTransfer::end_with(CURLcode code) const {
  constexpr int no_application_protocol = 120;  // RFC 7301 section 3.2
  const auto number_of = [this](CURLINFO info) {
    long value = 0;
    curl_easy_getinfo(easy(), info, &value);
    return static_cast<int>(value);
  };
  CurlEnd end;
  end.code = code;
  end.in_head = in_head_;
  end.system_error = open_error_ != 0 ? open_error_ : number_of(CURLINFO_OS_ERRNO);
  end.refused_http1 = tls_.alert_received() == no_application_protocol;
  if (proxy_.empty()) return end;
  // libcurl may have had a kept connection before, and its facts remain.
  const bool is_connected = code != CURLE_COULDNT_CONNECT && code != CURLE_COULDNT_RESOLVE_PROXY;
  end.through_proxy = true;
  end.is_proxy_tls = base::starts_with_ignore_case(proxy_, "https:");
  end.reached_proxy = is_connected && is_connected_;
  end.connect_status = is_connected ? number_of(CURLINFO_HTTP_CONNECTCODE) : 0;
  end.socks = static_cast<CURLproxycode>(number_of(CURLINFO_PROXY_ERROR));
  const bool is_socks = base::starts_with_ignore_case(proxy_, "socks");
  const bool is_handshake = code == CURLE_SSL_CONNECT_ERROR || code == CURLE_PEER_FAILED_VERIFICATION;
  const bool was_sent = sent_ && sent_over_kept_ == is_reused();  // not over a connection before
  const bool has_connected = end.connect_status / 100 == 2 || (is_socks && secure_ && is_handshake);
  end.tunnel = (is_socks || secure_) && is_connected && code != CURLE_PROXY && (was_sent || has_connected);
  return end;
}

TransferHandler::Done EasyTransfer::explained(CURLcode code) const {
  TransferHandler::Done how;
  const CurlEnd end = end_with(code);
  how.error = threw_ ? TransferError::internal : error_of(end);
  if (!proxy_.empty()) {
    how.proxy = shown_proxy(proxy_);
    how.tunnel = end.tunnel;
  } else {
    how.peer = peer();
  }
  how.connected = was_connected();
  how.reused = sent_ && sent_over_kept_;
  how.close_notify = tls_.has_close_notify();
  if (code == CURLE_OK && !threw_) return how;
  how.sentence = sentence_of(code);
  if (threw_) {
    how.sentence = "there is not enough memory for this request, or a callback threw an exception";
  } else if (how.error == TransferError::internal && code == CURLE_COULDNT_CONNECT) {
    how.sentence = lack_of(end.system_error);
  } else if (bad_request_body_) {
    how.error = TransferError::request_body;
    how.sentence = "the body of the request cannot be read";
  } else if (fault_ != nullptr) {
    how.error = TransferError::protocol;
    how.sentence = fault_;
  } else if (code == CURLE_BAD_FUNCTION_ARGUMENT && in_head_) {
    how.error = TransferError::protocol;
    how.sentence = "the head of the response begins with a continuation line";  // before libcurl 8.1.0
  } else if (stopped_) {
    how.error = TransferError::stopped;
  } else if (unanswered_) {
    how.error = TransferError::unanswered;
    how.sentence = "the server closed the connection without an answer";
  } else if (how.error == TransferError::tls && !passing_handshake_failure().empty()) {
    how.error = TransferError::cut;
    how.sentence = passing_handshake_failure();
  } else if (code == CURLE_SSL_CACERT_BADFILE) {
    const auto authorities = check_certificate_authorities(transfer_.connection->tls);
    if (!authorities) how.sentence = authorities.error().message;
  } else if (target_refused_ || (!refused_.empty() && ((code == CURLE_COULDNT_CONNECT && !tried_address_) ||
                                                       code == CURLE_ABORTED_BY_CALLBACK))) {
    const auto origin = Origin::of(transfer_.url);
    if (origin && !transfer_.connection->permits_port(origin->port)) {
      how.error = TransferError::port;
      how.sentence = port_refusal(origin->port);
      return how;
    }
    how.error = TransferError::address;
    how.sentence = refusal();
  } else if (code == CURLE_COULDNT_CONNECT && !tried_address_ && refused_.empty() && proxy_.empty() &&
             family() != AddressFamily::any) {
    how.error = TransferError::unknown_name;
    how.sentence = "the host " + host() + " has no " + name_of_address(family());
  } else if (end.connect_status != 0 && !end.tunnel) {
    how.sentence = "it answers " + std::to_string(end.connect_status) + " to CONNECT";
  } else if (how.error == TransferError::proxy && code == CURLE_COULDNT_CONNECT) {
    how.sentence = "it cannot be reached: " + how.sentence;
  }
  return how;
}

}  // namespace robotrules::agent
