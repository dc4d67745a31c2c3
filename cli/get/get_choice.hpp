// The settings of `robotrules get`, read from its flags.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <robotrules/crawl.hpp>
#include <robotrules/page_output.hpp>
#include <robotrules/robot_ua.hpp>

#include "cli/flags/flags.hpp"

namespace robotrules::cli {

struct GetChoice {
  std::string agent;  // the whole User-Agent
  std::string token;  // the robot's name in robots.txt files
  std::string note;   // how the name was found in the header; empty if the name itself was given
  const Dialect* dialect = nullptr;
  RobotUAOptions robot;  // with policy, pace and limits
  CrawlOptions crawl;
  std::string output;
  std::string output_shown;                       // for people
  std::chrono::milliseconds stop_within{10'000};  // from SIGTERM to the end of requests on the wire
  OutputOptions output_options;
};

// Fails if a flag's value is not accepted, and with "missing-from" without --from.
Result<GetChoice> choose_get(const Options& options);

// Sets every option that depends on the policy.
void use_policy(GetChoice& choice, const RobotsPolicy& policy);

}  // namespace robotrules::cli
