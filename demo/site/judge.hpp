// Did a robot obey? By the server's log, and what the sites' table says.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "demo/site/asked.hpp"
#include "demo/site/sites.hpp"

namespace robotrules::demo {

// How much sooner than its time a request may seem to come.
inline constexpr milliseconds jitter{5};

// What was wrong, a sentence each.
struct Findings {
  std::size_t requests = 0;
  std::vector<std::string> forbidden;
  std::vector<std::string> early;      // sooner than the delay after the request before, of pages of one site
  std::vector<std::string> too_often;  // more than once, where nothing gave a reason to
  std::vector<std::string> unread;     // a page before its site's robots.txt
  std::vector<std::string> missed;     // on the list and allowed, but never asked for
  // How much later than it had to the soonest request came, of those that had to wait.
  std::optional<std::chrono::microseconds> least_spare;

  bool good() const {
    return forbidden.empty() && early.empty() && too_often.empty() && unread.empty() && missed.empty();
  }
};

// `delay`: what the robot was told to keep; sites may ask for more.
Findings judge(const std::vector<Asked>& log, const std::vector<Site>& sites, milliseconds delay);

// "the server's log: 12 requests, 0 forbidden, 0 early, ...", and a line for each thing that was wrong.
std::string told(const Findings& findings);

}  // namespace robotrules::demo
