// How connections are made: addresses, TLS, proxies.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/result.hpp>

namespace robotrules {

// Which addresses may be connected to. It is asked with the address itself, after names were resolved and before the
// connection is made, so that neither a redirect nor a name that changes its address nor an odd spelling gets past it.
// Refused are addresses that are nobody's on the public Internet: loopback, private (RFC 1918, ULA), link-local (with
// the metadata services of clouds), Azure's 168.63.129.16, shared (RFC 6598), multicast, reserved; and those inside
// ::ffff:0:0/96, 64:ff9b::/96 and 2002::/16. A proxy resolves names itself, so that where a name leads is the proxy's
// to guard: of what goes through one, the proxy's own address is asked for here, and the URL's host where that is an
// address or localhost. Thread rule: immutable once it is in use.
class AddressGuard {
 public:
  // Lets a network through that would be refused: "127.0.0.0/8", "fd00::/8", "10.1.2.3". Error "invalid-network".
  Result<void> allow(std::string_view network);
  void allow_all() noexcept { all_ = true; }

  // `address`: 4 or 16 octets, as in the packet.
  bool permits(std::string_view address) const noexcept;

 private:
  struct Network {
    std::string octets;  // 16, IPv4 as ::ffff:0:0/96
    unsigned bits = 0;
  };
  std::vector<Network> allowed_;
  bool all_ = false;
};

enum class TlsVersion : std::uint8_t { tls1_2, tls1_3 };

struct TlsOptions {
  bool verify = true;              // certificate and name; turned off only for one's own servers
  std::string ca_file{};           // empty: the system's
  std::string ca_path{};           // a folder of certificates under their hashes (openssl rehash); empty: the system's
  std::string crl_file{};          // revoked certificates, PEM; empty: not looked at
  std::string certificate_file{};  // of the client; PEM
  std::string key_file{};
  std::string key_password{};
  TlsVersion min_version = TlsVersion::tls1_2;
  std::string ciphers{};      // up to TLS 1.2, as OpenSSL names them; empty: OpenSSL's choice
  std::string ciphers_1_3{};  // of TLS 1.3: "TLS_AES_128_GCM_SHA256"
  // "sha256//BASE64", several parted by ";", or a file: the server's public key must be one of them, beside all else.
  std::string pinned_key{};
};

// Fails with "no-certificates", in a sentence that says what to install or mend, if the file of certificate authorities
// that https servers are checked by cannot be read: `ca_file`, else the system's (of Debian's package ca-certificates).
// Without it every https URL fails.
Result<void> check_certificate_authorities(const TlsOptions& tls);

struct ProxyOptions {
  std::string http;                 // "http://proxy:3128", for http URLs; empty: none
  std::string https;                // for https URLs
  std::vector<std::string> exempt;  // hosts without: "example.org" means its subdomains too
  std::string user;                 // "user:password" for the proxy, by Basic
};
// http_proxy, https_proxy, all_proxy and no_proxy of the environment.
ProxyOptions proxy_from_environment();

struct ConnectionOptions {
  AddressGuard guard;
  TlsOptions tls;
  ProxyOptions proxy;
  // Ports of URLs that may be requested; a proxy's own port may be any. Empty `ports`: the usual ones, which are 80,
  // 443 and those above 1023 that belong neither to another protocol (the "bad ports" of the Fetch standard) nor to a
  // database or remote desktop (1433, 1521, 3306, 3389, 5432, 5900, 6379, 9200, 11211, 27017).
  std::vector<std::uint16_t> ports;
  std::vector<std::uint16_t> extra_ports;  // may be requested as well
  bool permits_port(std::uint16_t port) const noexcept;
  std::chrono::milliseconds connect_timeout{5'000};
  std::string local_address;     // "192.0.2.7" or an interface's name; empty: the system's choice
  bool http2 = true;             // where the server speaks it over TLS
  std::size_t keep_alive = 256;  // connections kept for later; 0: each is closed
  // Answers the addresses of a name in place of the system's resolver; empty list: the system is asked.
  std::function<std::vector<std::string>(std::string_view host, std::uint16_t port)> resolve;
};

}  // namespace robotrules
