// Request: what a user agent is asked to fetch, and where the answer's body goes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <robotrules/headers.hpp>

namespace robotrules {

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

}  // namespace robotrules
