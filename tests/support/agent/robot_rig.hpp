// A RobotUA on a manual clock and a scripted transport.
//
//   RobotRig rig;
//   rig.site("http://a.test", "User-agent: *\nDisallow: /x\n");
//   const Response page = rig.fetch("http://a.test/page");  // robots.txt first, as ever
//   EXPECT_EQ(rig.pages("http://a.test"), 1U);
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/robot_ua.hpp>
#include <robotrules/store.hpp>

#include "support/agent/manual_loop.hpp"
#include "support/agent/scripted_transport.hpp"

namespace robotrules::test {

// Without a delay unless a test sets one.
RobotUAOptions undelayed();
// The same with that delay.
RobotUAOptions delayed(std::chrono::milliseconds delay);

Request request_to(std::string url, std::string method = "GET", Headers headers = {});

class RobotRig {
 public:
  // Every page of any host answers 200 "page" unless routed.
  explicit RobotRig(RobotUAOptions options = undelayed());
  // Another agent over a store that others use too, on the same loop and transport.
  RobotRig(const RobotRig& beside, RobotUAOptions options);
  // Over a store of one's own.
  RobotRig(std::shared_ptr<ManualClock> clock, std::shared_ptr<Store> store, RobotUAOptions options);

  // What /robots.txt of an origin ("http://a.test") answers; `cache` is its Cache-Control, empty: none.
  void site(const std::string& origin, std::string robots, std::string cache = {});

  // Begins a request; its response is kept under the answered number.
  std::size_t start(Request request);
  std::size_t start(const std::string& url) { return start(request_to(url)); }
  bool is_answered(std::size_t number) const { return answers_->count(number) != 0; }
  const Response& answer(std::size_t number) const { return answers_->at(number); }
  std::size_t answered() const { return answers_->size(); }
  const Pending& pending(std::size_t number) const { return pending_[number]; }
  // Time passes until it is answered.
  Response fetch(Request request);
  Response fetch(const std::string& url) { return fetch(request_to(url)); }
  // What consult() answers.
  struct Consulted {
    Access access;
    std::shared_ptr<const RobotsNote> note;
  };
  Consulted consult(const std::string& url);

  // How often robots.txt of an origin was asked for.
  std::size_t robots(const std::string& origin) const { return transport->count(origin + "/robots.txt"); }
  // Requests other than for robots.txt; those of an origin only, where one is given.
  std::vector<WireRequest> pages(std::string_view origin = {}) const;
  // The times between one and the next.
  std::vector<std::chrono::milliseconds> gaps(std::string_view origin = {}) const;
  std::chrono::milliseconds since_start() const;

  RobotUA& agent() { return *ua_; }
  void end_agent() { ua_.reset(); }

  std::shared_ptr<ManualClock> clock;
  std::shared_ptr<ManualLoop> loop;
  std::shared_ptr<ScriptedTransport> transport;
  std::shared_ptr<Store> store;
  std::shared_ptr<RobotRules> rules;

 private:
  void make(RobotUAOptions options);
  std::shared_ptr<std::map<std::size_t, Response>> answers_ = std::make_shared<std::map<std::size_t, Response>>();
  std::vector<Pending> pending_;
  std::optional<RobotUA> ua_;
};

}  // namespace robotrules::test
