// A scripted server on loopback, with agents and robots that talk to it: every name leads to 127.0.0.1.
//
//   Loopback site;
//   site.robots_txt(reply(no_x));
//   EXPECT_EQ(site.get("/x").source, ResponseSource::robots_denied);
//   EXPECT_EQ(site.times("/x"), 0U);
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/robot_ua.hpp>

#include "support/agent/manual_loop.hpp"
#include "support/server/server.hpp"

namespace robotrules::test {

inline const std::string no_x = "User-agent: *\nDisallow: /x\n";

inline UserAgentOptions local_options() {
  UserAgentOptions options;
  options.agent = "TestBot/1.0";
  EXPECT_TRUE(options.connection.guard.allow("127.0.0.0/8"));
  options.connection.resolve = [](std::string_view, std::uint16_t) { return std::vector<std::string>{"127.0.0.1"}; };
  options.connection.connect_timeout = std::chrono::minutes(1);  // hundreds of handshakes at once, on a loaded machine
  options.limits.max_total_time = patience;
  return options;
}

class Loopback {
 public:
  // Of the first listener; /x and /y are pages of every host.
  explicit Loopback(bool tls = false) : port(server.listen("127.0.0.1", tls)), secure_port(tls ? port : 0) {
    options = local_options();
    robot_options.pace.delay = std::chrono::milliseconds(0);
    server.on("", "/x", reply("page x"));
    server.on("", "/y", reply("page y"));
  }
  Loopback(const Loopback&) = delete;
  Loopback& operator=(const Loopback&) = delete;

  // On the first listener, and on one with TLS.
  std::string url(std::string_view path, std::string_view host = "a.test") const {
    return url_of(port, path, host, port == secure_port ? "https" : "http");
  }
  std::string secure_url(std::string_view path, std::string_view host = "a.test") {
    if (secure_port == 0) secure_port = server.listen("127.0.0.1", true);
    options.connection.tls.ca_file = server.ca_file();
    return url_of(secure_port, path, host, "https");
  }
  void robots_txt(Handler handler, std::string_view host = "") { server.on(host, "/robots.txt", std::move(handler)); }

  // The request of that number, from 0.
  SeenRequest seen(std::size_t number) const { return server.witness().requests().at(number); }
  std::size_t count() const { return server.witness().request_count(); }
  // How often a path was asked for.
  std::size_t times(std::string_view path, std::string_view host = "") const;

  UserAgent agent() const { return UserAgent(options); }
  // A robot with a store of its own, which trusts the server's CA unless another is given.
  RobotUA new_robot(MemoryStoreOptions store = {}) const;
  // The robot that is made at the first use, with a store on `clock`.
  RobotUA& robot();
  RobotsPolicy& policy() { return robot_options.policy ? *robot_options.policy : robot_options.policy.emplace(); }
  Response get(std::string_view path, std::string_view host = "a.test") { return robot().get(url(path, host)); }
  // All at once; the answers are in the order of the URLs.
  std::vector<Response> get_all(const std::vector<std::string>& urls);
  // What the robot keeps of an origin; null: nothing.
  std::shared_ptr<const RobotsRecord> record_of(const std::string& url);
  std::shared_ptr<const RobotsRecord> record(std::string_view host = "a.test") { return record_of(url("/", host)); }

  ScriptedServer server;
  std::uint16_t port;
  std::uint16_t secure_port;
  // Of the agents and robots that are made from now on.
  RobotUAOptions robot_options;
  UserAgentOptions& options = robot_options.http;
  std::shared_ptr<ManualClock> clock = std::make_shared<ManualClock>();

 private:
  std::optional<RobotUA> robot_;
};

// As a fixture, with a server that answers 404 until a test says otherwise.
class LocalAgent : public testing::Test, public Loopback {
 protected:
  LocalAgent() { server.forget_routes(); }
};

// A case's name as GoogleTest wants it: "no Location" becomes "no_Location".
std::string as_test_name(std::string_view name);

}  // namespace robotrules::test
