// The face of Ruby's robotstxt-parser: one robots.txt for one robot.
//
//     auto robots = robotrules::parse(body, "Crawler");
//     if (robots.allowed("/index.html") == robotrules::Access::allowed) ...
//     for (const std::string& sitemap : robots.sitemaps()) ...
//
// docs/migration.md has the gem's calls side by side.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/access.hpp>
#include <robotrules/dialect.hpp>
#include <robotrules/robots_txt.hpp>
#include <robotrules/rules.hpp>

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

}  // namespace robotrules
