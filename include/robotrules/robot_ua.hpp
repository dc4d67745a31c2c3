// RobotUA: a UserAgent that obeys robots.txt and keeps its distance, as LWP::RobotUA does.
//
//     auto ua = robotrules::RobotUA::make("my-robot/0.1", "me@example.org");
//     if (!ua) { std::cerr << ua.error().message << '\n'; return 2; }
//     ua.value().delay(std::chrono::minutes(10));  // be very nice: fetch seldom
//     robotrules::Response page = ua.value().get("https://example.org/");
//
// Before every request, redirects and answered challenges included, the site's robots.txt is consulted, fetched first
// where none is fresh, and the gate of the store (gate.hpp) says when the site may be asked. A site that is slow or
// must wait holds up no other. What may not be fetched is a synthetic response that says why (response.hpp).
//
// Nothing of its UserAgent makes it another: its clone and what is moved from it are robots too, configure() keeps its
// name, and a request that a header field or a handler would send under another name (User-Agent) or to another site
// (Host) is an invalid request.
// docs/migration.md has LWP::RobotUA's calls side by side, and its bugs that stay out.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/dialect.hpp>
#include <robotrules/result.hpp>
#include <robotrules/robot_rules.hpp>
#include <robotrules/robots_policy.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/time.hpp>
#include <robotrules/user_agent.hpp>

namespace robotrules {

// How far to keep from a site: the largest of all that apply is the interval.
struct Pace {
  std::chrono::milliseconds delay{60'000};             // as LWP::RobotUA: a minute
  std::chrono::milliseconds crawl_delay_cap{300'000};  // a longer Crawl-delay counts as this
  std::chrono::seconds retry_after_cap{86'400};        // a longer Retry-After counts as this
  bool obey_crawl_delay = true;
  bool obey_request_rate = true;
  bool obey_visit_time = true;
  double adaptive = 0;          // times the duration of the last response: 10 is usual; 0: not looked at
  bool from_start = false;      // measured from request to request, not from the end of one
  std::uint32_t in_flight = 1;  // requests at once on a site
  bool by_host = false;         // http and https, and all ports of a host, count as one
  bool by_domain = false;       // all hosts under a registrable domain (public suffix list) count as one
  // All hosts at an IP address count as one. A name is resolved before the gate is asked, and the connection goes to
  // the address that it was asked for. Names that only a proxy resolves have none.
  bool by_address = false;
};

struct RobotUAOptions {
  UserAgentOptions http;  // `agent` and `from` are replaced by make()'s
  // The robot's name in robots.txt files, if the User-Agent header does not give it away; empty: robot_name() of it.
  std::string product_token;
  // Left out: the policy that the store of the rules keeps, or else rfc9309. The store keeps the one in use.
  std::optional<RobotsPolicy> policy;
  // The store keeps `policy` in place of the one that it keeps already. False: `policy` is this robot's alone, and is
  // kept only by a store without one.
  bool replace_policy = true;
  Pace pace;
  bool use_sleep = true;  // wait until the site may be asked; false: answer ResponseSource::too_early at once
  std::chrono::seconds longest_wait{86'400};  // where it would be longer: ResponseSource::parked
  // Beyond either, what was longest unused is read from the store again.
  std::size_t sites_in_memory = 100'000;
  std::size_t rules_in_memory = std::size_t{256} << 20;  // octets of robots.txt files and what is compiled of them
};

class RobotUA : public UserAgent {
 public:
  RobotUA(RobotUA&&) noexcept;
  RobotUA& operator=(RobotUA&&) noexcept;
  // Through its base: a robot becomes another robot, and never a plain agent (then nothing happens).
  UserAgent& operator=(UserAgent&&) noexcept override;

  // `agent` is the User-Agent header, such as "my-robot/0.1" or "Mozilla/5.0 (compatible; my-robot/0.1)". The robot
  // obeys what robots.txt files say to its name: `options.product_token`, else robot_name(agent). `from` is an address
  // with an "@". Errors "invalid-agent", "invalid-contact". Rules are kept in memory.
  static Result<RobotUA> make(std::string agent, std::string from, RobotUAOptions options = {});
  // Over rules that already exist, and their store. The rules' name becomes the agent's: another one clears them.
  static Result<RobotUA> make(std::string agent, std::string from, std::shared_ptr<RobotRules> rules,
                              RobotUAOptions options = {});
  // On one's own seams: see UserAgent.
  static Result<RobotUA> make(std::string agent, std::string from, std::shared_ptr<RobotRules> rules,
                              RobotUAOptions options, std::shared_ptr<Loop> loop, std::shared_ptr<Transport> transport);

  RobotsPolicy policy() const;
  // Holds for sites that were visited before, and for requests that wait already: the wait is measured from the last
  // visit by the delay as it is now. Penalties (429, 503, Retry-After) stay.
  std::chrono::milliseconds delay() const;
  void delay(std::chrono::milliseconds delay);
  bool use_sleep() const;
  void use_sleep(bool wait);

  // The rules in use. A new object brings its own store; the robot's name goes with the agent into it. Error "no-rules"
  // for null, and those of the store.
  std::shared_ptr<RobotRules> rules() const;
  Result<void> rules(std::shared_ptr<RobotRules> rules);
  // The User-Agent header, and with it the robot's name, unless that was given as `product_token`: another name clears
  // the rules. Errors "invalid-agent" and those of the store.
  std::string agent() const;
  Result<void> agent(std::string agent);
  // The robot's name in robots.txt files.
  std::string product_token() const;

  // Another robot with the same rules, settings and handlers, with connections of its own: both keep to one gate.
  RobotUA clone() const;

  // A `site` is a URL, "host:port" or a host. Pages fetched, robots.txt not among them.
  Result<Visits> visits(std::string_view site) const;
  // How long until the site may be asked again, by the settings and rules as they are now; 0: now.
  // What others at its address hold up (Pace::by_address) is not known here.
  Result<std::chrono::microseconds> host_wait(std::string_view site) const;
  // May this URL be fetched, by what is known now? Fetches robots.txt first where none is fresh, and waits for it.
  Access allowed(std::string url);
  // The same with its reasons, of which there are always some; for callbacks, as start().
  void consult(std::string url, std::function<void(std::shared_ptr<const RobotsNote>, Access)> done);

  // The settings, a line each, for people.
  std::string as_string() const;

 private:
  struct Robot;
  explicit RobotUA(std::shared_ptr<State> state);
  std::shared_ptr<Robot> robot_;
};

// How far to keep from a site, by the robot's settings and by what its robots.txt asks for.

// Between two requests for pages: the largest of the pace's delay, and of the Crawl-delay and the Request-rate that
// holds at `now`, where the pace obeys them. What hangs on how long responses take is not in it (Pace::adaptive), nor
// what servers ask for with Retry-After.
std::chrono::microseconds page_interval(const Pace& pace, const Rules& rules, Timestamp now);

}  // namespace robotrules
