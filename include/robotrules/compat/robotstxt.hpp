// The face of Ruby's robotstxt-parser: one robots.txt for one robot.
//
//     auto robots = robotrules::parse(body, "Crawler");
//     if (robots.allowed("/index.html") == robotrules::Access::allowed) ...
//     for (const std::string& sitemap : robots.sitemaps()) ...
//
// docs/migration.md has the gem's calls side by side.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/dialect.hpp>
#include <robotrules/result.hpp>
#include <robotrules/robots_txt.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/user_agent.hpp>

namespace robotrules {

// How a file came over the network, or why it did not.
struct RobotstxtFetch {
  bool read = false;      // the file was had; false: what is asked is answered by what stands for it, open or closed
  int status = 0;         // of the last answer; 0: there was none
  std::string url{};      // that was asked for last
  std::string warning{};  // where it was not had: why, and what stands for it
};

// Thread rule: immutable, shareable; copies share their data.
// Errors: every byte string is a robots.txt. Only std::bad_alloc is thrown.
class RobotstxtParser {
 public:
  // `user_agent` is what the robot sends in its User-Agent header, compared as `dialect` compares.
  RobotstxtParser(std::string_view robots_txt, std::string_view user_agent,
                  const Dialect& dialect = Dialect::robotstxt_rb());

  // As get() makes it (robotstxt_get.hpp).
  RobotstxtParser(std::string_view robots_txt, std::string_view user_agent, const Dialect& dialect,
                  RobotstxtFetch fetch);

  // `urlish` is a URL, a path, or "?query". Never Access::unknown: there is a file to ask.
  Access allowed(std::string_view urlish) const { return rules_.check(urlish).access(); }
  Verdict check(std::string_view urlish) const { return rules_.check(urlish); }

  // The values of all Sitemap lines in file order, as they are written.
  std::vector<std::string> sitemaps() const;

  const RobotsTxt& robots_txt() const noexcept { return robots_txt_; }
  const Rules& rules() const noexcept { return rules_; }

  // How it came about; null where it was not fetched.
  const RobotstxtFetch* fetch() const noexcept { return fetch_.get(); }

 private:
  RobotsTxt robots_txt_;
  Rules rules_;
  std::shared_ptr<const RobotstxtFetch> fetch_;
};

// As Robotstxt.parse: reads `robots_txt` for the robot `user_agent`.
RobotstxtParser parse(std::string_view robots_txt, std::string_view user_agent,
                      const Dialect& dialect = Dialect::robotstxt_rb());

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
