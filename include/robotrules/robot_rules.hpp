// RobotRules: a database of robots.txt rules, many sites in one object, for one robot.
//
//     robotrules::RobotRules rules("MOMspider/1.0");
//     rules.parse("https://example.org/robots.txt", body);
//     if (rules.allowed("https://example.org/page") == robotrules::Access::allowed) ...
//
// It is to C++ what WWW::RobotRules is to Perl; docs/migration.md has its calls side by side. Where Perl answers -1,
// which is true there, this answers Access::unknown, which is not Access::allowed: fetch the robots.txt first.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/dialect.hpp>
#include <robotrules/result.hpp>
#include <robotrules/robots_policy.hpp>
#include <robotrules/robots_state.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/store.hpp>

namespace robotrules {

// Thread rule: every function may be called from any thread at any time.
// Errors: those of the store, and "invalid-url" for what has no robots.txt. Only std::bad_alloc is thrown.
//
// A `site` is a URL, or as in Perl "host:port" or a host, which means http and https together: visits are summed, of
// two times the later counts.
class RobotRules {
 public:
  // `agent` is cut to the robot's short name as Perl cuts it: its first word, without "/version"; a short name that is
  // empty matches no group but "*". `dialect` is how every file is read; Dialect::www_robotrules() gives Perl's
  // answers. Kept in memory.
  explicit RobotRules(std::string_view agent, const Dialect& dialect = Dialect::rfc9309());

  // Over a store that already exists. Where `agent` is left out, or has no short name, the name that the store keeps
  // holds; another one clears the store (WWW::RobotRules::AnyDBM_File) or, where `other` says so, is refused, now and
  // by agent(name): error "other-agent". Error "no-agent" where neither has a name.
  static Result<RobotRules> open(std::shared_ptr<Store> store, std::optional<std::string_view> agent = std::nullopt,
                                 const Dialect& dialect = Dialect::rfc9309(), OtherAgent other = OtherAgent::clears);

  RobotRules(RobotRules&&) noexcept;
  RobotRules& operator=(RobotRules&&) noexcept;
  ~RobotRules();

  // Keeps the robots.txt that was fetched from `robots_url`, in place of what was kept for its origin. It is used until
  // `fresh_until`; left out: for a year. Error "invalid-url" where `robots_url` is no absolute http or https URL.
  Result<void> parse(std::string_view robots_url, std::string_view content,
                     std::optional<Timestamp> fresh_until = std::nullopt);

  // May `url` be fetched? `unknown` where no fresh record of its origin is kept, where the URL is relative or has
  // no host, and where the store could not be read. A record without rules (404, 403, a failure) is judged by policy().
  // URLs of other schemes than http and https are allowed: no robots.txt speaks of them. "localhost:8080/x" has no
  // scheme, but a host and a port: it is relative.
  Access allowed(std::string_view url) const;

  // What is kept of the URL's site, as allowed() judges it.
  RobotsState state(std::string_view url) const;

  // The compiled rules behind allowed(), to ask for reasons and delays; null unless has_rules(state(url)).
  std::optional<Rules> rules(std::string_view url) const;

  // The policy that the store keeps, rfc9309 when it keeps none. A RobotUA with a policy of its own sets it.
  Result<RobotsPolicy> policy() const;
  Result<void> policy(const RobotsPolicy& policy);

  // The short name in use.
  std::string agent() const;
  // Sets it, and answers the one before, as Perl does. A changed name clears rules, expiry and visits, the same one
  // nothing; an empty one changes nothing.
  Result<std::string> agent(std::string_view name);

  // Records a visit of the site; left out: now. For "host:port" it is kept under https where the port is 443, else
  // under http.
  Result<void> visit(std::string_view site, std::optional<Timestamp> at = std::nullopt);
  Result<Visits> visits(std::string_view site) const;

  // Until when the robots.txt of the site is used; null: none is kept.
  Result<std::optional<Timestamp>> fresh_until(std::string_view site) const;
  Result<void> set_fresh_until(std::string_view site, Timestamp time);

  // Forgets the robots.txt of the site; its visits stay.
  Result<void> clear_rules(std::string_view site);

  // The origins that a site means: one of a URL; http and https of "host:port" or a host, first the one where a visit
  // is kept. Empty when it means none: "host/path" is neither.
  static std::vector<Origin> origins_of(std::string_view site);

  const std::shared_ptr<Store>& store() const noexcept;
  const Dialect& dialect() const noexcept;  // lives as long as this object

 private:
  struct State;
  explicit RobotRules(std::unique_ptr<State> state) noexcept;
  std::unique_ptr<State> state_;
};

}  // namespace robotrules
