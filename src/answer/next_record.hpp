// The record that a fetch of robots.txt results in.
#pragma once

#include <robotrules/robots_step.hpp>

namespace robotrules::answer {

// What an answer says about the file.
enum class FileAnswer : std::uint8_t {
  file,         // `body` is the file
  unchanged,    // the copy in the record is still valid
  unavailable,  // there is none: the policy says so for this status
  none,         // nothing: the site is unreachable
};

// Returns the record that replaces `old` (null: there is none).
RobotsRecord next_record(const RobotsRecord* old, RobotsExchange exchange, FileAnswer answer,
                         const RobotsPolicy& policy, Timestamp now);

// Returns the wait after `failures` earlier failures in a row, without jitter; at least one second.
std::chrono::microseconds retry_wait(const RobotsPolicy& policy, unsigned failures);

}  // namespace robotrules::answer
