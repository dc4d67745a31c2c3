#include <robotrules/robots_step.hpp>

#include <utility>

#include <robotrules/url.hpp>

#include "answer/next_record.hpp"
#include "answer/robots_body.hpp"
#include "base/ascii.hpp"
#include "base/userinfo.hpp"
#include "fields/redirect.hpp"

namespace robotrules {
namespace {

using answer::FileAnswer;

// Returns the request for `url`. It is conditional if the copy came from there.
RobotsRequest request_for(std::string url, Timestamp at, const RobotsRecord* record) {
  RobotsRequest request{.url = std::move(url), .at = at};
  request.headers.add("Accept", "text/plain, */*;q=0.5");
  if (record != nullptr && record->body != nullptr && record->url == request.url) {
    if (!record->etag.empty()) request.headers.add("If-None-Match", record->etag);
    if (!record->last_modified.empty()) request.headers.add("If-Modified-Since", record->last_modified);
  }
  return request;
}

bool is_conditional(const RobotsRequest& request) {
  return request.headers.has("If-None-Match") || request.headers.has("If-Modified-Since");
}

std::string& first_url(RobotsRequest& request) { return request.hops.empty() ? request.url : request.hops.front(); }

// Returns true for statuses with which the server has not treated the request: it had waited too long for one, does
// not serve the site on this connection, or takes no early request (RFC 9110 sections 15.5.9 and 15.5.20, RFC 8470
// section 5.2).
bool is_about_connection(int status) { return status == 408 || status == 421 || status == 425; }

// Returns why an answer says nothing about the file, although other errors of the client mean "not there".
std::string_view why_not_about_file(int status) {
  switch (status) {
    case 407: return "a proxy wants to know who asks";
    case 426: return "it asks for another protocol";
    default: return {};
  }
}

// Decides one exchange.
class Decision {
 public:
  Decision(RobotsExchange&& exchange, const RobotsRecord* record, const RobotsPolicy& policy, Timestamp now)
      : exchange_(std::move(exchange)), record_(record), policy_(policy), now_(now) {}

  RobotsStep answered() {
    const int status = exchange_.status;
    RobotsRequest& request = exchange_.request;
    if (is_about_connection(status) && !request.is_repeated) {
      request.is_repeated = true;
      request.at = now_;
      return std::move(request);
    }
    if (agent::is_redirect_status(status)) return redirected();
    if (status >= 200 && status < 300 && status != 206) {  // no part was asked for
      std::string fault = answer::take_file(exchange_, policy_.body_limit);
      return fault.empty() ? result(FileAnswer::file) : failed(request.url + ": " + fault);
    }
    const bool has_copy = record_ != nullptr && record_->body != nullptr;
    if (status == 304 && is_conditional(request) && has_copy) return result(FileAnswer::unchanged);
    if (const auto why = why_not_about_file(status); !why.empty()) {
      return failed(request.url + " answers " + std::to_string(status) + ", so " + std::string(why));
    }
    return status >= 400 && status < 500 && status != 429 ? without_file({}) : result(FileAnswer::none);
  }

  // The status of an answer that cannot be used is kept only if it says that the fetch failed: the policy judges
  // records by their status, and a failure must not look like a success, or like "not there".
  RobotsStep failed(std::string reason) {
    const int status = exchange_.status;
    const bool says_not_there = status >= 400 && status < 500 && status != 429 && why_not_about_file(status).empty();
    if (status < 300 || says_not_there) exchange_.status = 0;
    return result(FileAnswer::none, std::move(reason));
  }

  RobotsStep refused_by_proxy() {
    const Timestamp at = now_ + answer::retry_wait(policy_, exchange_.refusals);
    return request_for(std::move(first_url(exchange_.request)), at, record_);
  }

 private:
  RobotsStep redirected() {
    RobotsRequest& request = exchange_.request;
    const std::string_view location = base::trimmed(exchange_.headers.get("Location").value_or(""));
    const std::string said = request.url + " redirects (" + std::to_string(exchange_.status) + ") ";
    if (location.empty()) return failed(said + "without a Location");
    std::string target = base::without_userinfo(join_url(request.url, location.substr(0, location.find('#'))));
    const auto from = Origin::of(request.url);
    const auto to = Origin::of(target);
    if (!to) return failed(said + "to a URL that cannot be followed: it is no http or https URL");
    if (from && agent::is_downgrade(*from, *to) && !policy_.allow_downgrade) return failed(said + "from https to http");
    request.hops.push_back(request.url);
    const bool loop = agent::is_loop(request.hops, target);
    if (loop || request.hops.size() > policy_.max_redirects) {
      return without_file(said + (loop ? "in a loop" : "beyond the limit of redirects"));
    }
    RobotsRequest next = request_for(std::move(target), now_, record_);
    next.hops = std::move(request.hops);
    return next;
  }

  // The policy says what it means that there is no file.
  RobotsStep without_file(std::string reason) {
    const PolicyAction action = action_for(RobotsOutcome::unavailable, exchange_.status, policy_);
    return result(action == PolicyAction::unreachable ? FileAnswer::none : FileAnswer::unavailable, std::move(reason));
  }

  RobotsStep result(FileAnswer answer, std::string reason = {}) {
    return RobotsResult{answer::next_record(record_, std::move(exchange_), answer, policy_, now_), std::move(reason)};
  }

  RobotsExchange exchange_;
  const RobotsRecord* record_;
  const RobotsPolicy& policy_;
  Timestamp now_;
};

}  // namespace

RobotsStep robots_step(RobotsExchange exchange, const RobotsRecord* record, const RobotsPolicy& policy, Timestamp now) {
  if (exchange.end == RobotsEnd::not_asked) {
    const bool is_fresh = robots_state(record, policy, now) != RobotsState::unknown;
    return request_for(std::move(exchange.request.url), is_fresh ? record->fresh_until : now, record);
  }
  const RobotsEnd end = exchange.end;
  std::string failure = std::move(exchange.failure);
  Decision decision(std::move(exchange), record, policy, now);
  switch (end) {
    case RobotsEnd::answered: return decision.answered();
    case RobotsEnd::by_proxy: return decision.refused_by_proxy();
    default: return decision.failed(std::move(failure));
  }
}

}  // namespace robotrules
