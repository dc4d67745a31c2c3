// A UserAgent that talks to the scripted server: every name leads to 127.0.0.1.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include <robotrules/user_agent.hpp>

#include "support/server/server.hpp"

namespace robotrules::test {

inline UserAgentOptions local_options() {
  UserAgentOptions options;
  options.agent = "TestBot/1.0";
  EXPECT_TRUE(options.connection.guard.allow("127.0.0.0/8"));
  options.connection.resolve = [](std::string_view, std::uint16_t) { return std::vector<std::string>{"127.0.0.1"}; };
  options.limits.max_total_time = patience;
  return options;
}

class LocalAgent : public testing::Test {
 protected:
  std::string url(std::string_view path, std::string_view host = "a.test") const { return url_of(port, path, host); }
  std::string secure_url(std::string_view path, std::string_view host = "a.test") {
    if (secure_port == 0) secure_port = server.listen("127.0.0.1", true);
    options.connection.tls.ca_file = server.ca_file();
    return url_of(secure_port, path, host, "https");
  }
  UserAgent agent() const { return UserAgent(options); }
  // The request of that number, from 0.
  SeenRequest seen(std::size_t number) const { return server.witness().requests().at(number); }
  std::size_t count() const { return server.witness().request_count(); }

  ScriptedServer server;
  std::uint16_t port = server.listen();
  std::uint16_t secure_port = 0;
  UserAgentOptions options = local_options();
};

}  // namespace robotrules::test
