// The options of a UserAgent: limits, connections, TLS, proxies, cookies, credentials.
//
//     robotrules::UserAgentOptions options{.agent = "MyTool/1.0"};
//     options.limits.max_body_bytes = 10'000'000;
//     options.connection.guard.allow("127.0.0.1").value();  // a test server
//     robotrules::UserAgent ua(options);
//
// Thread rule: value types, but for CookieJar, whose functions may be called from any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/headers.hpp>
#include <robotrules/message.hpp>
#include <robotrules/version.hpp>

namespace robotrules {

// --- connections: addresses, TLS, proxies ---------------------------------------------------------------------------

// The addresses that an agent may connect to.
//
// The guard sees the address itself, after the name is resolved and before the connection is made. A redirect, a name
// that changes its address and an odd spelling of an address cannot get past it. It refuses addresses that are not on
// the public Internet: loopback, private (RFC 1918, ULA), link-local (with the metadata services of clouds), shared
// (RFC 6598), multicast and reserved addresses, and Azure's 168.63.129.16. An address inside ::ffff:0:0/96,
// 64:ff9b::/96 or 2002::/16 is judged by the IPv4 address that it contains. A proxy resolves names itself, so only the
// proxy can check the addresses of these names. For a request through a proxy, this guard checks the address of the
// proxy, and the URL's host if that is an address or localhost.
//
//     robotrules::RobotUAOptions options;
//     options.http.connection.guard.allow("127.0.0.1").value();  // a test server
//
// Thread rule: do not change a guard that is in use; permits() may be called from any thread.
class ROBOTRULES_API AddressGuard {
 public:
  // Permits a network, or one address, that would be refused: "127.0.0.0/8", "fd00::/8", "10.1.2.3". Fails with
  // "invalid-network" if the text cannot be read or has bits set after the prefix.
  Result<void> allow(std::string_view network);
  // Permits all addresses.
  void allow_all() noexcept { all_ = true; }

  // Returns whether `address`, 4 or 16 bytes in network order, may be connected to. False for other lengths.
  bool permits(std::string_view address) const noexcept;

 private:
  struct Network {
    std::string bytes;  // 16 of them; IPv4 is inside ::ffff:0:0/96
    unsigned bits = 0;
  };
  std::vector<Network> allowed_;
  bool all_ = false;
};

// The lowest version of TLS that is accepted.
enum class TlsVersion : std::uint8_t { tls1_2, tls1_3 };

// How TLS connections are made and checked.
struct TlsOptions {
  bool verify = true;  // check certificate and name; turn it off only for your own servers
  // Certificate authorities, also for a proxy with TLS: a PEM file, and folders whose files are named by hash (openssl
  // rehash), several separated by ":". If one of them is set, only these authorities are trusted. Both empty: those of
  // the system.
  std::string ca_file{};
  std::string ca_path{};
  std::string crl_file{};          // revoked certificates, PEM; empty: revocation is not checked
  std::string certificate_file{};  // the client's own certificate, PEM, for every site that asks for one; empty: none
  std::string key_file{};          // the private key of the client's certificate; empty: in `certificate_file`
  std::string key_password{};      // never asked for at a terminal
  TlsVersion min_version = TlsVersion::tls1_2;
  std::string ciphers{};      // for TLS 1.2, in OpenSSL's names; empty: OpenSSL's choice
  std::string ciphers_1_3{};  // for TLS 1.3, such as "TLS_AES_128_GCM_SHA256"; empty: OpenSSL's choice
  // Public keys that the server may have, checked in addition to all else: "sha256//BASE64", several separated by ";",
  // or the path of a file with the key. Empty: any key.
  std::string pinned_key{};
};

// Returns options with the certificate authorities that the environment names: `ca_file` from SSL_CERT_FILE, `ca_path`
// from SSL_CERT_DIR.
ROBOTRULES_API TlsOptions tls_from_environment();

// Fails with "no-certificates" if the certificate authorities cannot be read: `ca_file`, else `ca_path`, else the
// system's file (Debian's package ca-certificates). The message says what to install or to change. https requests then
// fail. Returns success if `verify` is false.
ROBOTRULES_API Result<void> check_certificate_authorities(const TlsOptions& tls);

// Fails with "invalid-certificate" if the client's certificate or its key cannot be used: a file cannot be read, the
// password of the key is wrong, or the key belongs to another certificate. Every connection with TLS then fails.
// Returns success if `certificate_file` is empty.
ROBOTRULES_API Result<void> check_client_certificate(const TlsOptions& tls);

// Proxies, and the hosts that are reached without them.
struct ProxyOptions {
  std::string http{};                 // proxy for http URLs, such as "http://proxy:3128"; empty: none
  std::string https{};                // proxy for https URLs; empty: none
  std::vector<std::string> exempt{};  // hosts that need no proxy; "example.org" includes its subdomains
  std::string user{};                 // "user:password" for the proxy (Basic); empty: none
};
// Returns the proxies that the environment names: http_proxy, https_proxy, all_proxy and no_proxy, also in upper case.
// HTTP_PROXY is ignored, because a CGI program's client can set it (CVE-2016-5385).
ROBOTRULES_API ProxyOptions proxy_from_environment();
// Fails with "invalid-proxy" if `http` or `https` is not the address of a proxy: [SCHEME://][USER:PASSWORD@]HOST[:PORT]
// with the scheme http, https, socks4, socks4a, socks5 or socks5h. In a password write "/", "#" and " " as %2F, %23 and
// %20. The message does not contain the address, because it may contain a password.
ROBOTRULES_API Result<void> check_proxies(const ProxyOptions& proxies);

// The addresses that connections may go to.
enum class AddressFamily : std::uint8_t { any, ipv4, ipv6 };

// How connections are made.
struct ROBOTRULES_API ConnectionOptions {
  AddressGuard guard{};
  TlsOptions tls{};
  ProxyOptions proxy{};
  // Ports that URLs may name; the port of a proxy is not limited. Empty: the usual ports. These are 80, 443 and all
  // above 1023, except ports of other protocols (the "bad ports" of the Fetch standard) and of databases and remote
  // desktops (1433, 1521, 3306, 3389, 5432, 5900, 6379, 9200, 11211, 27017).
  std::vector<std::uint16_t> ports{};
  std::vector<std::uint16_t> extra_ports{};  // permitted in addition to `ports`
  // Returns whether `ports` and `extra_ports` permit a port.
  bool permits_port(std::uint16_t port) const noexcept;
  std::chrono::milliseconds connect_timeout{5'000};
  std::string local_address{};                // "192.0.2.7" or the name of an interface; empty: the system's choice
  AddressFamily family = AddressFamily::any;  // of the server's address, or of the proxy's
  // True: HTTP/2 is used for pages if the server offers it over TLS. robots.txt files and sitemaps come over HTTP/1.1,
  // in which the end of a body is certain.
  bool http2 = false;
  std::size_t keep_alive = 256;  // idle connections that stay open; 0: each is closed after its exchange
  // Returns the addresses of a host in place of the system's resolver. If it returns an empty list, or is not set, the
  // system resolves the name. Called on the agent's thread.
  std::function<std::vector<std::string>(std::string_view host, std::uint16_t port)> resolve{};
};

// Returns the names and versions of the loaded HTTP library and of the libraries that it uses, for bug reports:
// "libcurl 7.88.1 (OpenSSL/3.0.15, nghttp2/1.52.0)".
ROBOTRULES_API std::string connection_library();

// --- cookies --------------------------------------------------------------------------------------------------------

// Cookies that user agents keep and send back (RFC 6265), as libcurl does it with the public suffix list.
// Thread rule: every function may be called from any thread, and several agents may share one jar.
class ROBOTRULES_API CookieJar {
 public:
  CookieJar();
  ~CookieJar();
  CookieJar(const CookieJar&) = delete;
  CookieJar& operator=(const CookieJar&) = delete;

  // Returns the cookies as lines of Netscape's cookie file. Tabs separate the fields: domain, whether subdomains get
  // it, path, whether it needs TLS, expiry time, name, value.
  std::vector<std::string> lines() const;
  // Adds the cookie of such a line. A line that cannot be read is ignored.
  void add(const std::string& line);
  // Removes all cookies.
  void clear();

  // Read and write Netscape's cookie file. load() adds to the cookies of the jar and fails with "file-unreadable".
  // save() fails with "file-unwritable". It replaces the file as a whole or not at all; the new file has mode 0600,
  // whatever mode the old one had.
  Result<void> load(const std::string& path);
  Result<void> save(const std::string& path) const;

  struct State;  // used by the transport only
  State& state() const noexcept { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

// --- options --------------------------------------------------------------------------------------------------------

// Limits on what a server may send. A head that exceeds a limit ends the transfer with ResponseSource::bad_response. A
// body that is refused ends it with ResponseSource::body_refused. A time limit ends it with ResponseSource::timeout.
struct Limits {
  std::size_t max_header_bytes = std::size_t{64} * 1024;  // all response heads of one exchange, with interim ones (1xx)
  std::size_t max_header_fields = 1'000;                  // fields in these heads
  unsigned max_interim_responses = 16;                    // 1xx responses before the final one
  // A body as received, before decoding. A longer one is refused.
  std::uint64_t max_wire_bytes = std::uint64_t{1} << 31;
  // A body after decoding. A longer one is cut (Response::truncated), unless it exceeds max_wire_bytes first.
  std::uint64_t max_body_bytes = std::uint64_t{1} << 30;
  // Decoded bytes for each received byte. A body that exceeds it is refused if more than 1 MiB was decoded. 0: no
  // limit.
  std::uint64_t max_ratio = 1'000;
  std::size_t max_url_bytes = 8'192;  // a URL, also that of a redirect
  // Time for all exchanges of one request together. The time that a robot waits for its turn is not counted. 0: no
  // limit.
  std::chrono::milliseconds max_total_time{300'000};
  std::chrono::milliseconds max_idle_time{60'000};  // time without a byte; 0: no limit
  std::uint64_t min_rate = 0;                       // least bytes per second, measured over 10 s; 0: no limit
};

// A name and a password for `host_port` ("example.org:443"), sent if that site asks for `realm` (empty: any realm).
// Schemes: Basic (RFC 7617), and Digest with MD5 or SHA-256 (RFC 7616).
struct Credentials {
  std::string host_port;
  std::string realm{};
  std::string user{};
  std::string password{};
};

struct UserPassword {
  std::string user;
  std::string password;
};

// An entry of a netrc file: the name and the password for a host.
struct NetrcMachine {
  std::string host;
  UserPassword access;
};

// Returns the entries of a netrc file, such as ~/.netrc: "machine HOST login NAME password PASSWORD", with words in
// quotes, comments and macros, as curl reads them. Entries without a host ("default") or without a name are left out,
// because they would be for every site. `text`: the contents of the file. Any text is accepted.
//
//     options.get_basic_credentials = [machines = robotrules::read_netrc(text)](auto, std::string_view url) {
//       return robotrules::netrc_access(machines, url);
//     };
ROBOTRULES_API std::vector<NetrcMachine> read_netrc(std::string_view text);

// Returns the name and the password of the first entry for the URL's host; null: there is none. ASCII case of hosts is
// ignored.
ROBOTRULES_API std::optional<UserPassword> netrc_access(std::span<const NetrcMachine> machines, std::string_view url);

// Settings of a user agent.
struct UserAgentOptions {
  // User-Agent header; empty: not sent. The default is added to a value that ends with a space: "MyTool/1.0 " becomes
  // "MyTool/1.0 robotrules/VERSION".
  std::string agent = "robotrules/" ROBOTRULES_VERSION;
  std::string from{};         // From header: an e-mail address of the operator; empty: not sent
  Headers default_headers{};  // added to each request that has no field of that name
  Limits limits{};
  unsigned max_redirect = 7;  // redirects of one request; 0: none is followed
  // Methods whose redirects are followed: that of the request that is redirected counts. After 302 and 303, a method
  // other than GET and HEAD then becomes GET.
  std::vector<std::string> redirected_methods{"GET", "HEAD"};
  // True: Authorization and Proxy-Authorization that the program has set in a request are also sent to other origins
  // that it is redirected to. Cookie and Referer are not.
  bool allow_credentialed_redirects = false;
  bool allow_downgrade = false;                         // follow redirects from https to http
  std::vector<std::string> protocols{"http", "https"};  // of URLs; case does not matter
  bool compression = true;                              // accept gzip, br and zstd
  std::vector<Credentials> credentials{};
  std::shared_ptr<CookieJar> cookies{};  // null: cookies are not kept and not sent
  ConnectionOptions connection{};
  std::size_t max_in_flight = 1'024;  // exchanges at the same time; others wait for their turn
  // Limit in bytes on the memory of all transfers in flight: bodies as received and as decoded, and the decoders. At
  // the limit no exchange starts, and all transfers pause except the oldest one. Time limits do not count a pause. 0:
  // no limit.
  std::uint64_t max_memory = 0;
  // True: max_memory also counts each response until the program drops its last copy. While the program has such
  // responses, even the oldest transfer pauses at the limit. So a program that keeps one response and waits for another
  // may wait for ever. Set true only if the program drops each response without waiting for another one.
  bool count_responses = false;
  // A folder for long bodies. If it is set, the first MiB of a body is in memory and the rest in a temporary file
  // without a name in this folder (Response::body_rest, Recording::body_rest). Empty: bodies are wholly in memory.
  std::string spool_folder{};

  // The next two callbacks run on the agent's thread, as handlers do. Empty: not called.
  //
  // Decides about a redirect that the agent is about to follow. If it returns false, the redirect itself is the
  // response (ResponseSource::redirect_refused).
  std::function<bool(const Request& next, const Response& redirect)> redirect_ok{};
  // Returns a name and a password if `credentials` has none for the URL's site and the realm; null: none.
  std::function<std::optional<UserPassword>(std::string_view realm, std::string_view url)> get_basic_credentials{};
};

}  // namespace robotrules
