// A transport without a network: it answers from a table, on the loop's time, and remembers all that was asked.
//
//   ScriptedTransport transport(*loop);
//   transport.on("http://a.test/robots.txt", {.body = "User-agent: *\nDisallow: /x\n"});
//   transport.on("http://a.test/page", {{.status = 503, .headers = {{"Retry-After", "9"}}}, {.body = "here"}});
//   transport.on("*/slow", {.latency = 30s});
//   transport.on("http://dead.test/", failure(TransferError::connect));
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <robotrules/seams/transport.hpp>

namespace robotrules::test {

struct WireReply {
  int status = 200;
  Headers headers = {};  // Content-Length is added where neither it nor Transfer-Encoding is here
  std::string body = {};
  std::chrono::microseconds latency{0};       // from the request to the whole answer
  int http_version = 11;                      // 20: no Content-Length is added
  TransferError error = TransferError::none;  // after what is above; with status 0 there is nothing above
  bool connected = true;                      // false: there was no connection
};
WireReply failure(TransferError error, std::chrono::microseconds latency = {});

struct WireRequest {
  Timestamp at;                       // by the time of day
  std::chrono::microseconds since{};  // the beginning, by the clock that never jumps
  std::string method;
  std::string url;
  Headers headers;
  bool cancelled = false;
  std::vector<std::string> addresses = {};  // one of which it must go to
  bool http1 = false;                       // Transfer::http1
};

class ScriptedTransport final : public Transport {
 public:
  explicit ScriptedTransport(Loop& loop) : loop_(loop) {}

  using Answer = std::function<WireReply(const WireRequest&)>;
  // What a URL answers: a whole one goes before "*/path", which is that path (and query) of any host, and that before
  // "*", which is everything. A later route replaces an earlier one. What has no route is 404.
  void on(std::string url, Answer answer) { routes_[std::move(url)] = std::move(answer); }
  void on(std::string url, WireReply reply);
  // The first for the first request, and so on; the last for all that follow.
  void on(std::string url, std::initializer_list<WireReply> replies);

  const std::vector<WireRequest>& log() const noexcept { return log_; }
  // Those of one URL, or with "*/path" of that path.
  std::vector<WireRequest> log(std::string_view url) const;
  std::size_t count(std::string_view url) const { return log(url).size(); }
  // The most that were in flight at once.
  std::size_t most_in_flight() const noexcept { return most_in_flight_; }
  std::size_t in_flight() const noexcept { return running_.size(); }

  // The addresses of a host; of others nothing is known.
  void resolves(std::string host, std::vector<std::string> addresses) {
    names_[std::move(host)] = std::move(addresses);
  }
  // How often names were asked for.
  std::size_t lookups() const noexcept { return lookups_; }

  Id start(Transfer transfer, TransferHandler& handler) override;
  void resolve(const Origin& origin, const ConnectionOptions& connection, Addresses found) override;
  void cancel(Id id) override;

 private:
  struct Running {
    Loop::TimerId timer;
    std::size_t logged;
  };
  void deliver(Id id, TransferHandler& handler, const WireReply& reply);

  Loop& loop_;
  std::map<std::string, Answer, std::less<>> routes_;
  std::vector<WireRequest> log_;
  std::map<Id, Running> running_;
  std::map<std::string, std::vector<std::string>> names_;
  std::size_t lookups_ = 0;
  std::size_t most_in_flight_ = 0;
  Id last_ = 0;
};

}  // namespace robotrules::test
