// What the flags of `robotrules get` say.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <robotrules/crawl.hpp>
#include <robotrules/robot_ua.hpp>

#include <robotrules/page_output.hpp>
#include "cli/flags/flags.hpp"

namespace robotrules::cli {

struct GetChoice {
  std::string agent;  // the whole User-Agent
  std::string token;  // the robot's name in robots.txt files
  std::string note;   // how the name was found in the header; empty if it was given as it is
  const Dialect* dialect = nullptr;
  RobotUAOptions robot;  // with policy, pace and limits
  CrawlOptions crawl;
  std::string output;
  OutputOptions output_options;
};

// Errors, a sentence each, where a flag's value is none, and "missing-from" without --from.
Result<GetChoice> choose_get(const Options& options);

// Sets all that follows from the policy.
void use_policy(GetChoice& choice, const RobotsPolicy& policy);

// "10", "1.5k", "16M", "2G": octets, by powers of 1024. Null where it is none.
std::optional<std::uint64_t> read_size(std::string_view text);

}  // namespace robotrules::cli
