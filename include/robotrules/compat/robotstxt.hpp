// robotstxt_parser: one robots.txt for one robot, with the interface of Ruby's robotstxt-parser.
//
//     auto robots = robotrules::robotstxt_parser::parse(body, "Crawler");
//     if (robots.allowed("/index.html") == robotrules::Access::allowed) ...
//     for (const std::string& sitemap : robots.sitemaps()) ...
//     if (robotrules::robotstxt_parser::get_allowed("https://example.org/index.html", "Crawler") ==
//     robotrules::Access::allowed) ...
//
// Stance: as in the gem, get() disallows everything after 401 and 403, and allows everything after every other failure.
// RFC 9309 does not permit this for server and network errors. Robots should use Rules::compile() and RobotUA instead.
// docs/migration.md lists the gem's calls beside these.
// Thread rule: a parser is immutable; any thread may use it. get() and get_allowed() may be called from any thread.
// Errors: every byte string is a robots.txt; parse() throws only std::bad_alloc. get() returns a Result.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/dialect.hpp>
#include <robotrules/robots_txt.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/user_agent.hpp>

namespace robotrules::robotstxt_parser {

// The result of fetching a robots.txt.
struct Fetch {
  bool read = false;      // the file was fetched; false: the whole site is allowed or disallowed instead
  int status = 0;         // HTTP status of the last answer; 0: there was none
  std::string url{};      // the last URL that was requested
  std::string warning{};  // if it was not fetched: why, and whether all is allowed or disallowed
};

// One robots.txt, read for one robot.
// Thread rule: immutable; any thread may use one object, and copies share their data.
// Errors: every byte string is a robots.txt. Only std::bad_alloc is thrown.
class ROBOTRULES_API Parser {
 public:
  // `user_agent` is the robot's User-Agent header. `dialect` says how the file is read, and how `user_agent` is
  // compared with User-agent lines.
  Parser(std::string_view robots_txt, std::string_view user_agent, const Dialect& dialect = Dialect::robotstxt_rb());

  // The same for a file that was fetched. `fetch` says how, and the function fetch() returns it.
  Parser(std::string_view robots_txt, std::string_view user_agent, const Dialect& dialect, Fetch fetch);

  // Returns whether the robot may fetch `urlish`, which is a URL, a path, or "?query". Never returns Access::unknown.
  Access allowed(std::string_view urlish) const { return rules_.check(urlish).access(); }
  // The same with the reason. The verdict refers to this object's rules, which must outlive it.
  Verdict check(std::string_view urlish) const& { return rules_.check(urlish); }
  Verdict check(std::string_view urlish) const&& = delete;

  // Returns the values of all Sitemap lines in file order, as written.
  std::vector<std::string> sitemaps() const;

  // Return the document and the rules behind the answers. They live as long as this object.
  const RobotsTxt& robots_txt() const noexcept { return robots_txt_; }
  const Rules& rules() const noexcept { return rules_; }

  // Returns the result of fetching; null if the text was given to parse().
  const Fetch* fetch() const noexcept { return fetch_.get(); }

 private:
  RobotsTxt robots_txt_;
  Rules rules_;
  std::shared_ptr<const Fetch> fetch_;
};

// Returns `robots_txt` read for the robot `user_agent`, like Robotstxt.parse.
ROBOTRULES_API Parser parse(std::string_view robots_txt, std::string_view user_agent,
                            const Dialect& dialect = Dialect::robotstxt_rb());

// --- fetching -------------------------------------------------------------------------------------------------------

// These functions fetch the robots.txt of a site and read it.
//
//     auto robots = robotrules::robotstxt_parser::get("https://example.org/any/page", "Crawler");
//     if (robots && robots.value().allowed("/index.html") == robotrules::Access::allowed) ...
//
// Each call fetches once: nothing is kept, and there is no wait between requests. A robot that comes back needs RobotUA
// (robot_ua.hpp). RobotsPolicy::robotstxt_rb() decides about failures: 401 and 403 disallow the whole site, and every
// other failure allows it. Parser::fetch() says which case it was.
// Unlike the gem, get() verifies certificates, follows a relative Location, and refuses addresses outside the public
// Internet (AddressGuard, user_agent.hpp).

struct GetOptions {
  unsigned num_redirects = 5;                      // redirects that are followed; 0: none
  std::chrono::milliseconds http_timeout{10'000};  // for the whole fetch
  std::string url_charset = "utf-8";               // charset in which the URLs to check are percent-encoded
  ConnectionOptions connection;                    // ignored if get() is given an agent
};

// Fetches /robots.txt of the site of `source` and reads it for the robot `user_agent`, which is also sent as the
// User-Agent header. Only scheme, host and port of `source` count. The body is converted to UTF-8 by the charset of its
// Content-Type.
// Errors:
//   "invalid-url", "unsupported-scheme"  `source` does not name a site
//   "invalid-agent"                      `user_agent` contains characters that a header must not contain
//   "invalid-charset"                    `url_charset` is not known
//   "address-refused"                    the site was not asked, because its address or its port is not permitted
ROBOTRULES_API Result<Parser> get(std::string_view source, std::string_view user_agent, const GetOptions& options = {});
// The same over an existing agent. The agent's connections and limits apply, and so does its pace if it is a RobotUA.
// The agent's From header is sent, and its request_send handlers run. Its cookies, credentials, default headers and
// other handlers are not used. Must not be called on that agent's thread.
ROBOTRULES_API Result<Parser> get(UserAgent& connection, std::string_view source, std::string_view user_agent,
                                  const GetOptions& options = {});

// Returns whether the robot may fetch `url`. Returns Access::unknown if get() fails.
ROBOTRULES_API Access get_allowed(std::string_view url, std::string_view user_agent, const GetOptions& options = {});
ROBOTRULES_API Access get_allowed(UserAgent& connection, std::string_view url, std::string_view user_agent,
                                  const GetOptions& options = {});

}  // namespace robotrules::robotstxt_parser
