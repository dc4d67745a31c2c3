#include "support/agent/scripted_transport.hpp"

#include <algorithm>
#include <memory>

namespace robotrules::test {
namespace {

// "*/path?query" of a URL.
std::string any_host(std::string_view url) {
  const std::size_t authority = url.find("://");
  const std::size_t path = authority == std::string_view::npos ? authority : url.find('/', authority + 3);
  return "*" + std::string(path == std::string_view::npos ? "/" : url.substr(path));
}

}  // namespace

WireReply failure(TransferError error, std::chrono::microseconds latency) {
  return {.status = 0, .latency = latency, .error = error};
}

void ScriptedTransport::on(std::string url, WireReply reply) {
  on(std::move(url), [reply = std::move(reply)](const WireRequest&) { return reply; });
}

void ScriptedTransport::on(std::string url, std::initializer_list<WireReply> replies) {
  on(std::move(url), [left = std::vector<WireReply>(replies), next = std::size_t{0}](const WireRequest&) mutable {
    const WireReply& reply = left[std::min(next, left.size() - 1)];
    ++next;
    return reply;
  });
}

std::vector<WireRequest> ScriptedTransport::log(std::string_view url) const {
  std::vector<WireRequest> found;
  for (const WireRequest& request : log_) {
    if (request.url == url || (url.starts_with('*') && any_host(request.url) == url)) found.push_back(request);
  }
  return found;
}

void ScriptedTransport::resolve(const Origin& origin, const ConnectionOptions&, Addresses found) {
  ++lookups_;
  const auto known = names_.find(origin.host);
  auto addresses = known == names_.end() ? std::vector<std::string>() : known->second;
  loop_.post([found = std::move(found), addresses = std::move(addresses)] { found(addresses); });
}

Transport::Id ScriptedTransport::start(Transfer transfer, TransferHandler& handler) {
  log_.push_back(
      {loop_.wall(), loop_.now(), std::move(transfer.method), std::move(transfer.url), std::move(transfer.headers)});
  log_.back().addresses = std::move(transfer.addresses);
  log_.back().http1 = transfer.http1;
  const WireRequest& request = log_.back();
  auto route = routes_.find(request.url);
  if (route == routes_.end()) route = routes_.find(any_host(request.url));
  if (route == routes_.end()) route = routes_.find("*");
  WireReply reply = route == routes_.end() ? WireReply{.status = 404} : route->second(request);
  if (transfer.total_timeout.count() > 0 && reply.latency > transfer.total_timeout) {
    reply = failure(TransferError::timeout, transfer.total_timeout);
  }
  const Id id = ++last_;
  const auto latency = reply.latency;
  const Loop::TimerId timer =
      loop_.after(latency, [this, id, &handler, reply = std::move(reply)] { deliver(id, handler, reply); });
  running_.emplace(id, Running{timer, log_.size() - 1});
  most_in_flight_ = std::max(most_in_flight_, running_.size());
  return id;
}

void ScriptedTransport::cancel(Id id) {
  const auto known = running_.extract(id);
  if (known.empty()) return;
  loop_.cancel(known.mapped().timer);
  log_[known.mapped().logged].cancelled = true;
}

void ScriptedTransport::deliver(Id id, TransferHandler& handler, const WireReply& reply) {
  running_.erase(id);
  bool on = true;
  if (reply.status != 0) {
    on = handler.head_line(reply.status, "Scripted", reply.http_version);
    for (const HeaderField& field : reply.headers) on = on && handler.field(field.name + ": " + field.value);
    const bool has_end = reply.headers.has("Content-Length") || reply.headers.has("Transfer-Encoding");
    if (!has_end && reply.http_version < 20) {
      on = on && handler.field("Content-Length: " + std::to_string(reply.body.size()));
    }
    on = on && handler.head_end();
    if (on && !reply.body.empty()) on = handler.data(reply.body);
  }
  TransferHandler::Done done;
  done.error = on ? reply.error : TransferError::stopped;
  if (done.error != TransferError::none) done.sentence = "the script says so";
  done.peer = "192.0.2.1:80";
  done.connected = reply.connected;
  handler.done(done);
}

}  // namespace robotrules::test
