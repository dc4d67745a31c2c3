// Messages: what a user agent is asked for, and what comes back from a server or from the agent itself.
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

#include <robotrules/headers.hpp>
#include <robotrules/result.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/store.hpp>

namespace robotrules {

// Bodies that may be too long for memory: the beginning is in memory, the rest is in a temporary file.
//
//     const robotrules::BodyView body = response.whole_body();
//     auto done = body.for_each_piece([&](std::string_view piece) { return write(piece); });  // a Result<void>
//     if (!done) std::cerr << done.error().message << '\n';

namespace agent {
class MemoryHold;  // counts the memory of a response against its agent's limit
}

// A temporary file without a name: it is gone when the last owner lets go of it.
// Thread rule: read() may be called from any thread once nothing is appended any more.
class SpoolFile {
 public:
  // Error "spool-failed": the file can't be made, written or read.
  static Result<std::shared_ptr<SpoolFile>> make(const std::string& folder);
  ~SpoolFile();
  SpoolFile(const SpoolFile&) = delete;
  SpoolFile& operator=(const SpoolFile&) = delete;

  Result<void> append(std::string_view bytes);
  std::uint64_t size() const noexcept { return size_; }
  // Reads up to `room` bytes from `offset` on into `to`; returns how many, 0 at the end.
  Result<std::size_t> read(std::uint64_t offset, char* to, std::size_t room) const;

 private:
  SpoolFile(std::string folder, int file) : folder_(std::move(folder)), file_(file) {}
  std::string folder_;
  int file_;
  std::uint64_t size_ = 0;
};

// All of a body. It looks into the response that it came from, which must outlive it.
class BodyView {
 public:
  BodyView() = default;
  explicit BodyView(std::string_view in_memory, const SpoolFile* rest = nullptr) noexcept
      : in_memory_(in_memory), rest_(rest) {}

  std::uint64_t size() const noexcept { return in_memory_.size() + (rest_ != nullptr ? rest_->size() : 0); }
  // The beginning: all of it where is_in_memory().
  std::string_view in_memory() const noexcept { return in_memory_; }
  bool is_in_memory() const noexcept { return rest_ == nullptr; }
  // Calls `each` with one piece after the other, the part in memory first and then at most 64 KiB at once. An error of
  // `each` ends it and is returned. Error "spool-failed" where the file can't be read.
  Result<void> for_each_piece(const std::function<Result<void>(std::string_view piece)>& each) const;
  // All of it in one string.
  Result<std::string> text() const;

 private:
  std::string_view in_memory_;
  const SpoolFile* rest_ = nullptr;
};

// Request: what a user agent is asked to fetch, and where the answer's body goes.

// Where the octets of a request's body come from. Bodies are sent again after a redirect that keeps the method (307,
// 308), so each can be read anew.
class BodySource {
 public:
  virtual ~BodySource() = default;
  BodySource(const BodySource&) = delete;
  BodySource& operator=(const BodySource&) = delete;

  // Octets in all; null: not known before the end (sent in chunks).
  virtual std::optional<std::uint64_t> size() const = 0;
  // From the beginning again; false where that can't be done.
  virtual bool rewind() = 0;
  // Up to `room` octets into `to`; 0 at the end; null where it can't be read, which ends the transfer.
  virtual std::optional<std::size_t> read(char* to, std::size_t room) = 0;

 protected:
  BodySource() = default;
};
std::shared_ptr<BodySource> body_of(std::string octets);
// Opened when it is first read.
std::shared_ptr<BodySource> body_of_file(std::string path);
// Streamed: `next` answers a piece, and an empty one at the end. It is asked once only: no redirect repeats it.
std::shared_ptr<BodySource> body_of_callback(std::function<std::string()> next,
                                             std::optional<std::uint64_t> size = std::nullopt);

using FormFields = std::vector<std::pair<std::string, std::string>>;
// application/x-www-form-urlencoded.
std::string form_urlencoded(const FormFields& fields);

// One part of a multipart/form-data body.
struct FormPart {
  std::string name;
  std::shared_ptr<BodySource> body;
  std::string filename;      // empty: a plain field
  std::string content_type;  // empty: none is sent
};
struct MultipartForm {
  std::shared_ptr<BodySource> body;  // streamed: files are never in memory whole
  std::string content_type;          // with its boundary
};
MultipartForm multipart_form(std::vector<FormPart> parts);

struct Request {
  std::string method = "GET";
  std::string url{};  // absolute; a fragment is not sent
  // Besides the agent's own; one of the same name replaces it. Content-Length and Transfer-Encoding are left out: they
  // are what the body says.
  Headers headers{};
  // False: a redirect to another origin drops them all, and not only those with secrets (Authorization, Cookie ...).
  bool headers_cross_origins = true;
  std::shared_ptr<BodySource> body{};

  // Where the body of a success (2xx) goes instead of into Response::body. A file is written beside its name and then
  // moved there, so that it is there whole or not at all (a body that is cut, see Response::truncated, is not put
  // there); `each` answers false to end the transfer, which is marked by Response::truncated.
  std::string to_file{};
  std::function<bool(std::string_view octets)> each{};

  std::optional<std::uint64_t> max_size{};  // octets of the decoded body, exact; the agent's where left out

  bool record = false;    // Response::recording, for each hop
  bool keep_body = true;  // false: a body is decoded, counted and held to all limits, but not in Response::body
};

// Recording: what went over the wire for one response, octet by octet; for archives.

// Why a recorded response ends before its end.
enum class RecordingCut : std::uint8_t {
  none,
  length,       // at a limit on its size
  time,         // at a deadline
  disconnect,   // the connection ended
  unspecified,  // a handler, or a body that is not encoded as it says
};

// Of one exchange: each redirect and each answered challenge has its own, along Response::previous. Asked for by
// Request::record. Heads end with their empty line; with HTTP/2, which has none, they are those that libcurl makes of
// its frames, with CRLF line ends.
// Thread rule: never changed once it is there.
struct Recording {
  std::string request_head;   // with the request line; the request's body is not kept
  std::string response_head;  // the last one: not that of an interim response (1xx); empty: none came whole
  // Of the response, as it came: with its content coding, without chunks. Empty where `body_is_plain`.
  std::string body;
  std::shared_ptr<const SpoolFile> body_rest;  // as Response::body_rest
  bool body_is_plain = false;  // nothing was encoded, and Response::body, unless a handler changed it, is what came
  RecordingCut cut = RecordingCut::none;
  std::string peer;  // "192.0.2.1:443", "[2001:db8::1]:443"; empty: unknown
  Timestamp requested_at;
};

// Response: what came back, from a server or from the agent itself.

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
