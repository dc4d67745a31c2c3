// Redirects of a call: by the server, or by a handler.
#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "fields/redirect.hpp"
#include "http/call.hpp"
#include "http/handlers.hpp"

namespace robotrules::agent {

Result<Call::NextHop> Call::redirect_of(const Response& response) const {
  const UserAgentOptions& options = settings_->options;
  const auto refused = [](std::string why) { return Error{"redirect-refused", std::move(why)}; };
  if (redirects_ >= options.max_redirect) {
    return refused("the limit of " + std::to_string(options.max_redirect) + " redirects is reached");
  }
  const auto location = response.headers.get("Location");
  if (!location || base::trimmed(*location).empty()) return refused("it has no Location");
  auto next = resolve_url(url_, base::trimmed(*location), options.limits.max_url_bytes);
  if (!next) return refused(next.error().message);
  std::string method = request_.method;
  const auto& methods = options.redirected_methods;
  if (std::find(methods.begin(), methods.end(), method) == methods.end()) {
    return refused(method + " is not in UserAgentOptions::redirected_methods");
  }
  if ((response.code == 302 || response.code == 303) && method != "GET" && method != "HEAD") method = "GET";
  // With a jar, a page may set a cookie and redirect to itself.
  if (options.cookies == nullptr && was_asked(method, next.value().text)) {
    return refused("it leads in a loop, back to " + next.value().text);
  }
  if (is_downgrade(url_.origin, next.value().origin) && !options.allow_downgrade) {
    return refused("it leads from https to http, and UserAgentOptions::allow_downgrade is off");
  }
  Url& url = next.value();
  url.user.clear();  // a server tells nobody how to log in elsewhere
  url.password.clear();
  return NextHop{std::move(method), std::move(url)};
}

// Returns true if the call has sent this request already.
bool Call::was_asked(std::string_view method, std::string_view url) const {
  if (method == request_.method && url == url_.text) return true;
  for (const Response* hop = previous_.get(); hop != nullptr; hop = hop->previous.get()) {
    if (hop->method == method && hop->url == url) return true;
  }
  return false;
}

// Decides from the head alone. Returns false if the program or a handler may decide otherwise after the body.
bool Call::will_be_followed(const Response& response) const {
  const UserAgentOptions& options = settings_->options;
  if (kind_ == CallKind::simple || options.max_redirect == 0 || !is_redirect_status(response.code)) return false;
  const bool is_asked = options.redirect_ok || std::any_of(handlers_->begin(), handlers_->end(), [](const auto& known) {
                          return known.phase == Phase::response_redirect || known.phase == Phase::response_done;
                        });
  if (is_asked) return false;
  return redirect_of(response).ok();
}

// Changes the request into the one that a handler returned. Returns false if no handler returned one.
bool Call::is_redirected_by_handler(Response& response) {
  if (redirects_ >= settings_->options.max_redirect) return false;
  HandlerCall seen{.request = &request_, .response = &response};
  std::optional<Request> given;
  run_handlers(*handlers_, Phase::response_redirect, seen, [&](HandlerAnswer answer) {
    given = std::move(answer.request);
    return given.has_value();
  });
  if (!given) return false;
  ++redirects_;
  challenges_answered_ = 0;
  request_ = *std::move(given);
  return true;
}

// Changes the request into the next one. Returns false if the response is final.
bool Call::follow(Response& response) {
  const UserAgentOptions& options = settings_->options;
  if (options.max_redirect == 0) return false;
  const auto refuse = [&](const std::string& why) {
    response.source = ResponseSource::redirect_refused;
    response.warning = response.url + ": the redirect is not followed: " + why;
    return false;
  };
  auto next = redirect_of(response);
  if (!next) return refuse(next.error().message);
  NextHop& hop = next.value();
  Request request = request_;
  if (hop.method != request.method) {  // it has become a GET
    request.body.reset();
    for (const std::string_view name : {"Content-Type", "Content-Encoding", "Content-Language", "Content-Location"}) {
      request.headers.remove(name);
    }
  }
  request.method = std::move(hop.method);
  if (hop.url.origin != url_.origin) {  // these fields were meant for the first site only
    if (!request.headers_cross_origins) drop_own_headers(request.headers);
    for (const std::string_view name : {"Cookie", "Referer"}) request.headers.remove(name);
    if (!options.allow_credentialed_redirects) {
      for (const std::string_view name : {"Authorization", "Proxy-Authorization"}) request.headers.remove(name);
    }
  }
  if (!request.headers_cross_origins) {
    for (const std::string_view name : {"If-None-Match", "If-Modified-Since"}) request.headers.remove(name);
  }
  request.headers.remove("Host");
  request.url = hop.url.text;
  if (options.redirect_ok && !options.redirect_ok(request, response)) {
    return refuse("the program's redirect_ok returned false");
  }
  ++redirects_;
  challenges_answered_ = 0;
  request_ = std::move(request);
  read_ = hop.url.text;  // it keeps the spelling of the Location
  url_ = std::move(hop.url);
  return true;
}

// Removes the fields that the program set in the request. The agent's own fields are added again for the next hop.
void Call::drop_own_headers(Headers& headers) {
  for (const std::string& name : own_headers_) headers.remove(name);
  own_headers_.clear();
}

}  // namespace robotrules::agent
