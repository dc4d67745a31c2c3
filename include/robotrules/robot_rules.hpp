// RobotRules: a database of robots.txt rules of many sites, for one robot.
//
//     robotrules::RobotRules rules("MOMspider/1.0");
//     auto kept = rules.parse("https://example.org/robots.txt", body);
//     if (!kept) return report(kept.error().message);
//     if (rules.allowed("https://example.org/page") == robotrules::Access::allowed) fetch();
//
// It is the C++ counterpart of Perl's WWW::RobotRules; docs/migration.md compares the calls. One answer differs: if
// the robots.txt of the site is not known, Perl returns -1, which is true, but allowed() returns Access::unknown. Fetch
// the robots.txt then, and ask again.
//
// Thread rule: any thread may call any function at any time, except moves and the destructor.
// Errors: those of the store, and "invalid-url" for a URL or site that cannot have a robots.txt. Only std::bad_alloc is
// thrown.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/dialect.hpp>
#include <robotrules/robots_policy.hpp>
#include <robotrules/robots_step.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/store.hpp>

namespace robotrules {

struct SiteAccess {
  Access access = Access::unknown;           // of one URL
  RobotsState state = RobotsState::unknown;  // of its site
  bool operator==(const SiteAccess&) const = default;
};

// The site whose record in a store has the own rules of a program (RobotRules::push_rules()). There is no such domain
// (RFC 6761 section 6.4).
inline constexpr std::string_view own_rules_site = "http://own-rules.invalid";

// Parameter `site`: a URL, or a host or "host:port" as in Perl. A host or "host:port" means its http and its https
// origin together: counts of visits are added up, and of two times the later one is returned.
class ROBOTRULES_API RobotRules {
 public:
  // Makes a database in memory.
  // `agent` is a name, with or without a version, or a whole User-Agent header. The robot's short name is
  // robot_name(agent), as in RobotUA::make(), or else the first word without "/version". Perl always takes that word:
  // "Mozilla" from "Mozilla/5.0 (compatible; FooBot/1.0)". An empty short name matches only the group for "*".
  // `dialect` says how every file is read. Dialect::www_robotrules() gives Perl's answers.
  explicit RobotRules(std::string_view agent, const Dialect& dialect = Dialect::rfc9309());

  // Returns a database in `store`. If `agent` is null or has no short name, the name in the store is used. If `agent`
  // differs from the name in the store, `other` decides: the store is cleared (as WWW::RobotRules::AnyDBM_File does),
  // or the call fails with "other-agent". Clearing deletes the data of all processes that share the store, without a
  // warning, so pass OtherAgent::refused for a shared store. `other` also decides this for later calls of agent(name).
  // Fails with "no-agent" if neither `agent` nor the store has a name.
  static Result<RobotRules> open(std::shared_ptr<Store> store, std::optional<std::string_view> agent = std::nullopt,
                                 const Dialect& dialect = Dialect::rfc9309(), OtherAgent other = OtherAgent::clears);

  RobotRules(RobotRules&&) noexcept;
  RobotRules& operator=(RobotRules&&) noexcept;
  ~RobotRules();

  // Keeps the robots.txt that was fetched from `robots_url`. It replaces the stored record of that origin and is used
  // until `fresh_until`. Null: for a year, as in Perl. RFC 9309 permits 24 hours, so give a time:
  // rules.store()->now() + std::chrono::hours(24).
  // For an answer without a file (404, 503), call rules.store()->put_robots() with a RobotsRecord without a body, whose
  // outcome is `unavailable` or `unreachable`. RobotUA does this itself.
  // Fails with "invalid-url" if `robots_url` is not an absolute http or https URL.
  Result<void> parse(std::string_view robots_url, std::string_view content,
                     std::optional<Timestamp> fresh_until = std::nullopt);

  // Returns whether `url` may be fetched. Returns `unknown` if there is no fresh record of its origin, if the URL is
  // relative or has no host, or if the store cannot be read. "localhost:8080/x" is a relative URL: it has a host and a
  // port, but no scheme. URLs with a scheme other than http and https are allowed, because robots.txt does not apply to
  // them. If the record has no rules (404, 403, a failure), policy() decides. A URL that own rules close is disallowed,
  // whatever the record says. The rules are asked about `url` as it is written; a program that sends another spelling
  // than it was given should ask about both.
  Access allowed(std::string_view url) const;

  // Returns what the record of the URL's site means, as allowed() judges it.
  RobotsState state(std::string_view url) const;

  // Returns what allowed() and state() return, both of the same record.
  SiteAccess access(std::string_view url) const;

  // Returns the compiled rules that allowed() uses. They also give reasons and delays. Returns null unless
  // has_rules(state(url)). Keep the result while you use its verdicts: the verdict of rules(url)->check(url) is valid
  // only until the end of that statement.
  std::optional<Rules> rules(std::string_view url) const;

  // Return and set the policy in the store. If the store has none, the first function returns RobotsPolicy::rfc9309().
  // RobotUA::make() may set it too (RobotUAOptions::policy and replace_policy).
  Result<RobotsPolicy> policy() const;
  Result<void> policy(const RobotsPolicy& policy);

  // Returns the robot's short name.
  std::string agent() const;
  // Sets the robot's name and returns the previous short name, as Perl does. Another short name clears rules, times and
  // visits. The same short name, or an empty one, changes nothing.
  Result<std::string> agent(std::string_view name);

  // Records a visit of the site at the time `at`; null: now. For a host or "host:port", the visit is kept with the
  // https origin if the port is 443, else with the http origin.
  Result<void> visit(std::string_view site, std::optional<Timestamp> at = std::nullopt);
  Result<Visits> visits(std::string_view site) const;

  // Return and set the time until which the robots.txt of the site is used. If there is no record, the first function
  // returns null, and the second one changes nothing.
  Result<std::optional<Timestamp>> fresh_until(std::string_view site) const;
  Result<void> set_fresh_until(std::string_view site, Timestamp time);

  // Deletes the robots.txt of the site; its visits and own rules stay.
  Result<void> clear_rules(std::string_view site);

  // Adds own rules of the program for a site: patterns such as "/private", which close what they match as Disallow
  // lines of the dialect do. They are there beside the site's robots.txt: a URL is allowed only if both allow it, a new
  // robots.txt does not change them, and rules() does not contain them. A RobotUA obeys them too.
  // The store keeps them, as the record of the site http://own-rules.invalid. Another robot's name clears them. Another
  // process reads them when it opens its RobotRules.
  // Fails with "invalid-url" if `site` is not a site, "invalid-rule" if a pattern is empty or contains a line end, a
  // NUL or "#" (then nothing is added), "rules-busy" if another process changes own rules for seconds, and with the
  // errors of the store.
  Result<void> push_rules(std::string_view site, const std::vector<std::string>& patterns);
  // Returns the own rules for the URL's site; null: there are none.
  std::optional<Rules> own_rules(std::string_view url) const;
  // Deletes the own rules of a site. Fails as push_rules() does.
  Result<void> clear_own_rules(std::string_view site);

  // Returns the origins of a site: one for an http or https URL, two (http and https) for a host or "host:port". The
  // first one is the one that visit() uses. Returns an empty list for any other text, such as "host/path".
  static std::vector<Origin> origins_of(std::string_view site);

  const std::shared_ptr<Store>& store() const noexcept;
  const Dialect& dialect() const noexcept;  // valid while this object lives

 private:
  struct State;
  explicit RobotRules(std::unique_ptr<State> state) noexcept;
  std::unique_ptr<State> state_;
};

}  // namespace robotrules
