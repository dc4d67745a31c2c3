// UserAgent: an HTTP client in the manner of LWP::UserAgent, for servers one does not trust.
//
//     robotrules::UserAgent ua({.agent = "MyTool/1.0"});
//     robotrules::Response page = ua.get("https://example.org/");
//     if (page.is_success()) use(page.body);
//     else std::cerr << page.status_line() << ": " << page.warning << '\n';
//
// Nothing that happens on the network is thrown: it is a synthetic response that says so (response.hpp). So it is where
// memory runs out once a call is under way, or a handler or a callback throws (ResponseSource::internal): the call
// ends, the agent goes on. Where it can't be told whose memory it was, all calls under way end so. Limits are on by
// default, certificates are verified, and addresses that are not on the public Internet are refused (connection.hpp). A
// call that waits, one with a callback and a coroutine (asio.hpp) are the same engine, in which thousands of transfers
// share one thread. It consults no robots.txt: RobotUA (robot_ua.hpp) does.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/headers.hpp>
#include <robotrules/message.hpp>
#include <robotrules/result.hpp>

namespace robotrules {

// How connections are made: addresses, TLS, proxies.

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

// The library that carries requests: which one a program has loaded, for reports and bug reports.

// Names the library and what it stands on: "libcurl 7.88.1 (OpenSSL/3.0.15, nghttp2/1.52.0)".
std::string connection_library();

// CookieJar: cookies that user agents keep and send back (RFC 6265), libcurl's with the public suffix list.

// Thread rule: every function may be called from any thread; one jar may serve several agents.
class CookieJar {
 public:
  CookieJar();
  ~CookieJar();
  CookieJar(const CookieJar&) = delete;
  CookieJar& operator=(const CookieJar&) = delete;

  // Lines of Netscape's cookie file: domain, subdomains, path, secure, expires, name, value, by tabs.
  std::vector<std::string> lines() const;
  void add(const std::string& line);
  void clear();

  // Netscape's file. Errors "file-unreadable", "file-unwritable". Files are written whole or not at all, with
  // mode 0600 whatever the one before had.
  Result<void> load(const std::string& path);
  Result<void> save(const std::string& path) const;

  struct State;  // for the transport
  State& state() const noexcept { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

class Loop;
class Transport;

// What a server may make the agent bear. A head beyond its limits ends the transfer (ResponseSource::bad_response).
struct Limits {
  std::size_t header_bytes = 64 * 1024;  // of all heads of one exchange, interim ones (1xx) included
  std::size_t header_count = 1'000;
  unsigned interim_responses = 16;
  std::uint64_t wire_bytes = std::uint64_t{1} << 31;  // of a body as it comes, encoded or not; more is refused
  std::uint64_t body_bytes = std::uint64_t{1} << 30;  // of a body decoded; more is cut, see Response::truncated, unless
                                                      // that is beyond wire_bytes first
  std::uint64_t ratio = 1'000;  // decoded : wire, where more than 1 MiB was decoded; more is refused; 0: any
  std::size_t url_bytes = 8'192;
  std::chrono::milliseconds total{300'000};  // of all exchanges of one request together, waits of politeness not
                                             // counted; 0: none
  std::chrono::milliseconds idle{60'000};    // without an octet; 0: none
  std::uint64_t slowest_rate = 0;            // octets a second over 10 s; 0: any
};

// A name and a password, sent to `host_port` ("example.org:443") where it asks for `realm` (empty: any). Basic, and
// Digest with MD5 and SHA-256 (RFC 7617, 7616).
struct Credentials {
  std::string host_port;
  std::string realm;
  std::string user;
  std::string password;
};

struct UserPassword {
  std::string user;
  std::string password;
};

struct UserAgentOptions {
  std::string agent = "robotrules";  // User-Agent; empty: not sent
  std::string from{};                // From: an address that reaches whoever runs the robot; empty: not sent
  Headers default_headers{};         // of every request that has none of that name
  Limits limits{};
  unsigned max_redirect = 7;                                   // 0: none is followed
  std::vector<std::string> redirected_methods{"GET", "HEAD"};  // 302 and 303 turn the others into GET
  bool allow_downgrade = false;                                // follow from https to http
  std::vector<std::string> protocols{"http", "https"};         // that may be asked for; in any case of letters
  bool compression = true;                                     // ask for gzip, br and zstd
  std::vector<Credentials> credentials{};
  std::shared_ptr<CookieJar> cookies{};  // null: cookies are neither kept nor sent
  ConnectionOptions connection{};
  std::size_t max_in_flight = 1'024;  // exchanges at once; more wait their turn
  // Bytes of memory for all that is in flight: bodies as they come and decoded, and the windows of decoders. At the
  // limit no request begins and transfers pause; the oldest always goes on, and no time limit counts a pause. 0: no
  // limit.
  std::uint64_t max_memory = 0;
  // Responses that the program has count too until it lets go of the last copy, and as long as it has one, not even the
  // oldest goes on at the limit. Only for a program that lets go of each response without waiting for another.
  bool count_responses = false;
  // A folder. Where it is set, a body that is longer than 1 MiB goes on in a temporary file there, which has no name
  // (Response::body_rest, Recording::body_rest). Empty: bodies are in memory whole.
  std::string spool_folder{};

  // Both are called on the agent's thread, as handlers are; empty: not asked.
  // Is asked about a redirect that the agent is about to follow. False: the redirect is the answer
  // (ResponseSource::redirect_refused).
  std::function<bool(const Request& next, const Response& redirect)> redirect_ok{};
  // Is asked for a name and a password where `credentials` has none for the URL's site and the realm. null: none.
  std::function<std::optional<UserPassword>(std::string_view realm, std::string_view url)> get_basic_credentials{};
};

// Where a handler steps in, as in LWP::UserAgent. All phases are gone through for each exchange: for each hop of a
// redirect and each answered challenge.
enum class Phase : std::uint8_t {
  request_preprepare,  // before the agent's own headers are set; may change the request
  request_prepare,     // after; may change the request
  request_send,        // may answer in the server's place: a cache, a mock
  response_header,     // the head is there, the body not yet
  response_data,       // a piece of the decoded body; false ends the transfer
  response_done,       // may change the response
  response_redirect,   // after any response, unless max_redirect is reached: may give the next request, in place of
                       // the agent's own reading of a redirect; not for simple_request()
};

// Which requests a handler is for; what is empty matches all.
struct HandlerMatch {
  std::string scheme{};
  std::string host{};  // "example.org"; ".example.org": its subdomains too
  std::string method{};
  std::string path_prefix{};
  std::string media_type{};  // of the response: "text/html"; "text/*"
  int code = 0;              // of the response
  // Of the handler and not of a request: whose it is, by a name of the program's choice.
  std::string owner{};
  friend bool operator==(const HandlerMatch&, const HandlerMatch&) = default;
};

// What a handler sees; which members are set hangs on the phase. Handlers are called on the agent's thread and must
// not make calls that wait.
struct HandlerCall {
  Request* request = nullptr;
  Response* response = nullptr;
  std::string_view data{};
};
struct HandlerAnswer {
  bool go_on = true;                   // response_data, response_header: false ends the transfer
  std::optional<Response> response{};  // request_send
  std::optional<Request> request{};    // response_redirect
};
using Handler = std::function<HandlerAnswer(HandlerCall&)>;

// A handler of an agent.
struct AddedHandler {
  std::uint64_t number = 0;
  Phase phase = Phase::request_preprepare;
  HandlerMatch match{};
  Handler handler{};
};

// How far a transfer is.
struct Progress {
  std::uint64_t octets = 0;               // of the body, decoded
  std::optional<std::uint64_t> expected;  // Content-Length where the body is not encoded
};

// A request under way. Copies mean the same one; letting go of it does not end it.
class Pending {
 public:
  Pending() = default;
  // The callback comes with ResponseSource::cancelled, unless it has come already. From any thread.
  void cancel() const;
  // The same where nothing of it is on the wire: a robot that waits until the site may be asked. Else it goes on.
  void cancel_if_waiting() const;

 private:
  friend class UserAgent;
  explicit Pending(std::function<void(bool only_if_waiting)> cancel) : cancel_(std::move(cancel)) {}
  std::function<void(bool only_if_waiting)> cancel_;
};

// What an agent is doing in a moment.
struct Activity {
  std::size_t requests = 0;     // begun and not answered
  std::size_t on_the_wire = 0;  // exchanges, those for robots.txt among them
};

// Thread rule: every function may be called from any thread. Calls that wait must not be made on the agent's own
// thread, in a callback or a handler: they answer invalid_request.
class UserAgent {
 public:
  explicit UserAgent(UserAgentOptions options = {});
  // On one's own seams, both for one loop: tests without network and time.
  UserAgent(UserAgentOptions options, std::shared_ptr<Loop> loop, std::shared_ptr<Transport> transport);
  UserAgent(UserAgent&&) noexcept;
  virtual UserAgent& operator=(UserAgent&&) noexcept;
  // Ends what is under way: callbacks come with ResponseSource::cancelled, before it returns, or, where that is in a
  // callback of the agent itself, soon after.
  virtual ~UserAgent();

  Response get(std::string url, Headers headers = {});
  Response head(std::string url, Headers headers = {});
  Response post(std::string url, const FormFields& form, Headers headers = {});
  Response post(std::string url, MultipartForm form, Headers headers = {});
  Response post(std::string url, std::string body, Headers headers = {});
  Response put(std::string url, const FormFields& form, Headers headers = {});
  Response put(std::string url, MultipartForm form, Headers headers = {});
  Response put(std::string url, std::string body, Headers headers = {});
  Response patch(std::string url, const FormFields& form, Headers headers = {});
  Response patch(std::string url, MultipartForm form, Headers headers = {});
  Response patch(std::string url, std::string body, Headers headers = {});
  Response delete_(std::string url, Headers headers = {});
  // Follows redirects and answers challenges.
  Response request(Request request);
  // One exchange: neither redirects nor challenges.
  Response simple_request(Request request);
  // Fetches to a file unless what is there is current (If-Modified-Since, If-None-Match): 304 and every failure leave
  // the file as it was, a body cut at a limit too. Its time becomes that of Last-Modified; its ETag is kept in the
  // extended attribute user.robotrules.etag where the file system has those.
  Response mirror(std::string url, std::string file);

  // Answers at once; `done` is called once, on the agent's thread, and must not throw: there is nobody left to tell.
  using Done = std::function<void(Response)>;
  Pending start(Request request, Done done);
  Pending start_simple(Request request, Done done);

  Activity activity() const noexcept;

  // Of requests that begin afterwards. A RobotUA keeps its `agent` whatever is given here: see RobotUA::agent().
  UserAgentOptions options() const;
  void configure(UserAgentOptions options);
  // May URLs of this scheme ("https", or a whole URL) be asked for?
  bool is_protocol_supported(std::string_view scheme) const;

  // Handlers of a phase run in the order they were added. The number is for remove_handler().
  std::uint64_t add_handler(Phase phase, Handler handler, HandlerMatch match = {});
  void remove_handler(std::uint64_t number);
  // Removes the handlers of a phase (null: of all phases) whose match has every member that `match` gives, and returns
  // them. An empty `match` removes all, those of other parts of the program too.
  std::vector<AddedHandler> remove_handler(std::optional<Phase> phase, const HandlerMatch& match);
  // The handlers of a phase, in their order; with a request (and a response), those it would be shown to.
  std::vector<AddedHandler> handlers(Phase phase) const;
  std::vector<AddedHandler> handlers(Phase phase, const Request& request, const Response* response = nullptr) const;
  // A handler of one's own: replaces those of the phase with this match and owner; an empty one only removes them. The
  // owner is the calling function unless `match` names one. Returns the number, or 0.
  std::uint64_t set_my_handler(Phase phase, Handler handler, HandlerMatch match = {},
                               std::source_location caller = std::source_location::current());
  std::optional<AddedHandler> get_my_handler(Phase phase, HandlerMatch match = {},
                                             std::source_location caller = std::source_location::current()) const;
  // Called as the body comes, for every request; null: none.
  void on_progress(std::function<void(const Request&, const Progress&)> progress);

  // A second agent with the same options and handlers, with connections of its own; cookies are shared. The clone of a
  // RobotUA obeys robots.txt and keeps its distance as the robot does.
  UserAgent clone() const;

 protected:
  struct State;
  explicit UserAgent(std::shared_ptr<State> state) noexcept;
  std::shared_ptr<State> twin_state() const;  // of a clone
  std::shared_ptr<State> state_;
};

}  // namespace robotrules
