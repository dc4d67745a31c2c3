// fetch_robots(): fetches one robots.txt with a UserAgent, as robots_step() says.
//
//     robotrules::FetchedRobots fetched = robotrules::fetch_robots(ua, "https://example.org/robots.txt");
//     if (fetched.result.record.outcome != RobotsOutcome::rules) return report(fetched.result.reason);
//     RobotsTxt::parse(*fetched.result.record.body);
//
// RobotUA obeys the robots.txt of each site by itself. This is for programs that want the file.
// Thread rule: any thread may call these functions. Errors: part of the result. Only std::bad_alloc is thrown.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include <robotrules/export.hpp>
#include <robotrules/message.hpp>
#include <robotrules/robots_policy.hpp>
#include <robotrules/robots_step.hpp>

namespace robotrules {

class UserAgent;

// Returns what `response` to `request` is for robots_step(). The response must have its whole body.
ROBOTRULES_API RobotsExchange robots_exchange(RobotsRequest request, Response response);

struct FetchedRobots {
  RobotsResult result;
  Response last;  // the last response, without its body
};

struct FetchRobotsOptions {
  RobotsPolicy policy{};                                            // its timeout is not used: Limits of the agent hold
  Headers headers{};                                                // added to each request
  std::optional<std::chrono::steady_clock::time_point> deadline{};  // of the whole fetch; null: only the agent's limits
};

// Fetches the robots.txt at `url` and follows its redirects. Blocks. No record is read or kept, and a proxy that fails
// counts as a site that does not answer.
ROBOTRULES_API FetchedRobots fetch_robots(UserAgent& agent, std::string url, const FetchRobotsOptions& options = {});

}  // namespace robotrules
