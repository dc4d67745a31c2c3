// robotrules get against servers of the test's own: names under "localhost" lead to them by themselves.
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "cli/command.hpp"
#include "support/server/server.hpp"

namespace robotrules::test {

class GetSite : public ::testing::Test {
 protected:
  using Words = std::vector<std::string>;

  GetSite() {
    for (const char* name : {"http_proxy", "all_proxy", "ALL_PROXY"}) ::unsetenv(name);
    server_.on("", "/robots.txt", test::reply("User-agent: *\nDisallow: /no\n"));
  }

  // "http://a.localhost:port/x"
  std::string url(std::string_view host, std::string_view path) const {
    return test::url_of(port_, path, std::string(host) + ".localhost");
  }
  // A command line; without a wait between pages unless `more` has another.
  static Words get(const Words& more) {
    Words words{"get", "--allow-address", "127.0.0.0/8", "--from", "me@test.example", "--agent", "TestBot/1.0"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  std::string in_folder(const std::string& name) const { return folder_.path() + "/" + name; }
  std::size_t pages_asked() const {
    return server_.witness().request_count() - server_.witness().requests("/robots.txt").size();
  }

  test::ScriptedServer server_;
  std::uint16_t port_ = server_.listen();
  TemporaryFolder folder_;
};

}  // namespace robotrules::test
