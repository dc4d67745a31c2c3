// Fetches one robots.txt: up to the policy's number of redirects, each through the gate of where it leads.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <robotrules/robots_policy.hpp>
#include <robotrules/store.hpp>

#include "http/curl/url.hpp"
#include "http/engine.hpp"
#include "robot/gate_wait.hpp"
#include "robot/robots_outcome.hpp"

namespace robotrules::agent {

// How the gate is asked for an origin, and the address that is to be connected to, where that is among the keys. `then`
// may be called at once or later.
using RobotsGateThen = std::function<void(ReserveRequest request, const std::string& address)>;
using RobotsGate = std::function<void(const Origin& origin, const RobotsGateThen& then)>;

// On the loop's thread. Letting go of it gives up: what is in flight is cancelled.
class RobotsFetch {
 public:
  using Done = std::function<void(RobotsFetchEnd)>;
  // `old` is asked to be confirmed, where it can be.
  RobotsFetch(Engine& engine, GateDesk& desk, std::shared_ptr<Store> store, RobotsGate gate, RobotsPolicy policy,
              std::shared_ptr<const RobotsRecord> old, Done done);
  ~RobotsFetch();
  RobotsFetch(const RobotsFetch&) = delete;
  RobotsFetch& operator=(const RobotsFetch&) = delete;

  void begin(const Origin& origin);

 private:
  void hop();
  void ask_gate(ReserveRequest request);
  void send();
  void exchanged(Response response);
  void taken(Response response);
  void follow(const Response& response);
  void end(RobotsFetchEnd::Kind kind, std::string sentence);

  Engine& engine_;
  GateDesk& desk_;
  std::shared_ptr<const Settings> settings_;
  std::shared_ptr<Store> store_;
  RobotsGate gate_;
  RobotsPolicy policy_;
  std::shared_ptr<const RobotsRecord> old_;
  Done done_;
  Url url_;
  std::string address_;
  RobotsFetchEnd end_;
  std::unique_ptr<GateWait> waiting_;
  std::optional<Token> token_;
  std::shared_ptr<Exchange> exchange_;
  bool repeated_ = false;                                                       // what was not answered, once in a hop
  std::shared_ptr<RobotsFetch*> alive_ = std::make_shared<RobotsFetch*>(this);  // for answers that come later
};

}  // namespace robotrules::agent
