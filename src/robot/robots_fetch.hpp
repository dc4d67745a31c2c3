// The fetch of one robots.txt: it follows redirects up to the limit of the policy, and asks the gate of each site.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <robotrules/robots_policy.hpp>
#include <robotrules/store.hpp>

#include "http/curl/url.hpp"
#include "http/engine.hpp"
#include "robot/gate_wait.hpp"
#include "robot/robots_outcome.hpp"

namespace robotrules::agent {

// Gives `then` the request to the gate for an origin, and the addresses to connect to if they are among the keys.
// `then` may be called at once or later.
using RobotsGateThen = std::function<void(ReserveRequest request, const std::vector<std::string>& addresses)>;
using RobotsGate = std::function<void(const Origin& origin, const RobotsGateThen& then)>;

// Fetches one robots.txt. Destroying it cancels the exchange in flight. Thread rule: the loop's thread.
class RobotsFetch {
 public:
  using Done = std::function<void(RobotsFetchEnd)>;
  // The request is conditional if `old` came from the same URL and has a validator (ETag or Last-Modified).
  RobotsFetch(Engine& engine, GateDesk& desk, std::shared_ptr<StoreSession> session, RobotsGate gate,
              RobotsPolicy policy, std::shared_ptr<const RobotsRecord> old, Done done);
  ~RobotsFetch();
  RobotsFetch(const RobotsFetch&) = delete;
  RobotsFetch& operator=(const RobotsFetch&) = delete;

  // Sets a function that gets each exchange with its recording. Call it before begin().
  void on_exchange(std::function<void(const Response& exchange)> told) { on_exchange_ = std::move(told); }
  void begin(const Origin& origin);

 private:
  void hop();
  void ask_gate(ReserveRequest request);
  void send();
  void exchanged(Response response);
  void recorded(Response response);
  void follow(const Response& response);
  void end(RobotsFetchEnd::Kind kind, std::string sentence);

  Engine& engine_;
  GateDesk& desk_;
  std::shared_ptr<const Settings> settings_;
  std::shared_ptr<StoreSession> session_;
  RobotsGate gate_;
  RobotsPolicy policy_;
  std::shared_ptr<const RobotsRecord> old_;
  Done done_;
  std::function<void(const Response& exchange)> on_exchange_;  // empty: exchanges are not recorded
  Url url_;
  std::vector<std::string> addresses_;
  RobotsFetchEnd end_;
  std::unique_ptr<GateWait> waiting_;
  std::optional<Token> token_;
  std::shared_ptr<Exchange> exchange_;
  bool over_http2_ = false;  // the server of the URL has refused HTTP/1.1
  bool repeated_ = false;    // a request that had no answer about the file was repeated; once for each URL
  // Lets later answers see whether this object still exists.
  std::shared_ptr<RobotsFetch*> alive_ = std::make_shared<RobotsFetch*>(this);
};

}  // namespace robotrules::agent
