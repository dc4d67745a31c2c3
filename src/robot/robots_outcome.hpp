// What came of fetching a robots.txt, and the record that is kept of it. (What that means for the site is
// robots_state.hpp's.)
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/headers.hpp>
#include <robotrules/robots_policy.hpp>
#include <robotrules/store.hpp>

namespace robotrules::agent {

struct RobotsFetchEnd {
  enum class Kind {
    answered,            // by a server, with `status`
    too_many_redirects,  // or a loop; `status` is that of the last one
    failed,              // no whole and usable answer
    held_up,             // the site must be left alone until `until`: nothing was asked
  };
  Kind kind = Kind::failed;
  int status = 0;
  bool was_conditional = false;  // so that a 304 means the copy is good
  std::string body;
  bool truncated = false;         // there was more
  std::string url;                // where the last answer came from
  std::vector<std::string> hops;  // the URLs that redirected there
  Headers headers;
  Timestamp requested_at;
  Timestamp received_at;
  std::string sentence;  // what went wrong
  bool is_ours = false;  // by the agent's own fault: it lacked memory or descriptors
  Timestamp until;
};

// The record that follows `old` (null: there is none). `jitter` in 0..1 spreads those who try again.
RobotsRecord next_record(const RobotsRecord* old, const RobotsFetchEnd& end, const RobotsPolicy& policy, Timestamp now,
                         double jitter);

// The octets of a cut body up to the end of its last whole line, in UTF-16 too: half a line is no rule.
std::size_t whole_lines(std::string_view body, const Headers& headers);

}  // namespace robotrules::agent
