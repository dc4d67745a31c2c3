// The half of Ruby's robotstxt-parser that goes on the network: fetches a site's robots.txt and reads it.
//
//     auto robots = robotrules::get("https://example.org/any/page", "Crawler");
//     if (robots && robots.value().allowed("/index.html") == robotrules::Access::allowed) ...
//     if (robotrules::get_allowed("https://example.org/index.html", "Crawler") == robotrules::Access::allowed) ...
//
// One question, one fetch: nothing is kept, and nobody waits. A robot that comes again uses RobotUA (robot_ua.hpp).
// docs/migration.md has the gem's calls side by side. What a status means is RobotsPolicy::robotstxt_rb(): 401 and 403
// close the site, and every failure opens it, which RFC 9309 does not allow; RobotstxtParser::fetch() says which it
// was. Certificates are verified, a relative Location works, and addresses that are not on the public Internet are
// refused (connection.hpp), unlike there.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include <robotrules/connection.hpp>
#include <robotrules/result.hpp>
#include <robotrules/robotstxt.hpp>

namespace robotrules {

class UserAgent;

struct RobotstxtGetOptions {
  unsigned num_redirects = 5;                      // 0: none is followed
  std::chrono::milliseconds http_timeout{10'000};  // of the whole fetch
  std::string url_charset = "utf-8";               // in which the URLs that are asked about are percent-encoded
  ConnectionOptions connection;                    // where no connection is given
};

// Fetches /robots.txt of the site of `source`, a URL of which scheme, host and port alone count, and reads it for the
// robot `user_agent`, which is sent as its User-Agent too. A body is brought to UTF-8 by the charset of its
// Content-Type. Errors: "invalid-url", "unsupported-scheme": `source` names no site; "invalid-agent": `user_agent`
// holds what no header may; "invalid-charset": `url_charset` is none that is known; "address-refused": the connection's
// guard does not let it through, so that the site was not asked.
Result<RobotstxtParser> get(std::string_view source, std::string_view user_agent,
                            const RobotstxtGetOptions& options = {});
// Over an agent that is open already, whose connections are used again, and whose own limits hold too; where it is a
// RobotUA, its pace too. Its From goes along, and nothing else of it: neither cookies nor credentials nor default
// headers; of its handlers only those are asked that answer in a server's place (request_send). Must not be called on
// that agent's thread.
Result<RobotstxtParser> get(UserAgent& connection, std::string_view source, std::string_view user_agent,
                            const RobotstxtGetOptions& options = {});

// May the robot fetch this URL? `unknown` where get() answers with an error.
Access get_allowed(std::string_view url, std::string_view user_agent, const RobotstxtGetOptions& options = {});
Access get_allowed(UserAgent& connection, std::string_view url, std::string_view user_agent,
                   const RobotstxtGetOptions& options = {});

}  // namespace robotrules
