#include <robotrules/robot_ua.hpp>

#include <future>
#include <memory>
#include <utility>

#include <robotrules/user_agent.hpp>

#include "http/judgement.hpp"

namespace robotrules {
namespace {

RobotsEnd end_of(const Response& response, const RobotsRequest& request) {
  switch (response.source) {
    case ResponseSource::proxy_failed:
    case ResponseSource::proxy_refused: return RobotsEnd::by_proxy;
    case ResponseSource::store: return RobotsEnd::ours;
    // Other settings may permit the address at the next start. That of a redirect is the site's fault.
    case ResponseSource::address_refused: return request.hops.empty() ? RobotsEnd::ours : RobotsEnd::failed;
    default: break;
  }
  if (!response.is_synthetic()) return RobotsEnd::answered;
  const bool is_ours = agent::end_of(response.source, response.cause) == agent::ExchangeEnd::ours;
  return is_ours ? RobotsEnd::ours : RobotsEnd::failed;
}

// Makes one exchange; the deadline cancels it, whatever the agent's own limits are.
Response exchange(UserAgent& agent, Request request, const FetchRobotsOptions& options) {
  const auto answer = std::make_shared<std::promise<Response>>();
  auto arrived = answer->get_future();
  const Pending pending =
      agent.start_simple(std::move(request), [answer](Response response) { answer->set_value(std::move(response)); });
  if (options.deadline && arrived.wait_until(*options.deadline) != std::future_status::ready) pending.cancel();
  return arrived.get();
}

}  // namespace

RobotsExchange robots_exchange(RobotsRequest request, Response response) {
  RobotsExchange exchange{.request = std::move(request)};
  exchange.end = end_of(response, exchange.request);
  exchange.requested_at = response.requested_at;
  exchange.received_at = response.received_at;
  exchange.status = response.received_status();
  exchange.failure = std::move(response.warning);
  if (exchange.end != RobotsEnd::answered) return exchange;
  exchange.headers = std::move(response.headers);
  exchange.is_cut = response.truncated;
  exchange.is_whole = !response.end_unknown;
  if (response.body_rest == nullptr) {
    exchange.body = std::move(response.body);
  } else if (auto whole = response.whole_body().text()) {
    exchange.body = std::move(whole).value();
  } else {
    exchange.end = RobotsEnd::ours;
    exchange.failure = whole.error().message;
  }
  return exchange;
}

FetchedRobots fetch_robots(UserAgent& agent, std::string url, const FetchRobotsOptions& options) {
  RobotsExchange next{.request = {.url = std::move(url)}};
  Response last;
  for (;;) {
    RobotsStep step = robots_step(std::move(next), nullptr, options.policy, last.received_at);
    if (auto* result = std::get_if<RobotsResult>(&step)) return {std::move(*result), std::move(last)};
    RobotsRequest& asked = std::get<RobotsRequest>(step);
    Request request;
    request.url = asked.url;
    request.headers = asked.headers;
    request.max_size = options.policy.body_limit;
    request.http1 = true;  // the end of an answer over HTTP/2 may not be certain
    for (const HeaderField& field : options.headers) request.headers.set(field.name, field.value);
    if (!request.headers.has("Accept-Encoding")) request.headers.set("Accept-Encoding", "gzip");
    last = exchange(agent, std::move(request), options);
    next = robots_exchange(std::move(asked), last);
    if (next.end == RobotsEnd::by_proxy) next.end = RobotsEnd::failed;
    last.body.clear();
    last.body_rest.reset();
  }
}

}  // namespace robotrules
