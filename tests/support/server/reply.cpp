#include "support/server/reply.hpp"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <condition_variable>
#include <mutex>

#include "support/server/bodies.hpp"

namespace robotrules::test {
namespace {

bool named(const HeaderLine& line, std::string_view lower_name) {
  return std::equal(line.name.begin(), line.name.end(), lower_name.begin(), lower_name.end(),
                    [](char left, char right) { return std::tolower(static_cast<unsigned char>(left)) == right; });
}

bool has_body(int status) { return status >= 200 && status != 204 && status != 304; }

}  // namespace

Reply reply(std::string body, std::string type) {
  Reply made;
  if (!type.empty()) made.headers.push_back({"Content-Type", std::move(type)});
  made.body = std::move(body);
  return made;
}

Reply status(int status, std::vector<HeaderLine> headers) {
  Reply made;
  made.status = status;
  made.headers = std::move(headers);
  return made;
}

Reply redirect(int status_code, std::string location) {
  return status(status_code, {{"Location", std::move(location)}});
}

std::string head_of(const Reply& reply) {
  const std::string reason = reply.reason.empty() ? std::string(usual_reason(reply.status)) : reply.reason;
  std::string out = "HTTP/1.1 " + std::to_string(reply.status) + " " + reason + "\r\n";
  bool framed = !has_body(reply.status) || !reply.length;
  for (const HeaderLine& line : reply.headers) {
    out += line.name + ": " + line.value + "\r\n";
    framed = framed || named(line, "content-length") || named(line, "transfer-encoding");
  }
  if (!framed && reply.chunked > 0) out += "Transfer-Encoding: chunked\r\n";
  if (!framed && reply.chunked == 0) out += "Content-Length: " + std::to_string(reply.body.size()) + "\r\n";
  if (reply.close || (!reply.length && reply.chunked == 0)) out += "Connection: close\r\n";
  return out + "\r\n";
}

std::string bytes_of(const Reply& reply) {
  std::string out = head_of(reply);
  if (has_body(reply.status)) out += reply.chunked > 0 ? chunked(reply.body, reply.chunked) : reply.body;
  return out;
}

std::string_view usual_reason(int status) {
  switch (status) {
    case 100: return "Continue";
    case 200: return "OK";
    case 201: return "Created";
    case 202: return "Accepted";
    case 203: return "Non-Authoritative Information";
    case 204: return "No Content";
    case 206: return "Partial Content";
    case 301: return "Moved Permanently";
    case 302: return "Found";
    case 303: return "See Other";
    case 304: return "Not Modified";
    case 307: return "Temporary Redirect";
    case 308: return "Permanent Redirect";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 407: return "Proxy Authentication Required";
    case 410: return "Gone";
    case 418: return "I'm a teapot";
    case 429: return "Too Many Requests";
    case 451: return "Unavailable For Legal Reasons";
    case 500: return "Internal Server Error";
    case 502: return "Bad Gateway";
    case 503: return "Service Unavailable";
    case 504: return "Gateway Timeout";
    default: return "Status";
  }
}

struct Gate::State {
  std::mutex mutex;
  std::condition_variable changed;
  bool open = false;
  std::size_t reached = 0;
  std::vector<std::function<void()>> waiting;
};

Gate::Gate() : state_(std::make_shared<State>()) {}

void Gate::open() const {
  std::vector<std::function<void()>> waiting;
  {
    const std::lock_guard lock(state_->mutex);
    state_->open = true;
    waiting.swap(state_->waiting);
  }
  for (const std::function<void()>& opened : waiting) opened();
}

bool Gate::is_open() const {
  const std::lock_guard lock(state_->mutex);
  return state_->open;
}

bool Gate::wait_reached(std::size_t count, Millis limit) const {
  std::unique_lock lock(state_->mutex);
  return state_->changed.wait_for(lock, limit, [&] { return state_->reached >= count; });
}

bool Gate::arrive(std::function<void()> opened) const {
  const std::lock_guard lock(state_->mutex);
  ++state_->reached;
  state_->changed.notify_all();
  if (!state_->open) state_->waiting.push_back(std::move(opened));
  return state_->open;
}

Handler in_turn(std::vector<Handler> handlers) {
  return [handlers = std::move(handlers),
          next = std::make_shared<std::atomic<std::size_t>>(0)](const SeenRequest& request) -> Answer {
    const std::size_t turn = next->fetch_add(1);
    return handlers[std::min(turn, handlers.size() - 1)](request);
  };
}

}  // namespace robotrules::test
