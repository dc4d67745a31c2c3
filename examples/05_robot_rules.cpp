// The synopsis of WWW::RobotRules in C++: the robots.txt files of two sites in one object, then a question about any
// URL.
#include <iostream>
#include <optional>
#include <string>

#include <robotrules/robot_rules.hpp>

namespace {

// In place of a web client.
std::optional<std::string> get(const std::string& url) {
  if (url == "http://some.example/robots.txt") return "User-agent: *\nDisallow: /private/\n";
  if (url == "http://other.example/robots.txt") return "User-agent: MOMspider\nDisallow: /\n";
  return std::nullopt;
}

}  // namespace

int main() {
  using robotrules::Access;
  robotrules::RobotRules rules("MOMspider/1.0");

  for (const std::string url : {"http://some.example/robots.txt", "http://other.example/robots.txt"}) {
    const std::optional<std::string> robots_txt = get(url);
    if (!robots_txt) continue;
    if (const auto parsed = rules.parse(url, *robots_txt); !parsed) std::cerr << parsed.error().message << '\n';
  }

  for (const std::string url : {"http://some.example/", "http://some.example/private/diary", "http://other.example/",
                                "http://third.example/", "mailto:webmaster@some.example"}) {
    switch (rules.allowed(url)) {
      case Access::allowed: std::cout << "fetch      " << url << '\n'; break;
      case Access::disallowed: std::cout << "keep out   " << url << '\n'; break;
      case Access::unknown: std::cout << "ask first  " << url << '\n'; break;  // fetch its robots.txt, then ask again
    }
  }
}
