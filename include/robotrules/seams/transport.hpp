// The two seams of the user agents: who carries octets, and who keeps time. Programs need them only to test without a
// network; the agents bring their own.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/headers.hpp>
#include <robotrules/message.hpp>
#include <robotrules/origin.hpp>
#include <robotrules/time.hpp>
#include <robotrules/user_agent.hpp>

namespace robotrules {

// Runs what it is given, one thing after the other, on one thread.
class Loop {
 public:
  using Task = std::function<void()>;
  using TimerId = std::uint64_t;

  virtual ~Loop() = default;
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // From any thread.
  virtual void post(Task task) = 0;
  virtual bool on_loop_thread() const noexcept = 0;
  // On the loop's thread. A timer fires once, never before its time; 0 is no timer.
  virtual TimerId after(std::chrono::microseconds delay, Task task) = 0;
  virtual void cancel(TimerId timer) = 0;
  // Never jumps; counts from no special moment.
  virtual std::chrono::microseconds now() const = 0;
  // The time of day.
  virtual Timestamp wall() const = 0;

 protected:
  Loop() = default;
};

enum class TransferError : std::uint8_t {
  none,
  resolve,  // the name has no address
  address,  // the guard refused the address
  port,     // ConnectionOptions does not permit the port
  connect,
  tls,
  timeout,
  protocol,    // what came is no HTTP
  cut,         // the connection ended before the message did
  unanswered,  // a connection that was kept from an exchange before ended without an octet
  stopped,     // the handler said so
  cancelled,
  request_body,
  internal,  // no memory, or a callback of the program threw
  other,
};

// One exchange on the wire: nothing is followed, decoded or repeated.
struct Transfer {
  std::string method;
  std::string url;
  Headers headers;  // all that is sent, besides what framing needs
  std::shared_ptr<BodySource> body;
  std::shared_ptr<const ConnectionOptions> connection;
  std::string address;                         // "192.0.2.1", to connect to; empty: what the URL's host resolves to
  std::shared_ptr<CookieJar> cookies;          // sent and kept; null: none
  std::chrono::milliseconds total_timeout{0};  // 0: none
  std::chrono::milliseconds idle_timeout{0};   // no octet for so long; 0: none
  std::uint64_t slowest_rate = 0;              // octets a second over 10 s; 0: any
  bool record_heads = false;                   // Done has them
};

// All calls come on the loop's thread, in this order: head_line and field for each response head (interim ones too),
// head_end, data, and once, done. Answering false ends the transfer with TransferError::stopped.
class TransferHandler {
 public:
  virtual ~TransferHandler() = default;
  TransferHandler(const TransferHandler&) = delete;
  TransferHandler& operator=(const TransferHandler&) = delete;

  virtual bool head_line(int status, std::string_view reason, int http_version) = 0;
  // A line of the head as it came, without its line end.
  virtual bool field(std::string_view line) = 0;
  virtual bool head_end() = 0;
  // Asked before each data(). False: the transport keeps what came, reads no more, and counts no time until resume().
  virtual bool is_ready() { return true; }
  virtual bool data(std::string_view octets) = 0;

  struct Done {
    TransferError error = TransferError::none;
    std::string sentence;  // where there is an error
    std::string peer;
    bool farewell = false;  // of TLS: the peer said that it ends the connection (close_notify)
    // Where asked for: octets as they were sent and came, as Recording has them.
    std::string request_head{};
    std::string response_head{};
  };
  virtual void done(const Done& how) = 0;

 protected:
  TransferHandler() = default;
};

class Transport {
 public:
  using Id = std::uint64_t;
  virtual ~Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  // On the loop's thread. The handler must live until done() was called, which never happens inside start().
  virtual Id start(Transfer transfer, TransferHandler& handler) = 0;
  // done() is not called any more.
  virtual void cancel(Id id) = 0;
  // On the loop's thread. Calls `found` once, there, perhaps before it returns, with the addresses of a host in the
  // order in which they would be tried; none: it has no address, or it is not known here.
  using Addresses = std::function<void(std::vector<std::string>)>;
  virtual void resolve(const Origin& /*origin*/, const ConnectionOptions& /*connection*/, Addresses found) {
    found({});
  }
  // A transfer whose handler was not ready goes on; data() and done() may be called before this returns. Needed only
  // where a handler may not be ready.
  virtual void resume(Id) {}

 protected:
  Transport() = default;
};

}  // namespace robotrules
