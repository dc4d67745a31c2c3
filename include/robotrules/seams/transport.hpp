// Loop and Transport: the two seams of the user agents. A loop runs tasks and keeps time; a transport carries bytes.
//
//     auto loop = std::make_shared<TestLoop>();            // your own Loop, with a clock that the test moves
//     auto transport = std::make_shared<TestTransport>();  // your own Transport, which calls handlers with test data
//     robotrules::UserAgent ua({.agent = "MyTool/1.0"}, loop, transport);
//
// Programs pass them only in tests without a network. If none are passed, the agent uses its own loop and transport.
// Thread rule: everything runs on the loop's thread, except Loop::post() and Loop::on_loop_thread().
// Errors: a transfer that fails ends with a TransferError; nothing is thrown for it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/headers.hpp>
#include <robotrules/message.hpp>
#include <robotrules/url.hpp>
#include <robotrules/user_agent.hpp>

namespace robotrules {

// A loop that runs tasks on one thread, one after the other.
class ROBOTRULES_API Loop {
 public:
  using Task = std::function<void()>;
  using TimerId = std::uint64_t;

  virtual ~Loop() = default;
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Runs `task` later, after the tasks that were posted before. May be called from any thread.
  virtual void post(Task task) = 0;
  // Returns true on the loop's thread. May be called from any thread.
  virtual bool on_loop_thread() const noexcept = 0;
  // Runs `task` once, when `delay` is over and never earlier. Returns the timer's id, which is never 0.
  virtual TimerId after(std::chrono::microseconds delay, Task task) = 0;
  // Stops a timer. Its task does not run any more.
  virtual void cancel(TimerId timer) = 0;
  // Returns the time of a clock that never jumps. Only differences have a meaning.
  virtual std::chrono::microseconds now() const = 0;
  // Returns the calendar time.
  virtual Timestamp wall() const = 0;

 protected:
  Loop() = default;
};

// The reason why a transfer failed.
enum class TransferError : std::uint8_t {
  none,
  resolve,       // the name cannot be resolved now
  unknown_name,  // the name server says that the host does not exist or has no address
  address,       // the guard refused the address
  port,          // ConnectionOptions does not permit the port
  connect,       // the connection could not be made
  tls,           // the TLS handshake failed
  certificate,   // the certificate of the server was not accepted, or it cannot be checked
  timeout,       // a time limit was reached
  protocol,      // the server did not send valid HTTP
  cut,           // the connection ended before the end of the message
  unanswered,    // a connection that was reused ended before the first byte of the response
  stopped,       // a function of the handler returned false
  cancelled,     // the agent cancelled it
  request_body,  // the body of the request could not be read or sent again
  internal,      // out of memory, descriptors, ports or threads, or a callback of the program threw
  other,
  proxy,          // the proxy cannot be reached, its certificate was not accepted, or it does not serve the agent
  proxy_refused,  // the proxy made no connection to the site
  no_http1,       // the server takes part in no TLS connection for HTTP/1.1
  route,          // this machine has no route to the server
};

// One exchange on the wire. The transport follows no redirect, decodes no body and repeats nothing.
struct Transfer {
  std::string method;
  std::string url;
  Headers headers;                   // all fields to send, except those for framing
  std::shared_ptr<BodySource> body;  // null: none
  std::shared_ptr<const ConnectionOptions> connection;
  std::vector<std::string> addresses;  // connect to one of these, "192.0.2.1"; empty: resolve the host of the URL
  std::shared_ptr<CookieJar> cookies;  // cookies to send and to update; null: none
  std::chrono::milliseconds total_timeout{0};     // 0: no limit
  std::chrono::milliseconds redirect_timeout{0};  // for the body of a redirect, from the end of its head; 0: no limit
  std::chrono::milliseconds idle_timeout{0};      // longest time without a byte; 0: no limit
  std::uint64_t min_rate = 0;                     // least bytes per second, measured over 10 s; 0: no limit
  bool http1 = false;                             // true: no HTTP/2, and no connection that others use
  bool new_connection = false;                    // true: no kept connection is used
  bool record_heads = false;                      // true: record the heads for TransferHandler::Done
};

// Receives one transfer. All functions are called on the loop's thread, in this order:
//   1. for each response head, interim ones (1xx) too: head_line(), then field() for each line, then head_end()
//   2. for each piece of the body: data()
//   3. once: done()
// If a function returns false, the transfer ends with TransferError::stopped.
class ROBOTRULES_API TransferHandler {
 public:
  virtual ~TransferHandler() = default;
  TransferHandler(const TransferHandler&) = delete;
  TransferHandler& operator=(const TransferHandler&) = delete;

  // The status line of a head. `http_version` is 10, 11 or 20.
  virtual bool head_line(int status, std::string_view reason, int http_version) = 0;
  // A line of the head as received, without its line end. After the last head_end(), it is a line of the trailer.
  virtual bool field(std::string_view line) = 0;
  // The end of a head.
  virtual bool head_end() = 0;
  // Called before each data(). If it returns false, the transport keeps the bytes, reads no more, and stops the time
  // limits until resume().
  virtual bool is_ready() { return true; }
  // Bytes of the body as received, without the framing of chunks.
  virtual bool data(std::string_view bytes) = 0;

  // The end of a transfer.
  struct Done {
    TransferError error = TransferError::none;
    std::string sentence;       // the error in words; empty without an error
    std::string peer;           // address of the server, "192.0.2.1:443"; empty: unknown, as behind a proxy
    bool close_notify = false;  // TLS only: the server ended the connection with close_notify
    bool connected = false;     // there was a connection to the server, or to the proxy
    bool reused = false;        // the request went over a connection that an earlier one had used
    std::string proxy{};        // the proxy that carried the transfer, without its password; empty: none
    bool tunnel = false;        // the proxy connected to the server, so that the head and body are the server's
    // The heads as sent and as received, as in Recording. Empty unless Transfer::record_heads is set.
    std::string request_head{};
    std::string response_head{};
  };
  // The transfer has ended. No function is called after this one.
  virtual void done(const Done& how) = 0;

 protected:
  TransferHandler() = default;
};

// Carries transfers. All functions are called on the loop's thread.
class ROBOTRULES_API Transport {
 public:
  using Id = std::uint64_t;
  virtual ~Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  // Starts a transfer and returns its id. The handler must live until done() was called or the transfer is cancelled.
  // done() is never called inside start().
  virtual Id start(Transfer transfer, TransferHandler& handler) = 0;
  // Ends a transfer. No function of its handler is called any more.
  virtual void cancel(Id id) = 0;
  // Resolves a host. Calls `found` once with the addresses, in the order in which a connection tries them. The call is
  // on the loop's thread and may come before resolve() returns. An empty list means that the host has no address or is
  // not known.
  using Addresses = std::function<void(std::vector<std::string>)>;
  virtual void resolve(const Origin& /*origin*/, const ConnectionOptions& /*connection*/, Addresses found) {
    const Addresses answer = std::move(found);
    answer({});
  }
  // Continues a transfer whose handler was not ready. May call data() and done() before it returns. A transport needs
  // this function only if is_ready() of a handler may return false.
  virtual void resume(Id) {}

 protected:
  Transport() = default;
};

}  // namespace robotrules
