// What the scripted server saw: every connection and every request, in order, with its times. The witness of the tests.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace robotrules::test {

using Millis = std::chrono::milliseconds;
inline constexpr Millis patience{20'000};  // how long a wait in a test lasts before the test fails

// One instant on both clocks, microseconds or finer.
struct Moment {
  std::chrono::steady_clock::time_point steady;
  std::chrono::system_clock::time_point system;
  static Moment now() { return {std::chrono::steady_clock::now(), std::chrono::system_clock::now()}; }
};

struct HeaderLine {
  std::string name;
  std::string value;
  bool operator==(const HeaderLine&) const = default;
};

// Both ends of a connection.
struct Ends {
  std::string peer_address;
  std::uint16_t peer_port = 0;
  std::string local_address;
  std::uint16_t local_port = 0;  // of the listener
  bool tls = false;
  std::string sni;          // the name asked for in the handshake; empty: none
  std::string tls_version;  // as OpenSSL says it: "TLSv1.3"; empty before the handshake is done
  std::string alpn;         // the protocol agreed on; empty: none
  std::string client;       // the common name in the client's certificate; empty: none was shown
};

struct SeenConnection {
  std::size_t number = 0;  // from 1, in the order of acceptance
  Ends ends;
  Moment accepted;
  std::optional<Moment> closed;  // when the server was done with it
  bool peer_closed = false;      // the peer's end of stream, or its reset, was seen
  std::string tls_error;         // why the handshake failed: OpenSSL's words, with the alert of the peer
  std::uint64_t bytes_in = 0;    // on the socket: under TLS the encrypted ones
  std::uint64_t bytes_out = 0;   // taken by the kernel, which buffers some that the peer never reads
};

struct SeenRequest {
  std::size_t number = 0;      // from 1, in the order in which heads became complete
  std::size_t connection = 0;  // number of its connection
  Ends ends;
  Moment arrived;                  // when the last byte of its head was there
  std::optional<Moment> answered;  // when the last byte of the answer had been given to the kernel
  std::string head;                // its raw bytes, with the empty line
  std::string method;
  std::string target;               // as sent: "/a?b", "http://host/a", "host:443", "*"
  std::string version;              // "HTTP/1.1"
  std::vector<HeaderLine> headers;  // all, in order; values without the spaces around them
  std::string body;                 // its first bytes, 1 MiB at most; without its chunked coding
  std::uint64_t body_bytes = 0;     // all of them
  std::string more;                 // what a script's read_more() and read_to_end() took, 1 MiB at most
  int status = 0;                   // of the answer, as it begins; 0: none yet, or no HTTP
  std::uint64_t sent = 0;           // bytes of the answer given to the kernel, before encryption
  bool malformed = false;           // not HTTP/1.x: not answered, the connection closed
  bool routed = false;              // a route answered; else it was 404

  // Value of the first header of that name, in whatever case; nothing: no such header.
  std::optional<std::string> header(std::string_view name) const;
  std::vector<std::string> all(std::string_view name) const;
  // The host asked for, in lower case, with its port if one was sent: of an absolute target, else of the Host header.
  std::string host() const;
  // The target without scheme, host and query: "/a".
  std::string path() const;
};

// The log. Any thread may ask at any time; answers are copies.
class Witness {
 public:
  std::vector<SeenRequest> requests() const;
  std::vector<SeenRequest> requests(std::string_view path) const;  // those of that path() only
  std::vector<SeenConnection> connections() const;
  std::size_t request_count() const;
  std::size_t connection_count() const;
  std::size_t connections_to(std::uint16_t local_port) const;

  // Wait until that many have been seen in all; false: not within the time.
  bool wait_for(std::size_t requests, Millis limit = patience) const;
  bool wait_for_connections(std::size_t connections, Millis limit = patience) const;
  // Until that many answers were sent to their end or given up.
  bool wait_for_answers(std::size_t answers, Millis limit = patience) const;
  // Until that many connections are over.
  bool wait_for_closed(std::size_t connections, Millis limit = patience) const;

  // Forgets the requests and connections seen so far, those under way too. Numbers go on.
  void clear();

  // For the server alone.
  std::size_t add(SeenConnection connection);
  std::size_t add(SeenRequest request);
  void change(std::size_t connection, const std::function<void(SeenConnection&)>& how);
  void change_request(std::size_t request, const std::function<void(SeenRequest&)>& how);

 private:
  template <typename Condition>
  bool wait(Condition holds, Millis limit) const;

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::vector<SeenRequest> requests_;
  std::vector<SeenConnection> connections_;
  std::size_t requests_before_ = 0;  // how many were forgotten
  std::size_t connections_before_ = 0;
};

}  // namespace robotrules::test
