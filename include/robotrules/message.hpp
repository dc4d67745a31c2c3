// Messages: the requests that a user agent makes and the responses that it returns.
//
//     robotrules::Request request{.url = "https://example.org/", .max_size = 1'000'000};
//     robotrules::Response response = ua.request(std::move(request));
//     if (!response.is_success()) std::cerr << response.status_line() << ": " << response.warning << '\n';
//     auto done = response.whole_body().for_each_piece([&](std::string_view piece) { return write(piece); });
//     if (!done) std::cerr << done.error().message << '\n';
//
// In this example write() returns a Result<void>.
// Thread rule: requests and responses are value types. Copies of a response share its recording, its robots note, the
// responses before it and the file with the rest of its body; none of these changes any more.
// Errors: a request that fails gives a synthetic response with a sentence in `warning`. If the file with the rest of a
// body cannot be read, the functions of BodyView fail with "spool-failed".
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/body.hpp>
#include <robotrules/headers.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/store.hpp>

namespace robotrules {

namespace agent {
class MemoryHold;  // adds the memory of a response to the count of its agent
}

// --- requests -------------------------------------------------------------------------------------------------------

struct Response;

// A request for a user agent.
struct Request {
  std::string method = "GET";
  std::string url{};  // absolute http or https URL; it is sent in the form of plain_url() (url.hpp)
  // Sent in addition to the agent's own fields; a field of the same name replaces the agent's. Content-Length and
  // Transfer-Encoding are ignored, because the body determines them.
  Headers headers{};
  // False: a redirect to another origin drops all `headers`, and a redirect to another URL of the same origin drops
  // If-None-Match and If-Modified-Since, because they are about one page. True: a redirect to another origin drops only
  // Authorization, Cookie, Proxy-Authorization and Referer (and Host, which every redirect drops); see also
  // UserAgentOptions::allow_credentialed_redirects.
  bool headers_cross_origins = true;
  std::shared_ptr<BodySource> body{};  // null: none

  // Destinations for the body of a success in place of Response::body: 2xx, but 206 only if `headers` has a Range.
  // `to_file` is the path of a file. The file is written under another name and then renamed, so it is complete or
  // unchanged. A body that is cut (Response::truncated) leaves it unchanged.
  // `on_body` is called with each piece of the decoded body, on the agent's thread. If it returns false, the transfer
  // ends and Response::truncated is true.
  // `on_head` is called once before that, with the response as far as it has come: status, headers, and the URL after
  // redirects. It is not called if the body has another destination.
  std::string to_file{};
  std::function<bool(std::string_view bytes)> on_body{};
  std::function<void(const Response& head)> on_head{};

  std::optional<std::uint64_t> max_size{};  // exact limit on the decoded body in bytes; null: Limits::max_body_bytes

  bool http1 = false;     // true: HTTP/1.1 is used, whatever ConnectionOptions::http2 says
  bool record = false;    // fill Response::recording, for each exchange
  bool keep_body = true;  // false: the body is decoded, counted and limited, but not stored in Response
};

// --- recordings -----------------------------------------------------------------------------------------------------

// The reason why the recorded body is not complete.
enum class RecordingCut : std::uint8_t {
  none,         // it is complete
  length,       // it reached a size limit
  time,         // it reached a time limit
  disconnect,   // the connection ended
  unspecified,  // a handler ended it, or the body is not encoded as Content-Encoding says
};

// The bytes of one exchange as they went over the wire, for archives. Request::record asks for it. Each redirect and
// each answered challenge has a recording of its own, in the responses of Response::previous.
// Each head ends with its empty line. HTTP/2 has frames in place of such heads. For HTTP/2 the recording contains the
// text that libcurl makes from the frames, with CRLF at the end of each line. The value of Proxy-Authorization is
// replaced by a note.
// Thread rule: a finished recording never changes.
struct Recording {
  std::string request_head;   // with the request line; the body of the request is not recorded
  std::string response_head;  // the final one, not an interim one (1xx); empty: no complete head came
  // The body of the response as received: with its content coding, without the framing of chunks. Empty if
  // `body_is_plain`.
  std::string body;
  std::shared_ptr<const SpoolFile> body_rest;  // the rest after the first MiB, as in Response::body_rest
  // True: the body had no content coding, so it is stored only once, in Response::body. A handler may have changed it
  // there.
  bool body_is_plain = false;
  RecordingCut cut = RecordingCut::none;
  std::string peer;  // the server's address: "192.0.2.1:443", "[2001:db8::1]:443"; empty: unknown
  Timestamp requested_at;
};

// --- responses ------------------------------------------------------------------------------------------------------

// The origin of a response. `server` and `redirect_refused` come from a server, `handler` comes from the program. All
// others are synthetic: the agent makes them, with the status that LWP uses.
enum class ResponseSource : std::uint8_t {
  server,
  handler,             // a request_send handler gave it
  robots_denied,       // robots.txt disallows the URL, or a rule of the program itself (RobotRules::push_rules())
  robots_unreachable,  // robots.txt could not be fetched, so all URLs of the site are disallowed
  // The site must not be asked yet, and the agent does not wait: RobotUAOptions::use_sleep is off, or a redirect leads
  // to a site that gave no answer to the last request.
  too_early,
  parked,            // a wait above RobotUAOptions::max_wait, or Blocked (store.hpp); a crawl leaves the URL out
  invalid_request,   // the request cannot be sent in this form; code 501: its scheme is neither http nor https
  address_refused,   // the address guard refused the address; ConnectionOptions::guard can permit it
  port_refused,      // ConnectionOptions does not permit the port
  redirect_refused,  // a redirect of a server that the agent does not follow
  network,           // the connection failed or broke
  timeout,           // a time limit ended the request
  tls,               // the certificate of the server, or its version or cipher of TLS, was not accepted
  bad_response,      // the server did not send valid HTTP, or its head exceeds Limits
  body_refused,      // the body cannot be decoded, is incomplete, exceeds Limits, or cannot be written to its file
  store,             // the store failed; a robot fetches nothing without it
  cancelled,         // Pending::cancel(), or the agent was destroyed
  disk_full,         // there is no room on the disk for a temporary file or for the store
  disk_too_small,    // the disk has room for a part of the body, but not for all of it
  internal,          // out of memory, a failure of the temporary file, or a handler or callback of the program threw
  proxy_failed,      // the proxy cannot be reached, its certificate was not accepted, or it refuses the agent (407)
  proxy_refused,     // the proxy could not, or did not want to, fetch from this site; `code` may be its status
};
// Returns a stable code: "server", "robots-denied" ... A view of a literal.
ROBOTRULES_API std::string_view to_string(ResponseSource source) noexcept;

// Why a robot waits before it sends a request to a site.
enum class WaitReason : std::uint8_t {
  none,          // it does not wait
  delay,         // Pace::delay, after the last request
  crawl_delay,   // the Crawl-delay of its robots.txt, which is longer; the same for the next two
  request_rate,  // its Request-rate
  adaptive,      // Pace::adaptive, after a slow response
  visit_time,    // its Visit-time has not begun
  penalty,       // the server has asked for a pause (429, 503, Retry-After)
  in_flight,     // requests to it are not answered yet
  away,          // it gave no answer to the last request
  just_visited,  // the store was lost, so the site may have been visited just now
  store,         // the server of the store does not answer
  // The next four are waits of a crawl between two tries of a URL.
  robots_txt,  // the robots.txt of its site could not be fetched
  disk,        // there was no room on a disk
  proxy,       // the proxy failed
  network,     // the robot's own network failed
};
// Returns a stable code: "delay", "crawl-delay", "visit-time" ... A view of a literal.
ROBOTRULES_API std::string_view to_string(WaitReason reason) noexcept;

// The cause of a failure that lasts: repeating the request soon cannot succeed, so a crawl tries it only once.
enum class FailureCause : std::uint8_t {
  none,                      // there was no failure, or it may be temporary
  name_unknown,              // the name server says that the host does not exist or has no address
  address_refused,           // the address guard refused the address of the host
  port_refused,              // ConnectionOptions does not permit the port
  certificate_not_verified,  // the certificate of the server was checked and not accepted, or it cannot be checked
};
// Returns a stable code: "none", "name-unknown", "address-refused" ... A view of a literal.
ROBOTRULES_API std::string_view to_string(FailureCause cause) noexcept;

// The decision of a robots.txt about one URL, and the facts behind it.
struct RobotsNote {
  // The decision: that of the rules, or that of the policy if there are no rules. Unknown: there is none yet.
  Access access = Access::unknown;
  Verdict verdict;  // of the rules; unknown if there are none. It refers to `rules`, so it is valid as long as they are
  std::optional<Rules> rules;  // null: there are no rules, as after 404
  RobotsOutcome outcome = RobotsOutcome::rules;
  bool stale = false;      // the rules are those of the last good copy, because robots.txt cannot be fetched now
  int status = 0;          // of the answer for robots.txt; 0: none
  bool truncated = false;  // robots.txt is longer than the size limit, and the rest was not read
  bool is_html = false;    // a web page was served in place of robots.txt
  Timestamp fetched_at;
  std::string url;                          // of robots.txt, after redirects if it was fetched
  std::string warning;                      // why robots.txt could not be fetched, or why there is no decision
  FailureCause cause = FailureCause::none;  // the lasting cause behind `warning`; none: it may be temporary
  std::chrono::seconds age{0};              // of the record at the time of the decision
  std::optional<Timestamp> try_again_at;    // when to try again, if robots.txt could not be fetched
  // What a request for the URL would have met, if consult() gives no decision: proxy_failed, store ... Else `server`.
  ResponseSource source = ResponseSource::server;
};

// A response, from a server or from the agent itself.
struct ROBOTRULES_API Response {
  int code = 0;         // HTTP status
  std::string message;  // the reason phrase
  Headers headers;
  // Decoded (gzip, br, zstd). Empty if it went to Request::to_file or `on_body`, or if Request::keep_body is false;
  // body_size then still counts its bytes.
  std::string body;
  // The rest of the body after the first MiB, if UserAgentOptions::spool_folder is set; null: `body` is complete.
  std::shared_ptr<const SpoolFile> body_rest;
  std::string method;  // of the request
  std::string url;     // of the request, as it is sent; if it could not be read, as given but without userinfo
  std::string found;   // the same URL in the spelling that was asked for, or of the Location; empty: as `url`
  ResponseSource source = ResponseSource::server;
  std::string warning;  // why it is synthetic, cut, or a redirect that was not followed; else empty
  // The lasting cause of a failure, of this request or of the fetch of the site's robots.txt (robots_unreachable).
  FailureCause cause = FailureCause::none;
  bool truncated = false;            // the body was cut by the size limit, Request::on_body or a handler
  bool end_unknown = false;          // it came over HTTP/2 without Content-Length, so it may be cut
  std::uint64_t body_size = 0;       // bytes of the decoded body
  std::uint64_t bytes_received = 0;  // bytes of the body as received, before decoding
  std::string peer;                  // the server's address: "192.0.2.1:443"; empty: unknown
  int http_version = 0;              // 10, 11 or 20; 0: no server answered
  Timestamp requested_at;
  Timestamp received_at;
  // When to try again: for too_early, parked and robots_unreachable, and for robots_denied if the whole site is denied.
  std::optional<Timestamp> try_again_at;
  std::shared_ptr<const RobotsNote> robots;  // null: robots.txt was not consulted
  // How long the last request waited for the turn of its site, and why for the longest part of that time. If no request
  // was sent because the wait was too long (too_early, parked): why it would have to wait.
  std::chrono::microseconds waited{0};
  WaitReason waited_for = WaitReason::none;
  // The redirect or challenge before this response; null: none. It has no body, unless it has a recording that needs
  // the body (Recording::body_is_plain).
  std::shared_ptr<const Response> previous;
  // Set if Request::record asked for it and a request was sent. In a synthetic response it contains the bytes up to the
  // failure.
  std::shared_ptr<const Recording> recording;
  // For the agent only: while it exists, the memory of this response counts for UserAgentOptions::max_memory (see
  // count_responses there).
  std::shared_ptr<agent::MemoryHold> memory;

  bool is_success() const noexcept { return code >= 200 && code < 300; }
  bool is_redirect() const noexcept { return code >= 300 && code < 400; }
  bool is_error() const noexcept { return code < 200 || code >= 400; }
  // Returns true if the agent made the response. False if a server or a handler gave it.
  bool is_synthetic() const noexcept {
    return source != ResponseSource::server && source != ResponseSource::handler &&
           source != ResponseSource::redirect_refused;
  }
  // Returns `found`, or `url` if both are the same.
  const std::string& as_found() const noexcept ROBOTRULES_LIFETIMEBOUND { return found.empty() ? url : found; }
  // Returns the status that a server or a handler sent; 0 if the agent made the response.
  int received_status() const noexcept { return is_synthetic() ? 0 : code; }
  // Returns a view of the whole body, in memory and in the temporary file.
  BodyView whole_body() const noexcept ROBOTRULES_LIFETIMEBOUND { return BodyView(body, body_rest.get()); }
  // Returns the recorded body; empty if nothing was recorded.
  BodyView recorded_body() const noexcept ROBOTRULES_LIFETIMEBOUND {
    if (recording == nullptr) return {};
    return recording->body_is_plain ? whole_body() : BodyView(recording->body, recording->body_rest.get());
  }
  // Returns the time of Last-Modified; null if the field is missing or is not a date.
  std::optional<Timestamp> last_modified() const;
  // Returns `body` in UTF-8 if its media type is text, HTML, XML or JSON, as HTTP::Message does. The charset comes from
  // Content-Type, the byte order mark or the body's own declaration. Other bodies are returned unchanged. If body_rest
  // is set, only the part in memory is returned.
  std::string decoded_content() const;
  // Returns status and reason: "404 Not Found".
  std::string status_line() const { return std::to_string(code) + ' ' + message; }
  // Returns true if a redirect led to this URL.
  bool was_redirected() const noexcept;
  // Returns the redirects and challenges before this response, oldest first.
  std::vector<std::shared_ptr<const Response>> redirects() const;
};

}  // namespace robotrules
