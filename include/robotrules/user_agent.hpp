// UserAgent: an HTTP client in the manner of LWP::UserAgent, for servers that are not trusted.
//
//     robotrules::UserAgent ua({.agent = "MyTool/1.0"});
//     robotrules::Response page = ua.get("https://example.org/");
//     if (page.is_success()) use(page.body);
//     else std::cerr << page.status_line() << ": " << page.warning << '\n';
//
// Limits are on by default, certificates are verified, and addresses that are not on the public Internet are refused.
// Calls that wait, calls with a callback and coroutines (asio.hpp) use one engine: one thread carries thousands of
// transfers. A UserAgent does not read robots.txt; RobotUA (robot_ua.hpp) does.
// Thread rule: every function of UserAgent and CookieJar may be called from any thread.
// Errors: network failures are not thrown. They are synthetic responses (ResponseSource, message.hpp). If memory runs
// out during a call, or if a handler or a callback throws, only that call ends, with ResponseSource::internal; a
// handler of request_preprepare or request_prepare that throws makes the request invalid
// (ResponseSource::invalid_request). If memory runs out and the call is unknown, all pending calls end with
// ResponseSource::internal.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/headers.hpp>
#include <robotrules/message.hpp>
#include <robotrules/user_agent_options.hpp>

namespace robotrules {

class Loop;
class Transport;

// --- open files -----------------------------------------------------------------------------------------------------

// The requests and connections that the process may have, because it may open only so many files.
//
//     const auto shares = robotrules::share_open_files(options.max_in_flight).value();
//     options.max_in_flight = shares.concurrency;
//     options.connection.keep_alive = shares.keep_alive;
struct FileShares {
  std::size_t concurrency = 0;  // simultaneous requests: UserAgentOptions::max_in_flight
  std::size_t keep_alive = 0;   // idle connections: ConnectionOptions::keep_alive
  std::size_t bodies = 0;       // bodies in temporary files: UserAgentOptions::spool_folder
};

// Returns the number of files, sockets and other descriptors that the process has open; null: /proc cannot be read.
ROBOTRULES_API std::optional<std::size_t> count_open_files();

// Divides `available` descriptors between `wanted` simultaneous requests, their connections and `wanted_bodies` bodies
// in temporary files. A request needs up to three: sockets to try addresses, or for the name look-up. 32 stay free for
// other files. Fails with "too-few-files" if not even one request is possible.
ROBOTRULES_API Result<FileShares> share_files(std::size_t available, std::size_t wanted, std::size_t wanted_bodies = 0);

// Raises the limit on open files of this process as far as the system allows (RLIMIT_NOFILE), and divides the
// descriptors that the process may still open as share_files() does.
ROBOTRULES_API Result<FileShares> share_open_files(std::size_t wanted, std::size_t wanted_bodies = 0);

// --- handlers -------------------------------------------------------------------------------------------------------

// The moments at which a handler is called, as in LWP::UserAgent. The phases start again for each exchange: each
// redirect and each answered challenge is an exchange of its own.
enum class Phase : std::uint8_t {
  request_preprepare,  // before the agent adds its own headers; may change the request
  request_prepare,     // after the agent has added them; may change the request
  request_send,        // may give the response in the server's place, as a cache or a mock does
  response_header,     // the head has arrived, the body has not; false ends the transfer
  response_data,       // a piece of the decoded body; false ends the transfer
  response_done,       // the response is complete; may change it
  // After any response, unless max_redirect is reached or the call is simple_request(). May give the next request, in
  // place of the redirect that the agent would follow.
  response_redirect,
};

// The requests that a handler is for. An empty member is not compared.
struct HandlerMatch {
  std::string scheme{};
  std::string host{};  // "example.org"; ".example.org" is that host and its subdomains
  std::string method{};
  std::string path_prefix{};
  std::string media_type{};  // of the response: "text/html" or "text/*"
  int code = 0;              // status of the response; 0: any
  // The name that the program gives to the owner of the handler. Requests have no owner, so it does not matter for
  // which requests the handler is called. Only remove_handler() and the functions for handlers of one owner compare it.
  std::string owner{};
  friend bool operator==(const HandlerMatch&, const HandlerMatch&) = default;
};

// The argument of a handler. `request` is always set, `response` from response_header on, `data` in response_data.
// Handlers run on the agent's thread and must not make calls that wait.
struct HandlerCall {
  Request* request = nullptr;
  Response* response = nullptr;
  std::string_view data{};
};
// The answer of a handler. Each member counts only in the phases that its comment names.
struct HandlerAnswer {
  bool go_on = true;                   // response_header, response_data: false ends the transfer
  std::optional<Response> response{};  // request_send: the response in the server's place; null: none
  std::optional<Request> request{};    // response_redirect: the next request; null: none
};
using Handler = std::function<HandlerAnswer(HandlerCall&)>;

// A handler as an agent keeps it.
struct AddedHandler {
  std::uint64_t number = 0;
  Phase phase = Phase::request_preprepare;
  HandlerMatch match{};
  Handler handler{};
};

// --- calls ----------------------------------------------------------------------------------------------------------

// The progress of one transfer.
struct Progress {
  std::uint64_t bytes = 0;  // bytes of the body so far, decoded
  // Content-Length, if the body is not encoded. 0 if there can be no body (HEAD, 204).
  std::optional<std::uint64_t> expected;
};

// A request that is under way. Copies refer to the same request; destroying them does not cancel it.
class ROBOTRULES_API Pending {
 public:
  Pending() = default;
  // Ends the request: its callback gets ResponseSource::cancelled. Does nothing after the callback was called. Any
  // thread.
  void cancel() const;
  // Ends the request only if no exchange of it is on the wire, for example while a robot waits for its turn at the
  // site. Otherwise the request continues.
  void cancel_if_waiting() const;

 private:
  friend class UserAgent;
  explicit Pending(std::function<void(bool only_if_waiting)> cancel) : cancel_(std::move(cancel)) {}
  std::function<void(bool only_if_waiting)> cancel_;
};

// The number of requests and exchanges of an agent at one moment.
struct Activity {
  std::size_t requests = 0;     // requests that are not answered yet
  std::size_t on_the_wire = 0;  // exchanges in flight, including those for robots.txt
};

// Thread rule: every function may be called from any thread. Calls that wait must not be made on the agent's own
// thread, which is the thread of callbacks and handlers: there they return ResponseSource::invalid_request at once.
class ROBOTRULES_API UserAgent {
 public:
  explicit UserAgent(UserAgentOptions options = {});
  // Uses the given loop and transport, which must belong together, for tests without network and time
  // (seams/transport.hpp).
  UserAgent(UserAgentOptions options, std::shared_ptr<Loop> loop, std::shared_ptr<Transport> transport);
  UserAgent(UserAgent&&) noexcept;
  virtual UserAgent& operator=(UserAgent&&) noexcept;
  // Ends all pending requests: their callbacks get ResponseSource::cancelled before the destructor returns. If the
  // destructor runs in a callback of this agent, these callbacks may be called shortly after it has returned.
  virtual ~UserAgent();

  // Each of these functions makes a request, waits for it and returns the response. `headers` are added to the agent's
  // own; a field of the same name replaces the agent's. Forms set Content-Type unless `headers` has it; a plain string
  // body does not.
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
  // Makes any request, follows redirects and answers challenges (401).
  Response request(Request request);
  // Makes one exchange: follows no redirect and answers no challenge.
  Response simple_request(Request request);
  // Fetches `url` into `file`, unless the file is current (If-Modified-Since, If-None-Match). Only a whole response
  // with status 200 replaces the file; 304, every failure and a body cut at a limit leave it as it was. The file's time
  // becomes Last-Modified, or the time of receipt if that is missing or in the future. The ETag is kept in the extended
  // attribute user.robotrules.etag if the file system has such attributes.
  Response mirror(std::string url, std::string file);

  // Starts a request and returns at once. `done` is called exactly once, on the agent's thread. It must not throw: its
  // exceptions are dropped. start_simple() makes one exchange, as simple_request() does.
  using Done = std::function<void(Response)>;
  Pending start(Request request, Done done);
  Pending start_simple(Request request, Done done);

  // Returns the number of requests and exchanges that are under way now.
  Activity activity() const noexcept;

  // Gets or sets the options. A change counts for the requests that start afterwards. A RobotUA ignores a new `agent`
  // (see RobotUA::agent()).
  UserAgentOptions options() const;
  void configure(UserAgentOptions options);

  // The attributes of LWP::UserAgent that programs change most, one by one. Changes by several threads at the same time
  // all hold, and count for the requests that start afterwards.
  //
  // Gets or sets Limits::max_idle_time: as in LWP, a request may take longer as long as bytes come.
  std::chrono::milliseconds timeout() const;
  void timeout(std::chrono::milliseconds time);
  // Gets or sets a field of UserAgentOptions::default_headers. Null: there is none.
  std::optional<std::string> default_header(std::string_view name) const;
  void default_header(std::string_view name, std::string value);
  // Gets or sets UserAgentOptions::cookies. The last function keeps cookies in a new jar, which begins with those of
  // the file if it exists; cookie_jar()->save(file) writes them. Fails as CookieJar::load() does, and changes nothing
  // then.
  std::shared_ptr<CookieJar> cookie_jar() const;
  void cookie_jar(std::shared_ptr<CookieJar> jar);
  Result<void> cookie_jar(const std::string& file);

  // Returns whether URLs of this scheme may be requested. `scheme` is "https" or a whole URL.
  bool is_protocol_supported(std::string_view scheme) const;

  // Adds a handler and returns its number, for remove_handler(). The handlers of a phase run in the order in which they
  // were added. Changes count for the requests that start afterwards.
  std::uint64_t add_handler(Phase phase, Handler handler, HandlerMatch match = {});
  // Removes the handler with this number, if there is one.
  void remove_handler(std::uint64_t number);
  // Removes and returns handlers of a phase (null: of all phases). A handler is removed if its own match has the same
  // value as `match` in each member that `match` sets, `owner` included. An empty `match` sets none, so it removes all
  // handlers, also those of other parts of the program.
  std::vector<AddedHandler> remove_handler(std::optional<Phase> phase, const HandlerMatch& match);
  // Return the handlers of a phase, in their order. The second function returns only those that match the request, and
  // the response if it is given.
  std::vector<AddedHandler> handlers(Phase phase) const;
  std::vector<AddedHandler> handlers(Phase phase, const Request& request, const Response* response = nullptr) const;
  // Sets the handler of one owner. The owner is the one that `match` names, or else the calling function. First removes
  // the handlers that remove_handler() would remove for this phase, `match` and owner. Then adds `handler` and returns
  // its number. If `handler` is empty, adds nothing and returns 0.
  std::uint64_t set_my_handler(Phase phase, Handler handler, HandlerMatch match = {},
                               std::source_location caller = std::source_location::current());
  // Returns the first handler that set_my_handler() would remove; null: there is none.
  std::optional<AddedHandler> get_my_handler(Phase phase, HandlerMatch match = {},
                                             std::source_location caller = std::source_location::current()) const;
  // Sets the function that is called for each piece of a body, for all requests that start afterwards; null: none. It
  // is called once for a body without a byte, when the response is complete.
  void on_progress(std::function<void(const Request&, const Progress&)> progress);

  // Returns a second agent with the same options and handlers. It has its own connections and shares the cookie jar.
  // The clone of a RobotUA is a robot too: it obeys robots.txt and the same intervals.
  UserAgent clone() const;

 protected:
  struct State;
  explicit UserAgent(std::shared_ptr<State> state) noexcept;
  std::shared_ptr<State> twin_state() const;  // the state of a clone
  std::shared_ptr<State> state_;
};

}  // namespace robotrules
