// The result of fetching a robots.txt, and the record that is kept of it. (robots_state.hpp says what the record means
// for the site.)
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/headers.hpp>
#include <robotrules/message.hpp>
#include <robotrules/robots_policy.hpp>
#include <robotrules/store.hpp>

namespace robotrules::agent {

// How a fetch ended.
struct RobotsFetchEnd {
  enum class Kind {
    answered,            // a server answered with `status`
    too_many_redirects,  // too many, or a loop; `status` is that of the last redirect
    failed,              // there was no complete and usable answer
    held_up,             // the site must not be asked before `until`; no request was sent
    by_proxy,            // a proxy failed or answered in place of the site, so there is nothing to record
  };
  Kind kind = Kind::failed;
  int status = 0;
  bool was_conditional = false;  // so a 304 means that the copy is still valid
  std::string body;
  bool truncated = false;         // the file is longer than `body`
  std::string url;                // the URL of the last answer
  std::vector<std::string> hops;  // the URLs that redirected to `url`
  Headers headers;
  Timestamp requested_at;
  Timestamp received_at;
  std::string sentence;                     // the failure in words
  ResponseSource source{};                  // by_proxy: proxy_failed or proxy_refused
  FailureCause cause = FailureCause::none;  // the lasting cause of the failure; none: it may be temporary
  // The failure is not the site's: the agent lacked memory or descriptors, or its own settings refuse the address of
  // the site. Other settings may permit it at the next start.
  bool is_ours = false;
  Timestamp until;
};

// Returns the record that replaces `old` (null: there is none). `jitter`, from 0 to 1, spreads retries over time.
RobotsRecord next_record(const RobotsRecord* old, const RobotsFetchEnd& end, const RobotsPolicy& policy, Timestamp now,
                         double jitter);

// Returns the wait after `failures` earlier failures in a row, without jitter.
std::chrono::microseconds retry_wait(const RobotsPolicy& policy, unsigned failures);

// Returns the number of bytes of a cut body up to the end of its last whole line, also in UTF-16 that only a header
// tells.
std::size_t whole_lines(std::string_view body, const Headers& headers);

}  // namespace robotrules::agent
