// The synopsis of LWP::RobotUA in C++, and what may come in place of a page. It goes nowhere: the rules are there
// already, a handler answers for the server, and the only other address is one that is refused.
#include <chrono>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include <robotrules/robot_ua.hpp>

int main() {
  auto rules = std::make_shared<robotrules::RobotRules>("my-robot");
  for (const char* site : {"http://whatever.example", "http://10.1.2.3"}) {
    const std::string robots_txt = std::string(site) + "/robots.txt";
    if (!rules->parse(robots_txt, "User-agent: *\nDisallow: /private\n")) return 2;
  }

  auto made = robotrules::RobotUA::make("my-robot/0.1", "me@foo.example", rules);
  if (!made) {
    std::cerr << made.error().message << '\n';
    return 2;
  }
  robotrules::RobotUA ua = std::move(made).value();
  ua.delay(std::chrono::minutes(10));  // be very nice: max one hit every ten minutes

  // In place of a server.
  ua.add_handler(
      robotrules::Phase::request_send,
      [](robotrules::HandlerCall&) {
        robotrules::Response page;
        page.code = 200;
        page.message = "OK";
        page.body = "Hello, robot.";
        return robotrules::HandlerAnswer{.go_on = true, .response = page, .request = {}};
      },
      {.scheme = {}, .host = "whatever.example", .method = {}, .path_prefix = "/page", .media_type = {}, .code = 0});

  // Then just use it like any other agent.
  for (const char* url : {"http://whatever.example/page", "http://whatever.example/private/diary",
                          "http://10.1.2.3/intranet", "gopher://whatever.example/"}) {
    const robotrules::Response response = ua.get(url);
    std::cout << url << "\n  " << response.status_line() << " [" << to_string(response.source) << "]\n";
    if (response.is_success()) std::cout << "  " << response.body << '\n';
    if (response.robots != nullptr && response.robots->verdict.rule()) {
      std::cout << "  line " << response.robots->verdict.line() << ": " << response.robots->verdict.rule()->text()
                << '\n';
    }
  }
}
