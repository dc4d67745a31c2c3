// The fetch of one robots.txt, as robots_step() says. It asks the gate of each site.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <robotrules/message.hpp>
#include <robotrules/robots_policy.hpp>
#include <robotrules/robots_step.hpp>
#include <robotrules/store.hpp>

#include "http/http_engine.hpp"
#include "robot/gate_desk.hpp"
#include "url/url.hpp"

namespace robotrules::agent {

// Gives `then` the request to the gate for an origin, and the addresses to connect to if they are among the keys.
// `then` may be called at once or later.
using RobotsGateThen = std::function<void(ReserveRequest request, const std::vector<std::string>& addresses)>;
using RobotsGate = std::function<void(const Origin& origin, const RobotsGateThen& then)>;

// The end of a fetch.
struct RobotsFetchEnd {
  std::optional<RobotsRecord> record{};  // replaces the old one; null: nothing is recorded, ask again at `until`
  Timestamp until{};
  std::string sentence{};                   // why there is no file, in words; empty: the status says it
  FailureCause cause = FailureCause::none;  // the lasting cause of the failure; none: it may be temporary
  // proxy_failed, proxy_refused: a proxy answered in place of the site. too_early: the site must not be asked now, and
  // no request was sent. Else server.
  ResponseSource source = ResponseSource::server;
  WaitReason waits_for = WaitReason::penalty;  // for too_early: why the site must not be asked
};

// Fetches one robots.txt. Destroying it cancels the exchange in flight. Thread rule: the loop's thread.
class RobotsFetch {
 public:
  using Done = std::function<void(RobotsFetchEnd)>;
  RobotsFetch(Engine& engine, GateDesk& desk, std::shared_ptr<StoreSession> session, RobotsGate gate,
              RobotsPolicy policy, std::shared_ptr<const RobotsRecord> old, Done done);
  ~RobotsFetch();
  RobotsFetch(const RobotsFetch&) = delete;
  RobotsFetch& operator=(const RobotsFetch&) = delete;

  // Sets a function that gets each exchange with its recording. Call it before begin().
  void on_exchange(std::function<void(const Response& exchange)> told) { on_exchange_ = std::move(told); }
  // Begins with the robots.txt of `origin`. `jitter` and `refusals`: see RobotsExchange.
  void begin(const Origin& origin, double jitter, std::uint32_t refusals);

 private:
  void hop();
  void ask_gate(ReserveRequest request);
  void gate_answered(Result<ReserveAnswer> answer);
  void send();
  void exchanged(Response response);
  void recorded(Response response);
  void failed(RobotsEnd how, std::string reason, int status = 0);
  void step(RobotsExchange exchange);
  void follow(int status);
  void end(RobotsFetchEnd end);

  Engine& engine_;
  GateDesk& desk_;
  std::shared_ptr<const Settings> settings_;
  std::shared_ptr<StoreSession> session_;
  RobotsGate gate_;
  RobotsPolicy policy_;
  std::shared_ptr<const RobotsRecord> old_;
  Done done_;
  std::function<void(const Response& exchange)> on_exchange_;  // empty: exchanges are not recorded
  double jitter_ = 0;
  std::uint32_t refusals_ = 0;
  RobotsRequest request_;
  Url url_;  // of request_
  std::vector<std::string> addresses_;
  GateDesk::Number asked_ = 0;  // the question to the gate; 0: none
  std::optional<Token> token_;
  std::shared_ptr<Exchange> exchange_;
  bool over_http2_ = false;                               // the server of the URL has refused HTTP/1.1
  bool refuses_http1_ = false;                            // so did the last exchange
  FailureCause cause_ = FailureCause::none;               // of the last exchange
  ResponseSource proxy_source_ = ResponseSource::server;  // of the last exchange, if a proxy ended it
  // Lets later answers see whether this object still exists.
  std::shared_ptr<RobotsFetch*> alive_ = std::make_shared<RobotsFetch*>(this);
};

}  // namespace robotrules::agent
