// A robot that is let loose on a scripted server: what it was answered, what the server saw, what is kept.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/robot_ua.hpp>

#include "support/server/server.hpp"

namespace robotrules::test {

inline constexpr std::string_view no_x = "User-agent: *\nDisallow: /x\n";

// A clock that a test moves. A copy is the same clock.
class MovedClock {
 public:
  Timestamp now() const { return Timestamp(std::chrono::microseconds(at_->load())); }
  void forward(std::chrono::microseconds by) { *at_ += by.count(); }
  std::function<Timestamp()> function() const {
    return [copy = *this] { return copy.now(); };
  }

 private:
  std::shared_ptr<std::atomic<std::int64_t>> at_ = std::make_shared<std::atomic<std::int64_t>>(
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::hours(24 * 365 * 56)).count());
};

// No delay; loopback is let through; every name is 127.0.0.1; the server's CA is trusted.
RobotUAOptions loopback_options(const ScriptedServer& server);

class Robot {
 public:
  explicit Robot(RobotUAOptions options, const MovedClock* clock = nullptr);

  Response get(const std::string& url, Headers headers = {}) { return ua_.get(url, std::move(headers)); }
  // All at once; the answers are in the order of the URLs.
  std::vector<Response> get_all(const std::vector<std::string>& urls);
  // What is kept of the URL's origin; null: nothing.
  std::shared_ptr<const RobotsRecord> record(std::string_view url) const;
  RobotUA& ua() { return ua_; }

 private:
  RobotUA ua_;
};

// "site.test" over http or https on one listener of a server, with a robot in front of it.
class RobotAtServer {
 public:
  explicit RobotAtServer(bool tls = false);
  // Of the robot that is made with the first request.
  RobotUAOptions& options() { return options_; }
  RobotsPolicy& policy() { return options_.policy ? *options_.policy : options_.policy.emplace(); }
  MovedClock& clock() { return clock_; }
  ScriptedServer& server() { return server_; }
  std::uint16_t port() const { return port_; }
  Robot& robot();

  void robots_txt(Handler handler, std::string_view host = "") { server_.on(host, "/robots.txt", std::move(handler)); }
  std::string url(std::string_view path, std::string_view host = "site.test") const;
  Response get(std::string_view path, std::string_view host = "site.test") { return robot().get(url(path, host)); }
  std::shared_ptr<const RobotsRecord> record(std::string_view host = "site.test") {
    return robot().record(url("/", host));
  }
  // How often the server was asked for it.
  std::size_t seen(std::string_view path, std::string_view host = "") const;

 private:
  MovedClock clock_;
  ScriptedServer server_;
  bool tls_;
  std::uint16_t port_;
  RobotUAOptions options_;
  std::unique_ptr<Robot> robot_;
};

// A case's name as GoogleTest wants it: "no Location" becomes "no_Location".
std::string as_test_name(std::string_view name);

}  // namespace robotrules::test
