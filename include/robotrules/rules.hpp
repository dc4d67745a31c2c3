// Rules: what one robots.txt says to one robot, compiled.
//
//     auto rules = robotrules::Rules::compile(body, "FooBot");
//     if (rules.check("https://example.org/page").allowed()) ...
//
// Stance: lenient in spelling, strict in effect: what can be read counts, what can't is skipped, nothing is guessed
// open. This is the fast path: no document is built and the bytes are not needed afterwards.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/dialect.hpp>
#include <robotrules/extensions.hpp>
#include <robotrules/lifetimebound.hpp>
#include <robotrules/verdict.hpp>

namespace robotrules {

namespace core {
class RulesData;
}

// Thread rule: immutable; any number of threads may ask one object, and copies share their data.
// Errors: every byte string is a robots.txt, every string an agent and a URL. Only std::bad_alloc is thrown, and then
// nothing has changed.
class Rules {
 public:
  // No rules and no group: everything is allowed, Why::no_group.
  Rules();

  // Moving copies: there is no empty state that a question could meet.
  Rules(const Rules&) = default;
  Rules& operator=(const Rules&) = default;

  // Reads `robots` (octets; no terminating NUL is needed) for the robot `agent`: a name such as "FooBot", compared
  // without regard to ASCII case. A whole User-Agent header is not taken apart here: see robot_name().
  // `robots_url`, where the file came from, is needed only by dialects whose rule_value is url_reference.
  static Rules compile(std::string_view robots, std::string_view agent, const Dialect& dialect = Dialect::rfc9309(),
                       std::string_view robots_url = {});

  // May `url` be fetched? An absolute URL, or path and query beginning with "/"; a fragment is ignored; the host is
  // not looked at. Cost: O(length of the URL) however many literal rules there are, and for each rule with wildcards
  // at most O(pattern + path); docs/architecture.md tells how.
  //
  // The verdict looks into these rules, so they must live as long as it is used: temporary rules give none.
  Verdict check(std::string_view url) const& ROBOTRULES_LIFETIMEBOUND;
  Verdict check(std::string_view url) const&& = delete;

  // Settings (Crawl-delay, Request-rate, Visit-time, Content-Signal, Content-Usage) hold for the robots that the
  // nearest User-agent lines above them name, also where the rules of neighbouring groups are merged. They never change
  // a verdict. The delay that holds for the robot: the largest of several, at most 86,400 s.
  std::optional<Milliseconds> crawl_delay() const noexcept;

  // The Request-rate and Visit-time that hold for the robot; of several the last that can be read.
  std::optional<RequestRate> request_rate() const noexcept;
  std::optional<TimeOfDay> visit_time() const noexcept;

  // What Content-Usage and Content-Signal say of `url`: lines for the robot, and lines before the first group where
  // there are none of that kind for it. Content-Usage: the longest matching path; equal paths combine to the most
  // restrictive. It answers for any URL, but has a meaning only where check(url) is allowed.
  Usage usage(std::string_view url) const;

  // The Allow and Disallow lines that hold for the robot, in file order. Lines that can match no URL are left out, such
  // as "Disallow: x". The patterns live as long as any copy of this object.
  std::vector<RuleLine> lines() const ROBOTRULES_LIFETIMEBOUND;

  // `url` without the query parameters that Clean-param lines name for its path; otherwise unchanged. Clean-param is
  // for every robot and may stand anywhere; dialects that read one group alone see no line behind it.
  std::string clean(std::string_view url) const;

  std::size_t size() const noexcept;          // Allow and Disallow lines, those that can never match included
  std::size_t memory_bytes() const noexcept;  // heap bytes held, shared among copies
  // Lives as long as any copy of this object.
  const Dialect& dialect() const noexcept ROBOTRULES_LIFETIMEBOUND;

 private:
  friend class RobotsTxt;
  explicit Rules(std::shared_ptr<const core::RulesData> data) noexcept;

  std::shared_ptr<const core::RulesData> data_;
  // How to find the path of a URL, kept here so that it can be done while the rules come into the cache.
  Dialect::UrlPath url_path_;
  Dialect::Encoding url_encoding_;
  bool http_only_;
  bool robots_txt_allowed_;
};

}  // namespace robotrules
