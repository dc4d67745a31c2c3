// Response: what came back, from a server or from the agent itself.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/body.hpp>
#include <robotrules/gate.hpp>
#include <robotrules/headers.hpp>
#include <robotrules/recording.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/store.hpp>
#include <robotrules/verdict.hpp>

namespace robotrules {

// Who made a response. `server` and `redirect_refused` are a server's own, `handler` is the program's; all others are
// synthetic: the agent's own words, with the status that LWP gives them.
enum class ResponseSource : std::uint8_t {
  server,
  handler,             // a request_send handler answered
  robots_denied,       // robots.txt disallows the URL
  robots_unreachable,  // robots.txt could not be had, so all is disallowed
  too_early,           // the site must be left alone for now, and the agent does not wait
  parked,              // the site asked to be left alone for longer than the agent waits
  invalid_request,     // the request can't be sent as it is
  address_refused,     // the address guard refused where the name leads
  port_refused,        // ConnectionOptions does not permit the port
  redirect_refused,    // a server's redirect that is not followed, as it leads where the agent does not go
  network,             // no connection, or it broke
  timeout,
  tls,           // the server's certificate or handshake will not do
  bad_response,  // what the server sent is no HTTP, or goes beyond the agent's limits for headers
  body_refused,  // the body can't be decoded, is cut short, or can't be written
  store,         // the store failed; nothing is fetched without it
  cancelled,
  internal,  // the agent itself: no memory for it, or a handler or callback of the program threw
};
// "server", "robots-denied", ...
std::string_view to_string(ResponseSource source) noexcept;

// What robots.txt said of the URL of a response.
struct RobotsNote {
  Verdict verdict;             // looks into `rules`
  std::optional<Rules> rules;  // where a robots.txt was had
  RobotsOutcome outcome = RobotsOutcome::rules;
  bool stale = false;      // the last good copy stands in for one that can't be had
  int status = 0;          // of the robots.txt
  bool truncated = false;  // it is longer than what is read of one
  Timestamp fetched_at;
  std::string url;                     // of the robots.txt: where it came from in the end, else where it was looked for
  std::string warning;                 // why it can't be had, where that is known; where there is no answer at all, why
  std::chrono::seconds age{0};         // of the record when it was used
  std::optional<Timestamp> come_back;  // when asking again makes sense
};

struct Response {
  int code = 0;
  std::string message;  // the reason phrase
  Headers headers;
  std::string body;  // decoded (gzip, br, zstd); empty where it went elsewhere
  // What follows the first MiB of the body, where UserAgentOptions::spool_folder is set; null: `body` is all of it.
  std::shared_ptr<const SpoolFile> body_rest;
  std::string method;
  std::string url;  // that was asked for; a synthetic response has it without its userinfo
  ResponseSource source = ResponseSource::server;
  std::string warning;            // of a synthetic response, or of one that was cut: what happened, as a sentence
  bool truncated = false;         // the body was cut: at the size limit, or by Request::each or a handler
  std::uint64_t body_size = 0;    // octets, decoded
  std::uint64_t octets_read = 0;  // of the body as they came over the wire
  std::string peer;               // "192.0.2.1:443"
  int http_version = 0;           // 10, 11, 20; 0: none
  Timestamp requested_at;
  Timestamp received_at;
  std::optional<Timestamp> come_back;        // of too_early, parked, robots_unreachable: when to try again
  std::shared_ptr<const RobotsNote> robots;  // where robots.txt was asked
  // The redirect or challenge that led here. Its body is not kept, unless it is recorded and was not encoded.
  std::shared_ptr<const Response> previous;
  // Where Request::record asked for it and something was sent; of a synthetic response, how far it came.
  std::shared_ptr<const Recording> recording;
  // Counts the memory of this response against UserAgentOptions::max_memory (see count_responses there).
  std::shared_ptr<agent::MemoryHold> memory;

  bool is_success() const noexcept { return code >= 200 && code < 300; }
  bool is_redirect() const noexcept { return code >= 300 && code < 400; }
  bool is_error() const noexcept { return code < 200 || code >= 400; }
  // Made by the agent and not by a server.
  bool is_synthetic() const noexcept {
    return source != ResponseSource::server && source != ResponseSource::handler &&
           source != ResponseSource::redirect_refused;
  }
  BodyView whole_body() const noexcept { return BodyView(body, body_rest.get()); }
  // The recorded body; empty where nothing was recorded.
  BodyView recorded_body() const noexcept {
    if (recording == nullptr) return {};
    return recording->body_is_plain ? whole_body() : BodyView(recording->body, recording->body_rest.get());
  }
  // What Last-Modified says; null where it is missing or no date.
  std::optional<Timestamp> last_modified() const;
  // The body as text in UTF-8, where its media type is text, XML or JSON: decoded by the charset of its Content-Type,
  // its byte order mark or what it says itself, as HTTP::Message does. Other bodies as they are. Of a body that goes on
  // in a file the part in memory.
  std::string decoded_content() const;
  // "404 Not Found".
  std::string status_line() const { return std::to_string(code) + ' ' + message; }
  // The responses that led here, the first first.
  std::vector<std::shared_ptr<const Response>> redirects() const;
};

}  // namespace robotrules
