// The options of a transfer, as libcurl gets them before it begins.
#include "http/curl/easy_transfer.hpp"

#include <unistd.h>

#include <algorithm>
#include <new>

#include "http/curl/socket_address.hpp"

namespace robotrules::agent {
namespace {

long option_of(AddressFamily family) {
  switch (family) {
    case AddressFamily::ipv4: return CURL_IPRESOLVE_V4;
    case AddressFamily::ipv6: return CURL_IPRESOLVE_V6;
    case AddressFamily::any: break;
  }
  return CURL_IPRESOLVE_WHATEVER;
}

// Returns true if the system's authorities are in a file. libcurl 7.88 keeps the authorities of a file in memory, but
// not if it gets a folder too: then each connection reads the whole file again, which takes some milliseconds.
bool has_system_file() {
  static const bool has = [] {
    const curl_version_info_data* const curl = curl_version_info(CURLVERSION_NOW);
    return curl->cainfo != nullptr && access(curl->cainfo, R_OK) == 0;
  }();
  return has;
}

}  // namespace

void EasyTransfer::append(List& list, const std::string& text) {
  curl_slist* longer = curl_slist_append(list.get(), text.c_str());
  if (longer == nullptr) throw std::bad_alloc();
  static_cast<void>(list.release());
  list.reset(longer);
}

void EasyTransfer::set_up_callbacks() {
  set(CURLOPT_PRIVATE, this);
  set(CURLOPT_ERRORBUFFER, static_cast<char*>(error_));
  set(CURLOPT_HEADERFUNCTION, &EasyTransfer::on_header);
  set(CURLOPT_HEADERDATA, this);
  set(CURLOPT_WRITEFUNCTION, &EasyTransfer::on_data);
  set(CURLOPT_WRITEDATA, this);
  set(CURLOPT_READFUNCTION, &EasyTransfer::on_read);
  set(CURLOPT_READDATA, this);
  set(CURLOPT_SEEKFUNCTION, &EasyTransfer::on_seek);
  set(CURLOPT_SEEKDATA, this);
  set(CURLOPT_OPENSOCKETFUNCTION, &EasyTransfer::on_open);
  set(CURLOPT_OPENSOCKETDATA, this);
  set(CURLOPT_CLOSESOCKETFUNCTION, &EasyTransfer::on_close);
  set(CURLOPT_CLOSESOCKETDATA, &kept_);
  set(CURLOPT_PREREQFUNCTION, &EasyTransfer::on_prerequest);
  set(CURLOPT_PREREQDATA, this);
  if (!transfer_.record_heads) return;
  set(CURLOPT_DEBUGFUNCTION, &EasyTransfer::on_debug);
  set(CURLOPT_DEBUGDATA, this);
  set(CURLOPT_VERBOSE, 1L);
}

// Switches off everything that libcurl does by itself: it follows no redirect, changes no path, decodes no body, and
// reads neither ~/.netrc nor the environment.
void EasyTransfer::set_up_connection() {
  const ConnectionOptions& connection = *transfer_.connection;
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_QUICK_EXIT, 1L);  // else ending a transfer waits for a pending name lookup
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_HTTP_CONTENT_DECODING, 0L);
  set(CURLOPT_HTTP09_ALLOWED, 0L);
  set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  set(CURLOPT_NOPROGRESS, 1L);
  set(CURLOPT_PATH_AS_IS, 1L);
  set(CURLOPT_TCP_KEEPALIVE, 1L);
  const bool http2 = secure_ && connection.http2;
  set(CURLOPT_HTTP_VERSION,
      static_cast<long>(http2 && !transfer_.http1 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
  set(CURLOPT_SSL_VERIFYPEER, connection.tls.verify ? 1L : 0L);
  set(CURLOPT_SSL_VERIFYHOST, connection.tls.verify ? 2L : 0L);
  tls_.watch(easy());
  const TlsOptions& tls = connection.tls;
  const auto set_text = [&](CURLoption option, const std::string& text) {
    if (!text.empty()) set(option, text.c_str());
  };
  set(CURLOPT_SSLVERSION, tls.min_version == TlsVersion::tls1_3 ? static_cast<long>(CURL_SSLVERSION_TLSv1_3)
                                                                : static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  if (!tls.ca_file.empty() || !tls.ca_path.empty()) {  // only these, not the system's too
    for (const CURLoption option : {CURLOPT_CAINFO, CURLOPT_PROXY_CAINFO}) {
      set(option, tls.ca_file.empty() ? nullptr : tls.ca_file.c_str());
    }
    for (const CURLoption option : {CURLOPT_CAPATH, CURLOPT_PROXY_CAPATH}) {
      set(option, tls.ca_path.empty() ? nullptr : tls.ca_path.c_str());
    }
  } else if (has_system_file()) {
    set(CURLOPT_CAPATH, nullptr);
    set(CURLOPT_PROXY_CAPATH, nullptr);
  }
  set_text(CURLOPT_CRLFILE, tls.crl_file);
  set_text(CURLOPT_SSLCERT, tls.certificate_file);
  set_text(CURLOPT_SSLKEY, tls.key_file);
  // Also if it is empty: without this option OpenSSL asks for the password at the terminal.
  if (!tls.certificate_file.empty()) set(CURLOPT_KEYPASSWD, tls.key_password.c_str());
  set_text(CURLOPT_SSL_CIPHER_LIST, tls.ciphers);
  set_text(CURLOPT_TLS13_CIPHERS, tls.ciphers_1_3);
  set_text(CURLOPT_PINNEDPUBLICKEY, tls.pinned_key);
  if (!connection.local_address.empty()) set(CURLOPT_INTERFACE, connection.local_address.c_str());
  const bool own_connection = http2 && transfer_.http1;  // libcurl shares them among the versions
  if (own_connection) set(CURLOPT_FRESH_CONNECT, 1L);
  if (own_connection || connection.keep_alive == 0) set(CURLOPT_FORBID_REUSE, 1L);
  constexpr long longest_idle = 5;  // seconds; many servers and boxes on the way end idle connections soon after
  set(CURLOPT_MAXAGE_CONN, longest_idle);
}

void EasyTransfer::set_up_method() {
  const std::string& method = transfer_.method;
  if (transfer_.body != nullptr) {
    bad_request_body_ = !transfer_.body->rewind();  // reported before anything is sent
    const auto size = transfer_.body->size();
    set(CURLOPT_UPLOAD, 1L);
    set(CURLOPT_INFILESIZE_LARGE, size ? static_cast<curl_off_t>(*size) : curl_off_t{-1});
    set(CURLOPT_CUSTOMREQUEST, method.c_str());
  } else if (method == "HEAD") {
    set(CURLOPT_NOBODY, 1L);
  } else if (method != "GET") {
    set(CURLOPT_CUSTOMREQUEST, method.c_str());
  }
}

void EasyTransfer::set_up_proxy() {
  const ProxyOptions& options = transfer_.connection->proxy;
  set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);  // the response of a proxy to CONNECT is not the server's
  set(CURLOPT_PROXY, proxy_.c_str());         // empty: no proxy, not even that of the environment
  set(CURLOPT_NOPROXY, "");
  if (proxy_.empty() || options.user.empty()) return;
  set(CURLOPT_PROXYUSERPWD, options.user.c_str());
  set(CURLOPT_PROXYAUTH, static_cast<long>(CURLAUTH_BASIC));
}

void EasyTransfer::set_up_fields() {
  for (const HeaderField& field : transfer_.headers) {
    // libcurl takes "Name;" for a field without a value.
    append(fields_, field.value.empty() ? field.name + ';' : field.name + ": " + field.value);
  }
  // Fields that libcurl would add by itself.
  const auto keep_out = [&](const char* name) {
    if (!transfer_.headers.has(name)) append(fields_, std::string(name) + ':');
  };
  keep_out("Accept");
  if (transfer_.body != nullptr) {
    keep_out("Expect");
    keep_out("Content-Type");
  }
  set(CURLOPT_HTTPHEADER, fields_.get());
}

void EasyTransfer::set_up_addresses() {
  constexpr long names_last = 60;  // seconds
  set(CURLOPT_DNS_CACHE_TIMEOUT, sweeps_ ? names_last : -1L);
  set(CURLOPT_IPRESOLVE, option_of(family()));
  const auto origin = Origin::of(transfer_.url);
  const bool is_told = !transfer_.addresses.empty() || transfer_.connection->resolve;
  const bool is_address = origin && (origin->host.starts_with('[') || !address_of(origin->host.c_str()).bytes.empty());
  const std::string line = origin && is_told && !is_address ? addresses_for(*origin) : std::string();
  if (line.empty()) return;
  append(addresses_, line);
  set(CURLOPT_RESOLVE, addresses_.get());
}

long EasyTransfer::milliseconds(std::chrono::milliseconds time) {
  return static_cast<long>(std::clamp<std::chrono::milliseconds::rep>(time.count(), 0, max_option_value));
}

void EasyTransfer::set_up_time() {
  set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds(transfer_.connection->connect_timeout));
  set(CURLOPT_TIMEOUT_MS, milliseconds(transfer_.total_timeout));
  const long idle = (milliseconds(transfer_.idle_timeout) + 999L) / 1'000L;  // seconds
  constexpr long rate_window = 10;
  const std::uint64_t rate = transfer_.min_rate;
  set(CURLOPT_LOW_SPEED_LIMIT, rate == 0 ? 1L : static_cast<long>(std::min<std::uint64_t>(rate, max_option_value)));
  set(CURLOPT_LOW_SPEED_TIME, rate == 0 ? idle : idle > 0 ? std::min(idle, rate_window) : rate_window);
}

// Returns "+host:port:address,address", the form of CURLOPT_RESOLVE. Empty if the system resolves the name.
std::string EasyTransfer::addresses_for(const Origin& origin) const {
  std::string line;
  const auto addresses =
      transfer_.addresses.empty() ? transfer_.connection->resolve(origin.host, origin.port) : transfer_.addresses;
  for (const std::string& address : addresses) {
    line += (line.empty() ? '+' + origin.host + ':' + std::to_string(origin.port) + ':' : std::string(",")) + address;
  }
  return line;
}

}  // namespace robotrules::agent
