// The sites of the demo: what each says in its robots.txt, its pages, and what a robot that obeys does there. What is
// forbidden is written down by hand beside the robots.txt that says so: a log that is judged by it is not judged by
// robotrules' own word.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/server/reply.hpp"

namespace robotrules::demo {

using std::chrono::milliseconds;

// A page that is no plain one; `path` as the scripted server's routes take it.
struct Special {
  std::string path;
  test::Handler answer;
  unsigned most = 1;             // so often may each target be asked for
  milliseconds takes{0};         // from the request to the end of the answer, at least
  milliseconds leave_alone{0};   // what a 429 or 503 asks for
  bool is_robots_txt = false;    // a robots.txt redirects here
};

struct Site {
  std::string name;  // "shop": http://shop.localhost:PORT
  test::Handler robots;
  std::vector<std::string> pages = {};      // targets on the list of URLs, or in its sitemaps
  std::vector<std::string> forbidden = {};  // how targets begin that must not be asked for,
  std::vector<std::string> permitted = {};  // but for those that begin so
  std::vector<Special> specials = {};
  milliseconds delay{0};  // that its robots.txt asks for
  bool is_listed = true;  // false: its sitemaps name its pages

  bool forbids(std::string_view target) const;
  const Special* special(std::string_view target) const;  // null: a plain page
};

// `port` is the server's, for redirects from site to site.
std::vector<Site> sites(std::uint16_t port);

// The robot that the sites know.
inline constexpr std::string_view robot = "DemoBot";

std::string url_at(std::string_view site, std::uint16_t port, std::string_view target);

}  // namespace robotrules::demo
