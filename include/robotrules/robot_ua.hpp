// RobotUA: a UserAgent that obeys robots.txt and waits between the requests to a site, as LWP::RobotUA does.
//
//     auto ua = robotrules::RobotUA::make("my-robot/0.1", "me@example.org");
//     if (!ua) { std::cerr << ua.error().message << '\n'; return 2; }
//     ua.value().delay(std::chrono::minutes(10));  // be very polite: fetch seldom
//     robotrules::Response page = ua.value().get("https://example.org/");
//
// Robots on several machines keep the intervals together if they share a store (open_store.hpp):
//
//     auto store = robotrules::open_store("redis://gate.example");
//     if (!store) { std::cerr << store.error().message << '\n'; return 2; }
//     auto ua = robotrules::RobotUA::make("my-robot/0.1", "me@example.org", {.store = *store});
//
// Before every request, also that of a redirect or an answered challenge, the robot consults the site's robots.txt. If
// no fresh copy is known, it fetches one. The gate of the store (store.hpp) then says when the request may be sent. A
// site that is slow or must be left alone does not delay other sites. The rules are asked about a URL as the program or
// a Location spells it and as it is sent (url.hpp); either may be disallowed. If a URL may not be fetched, the response
// is synthetic and says why (ResponseSource, message.hpp).
//
// Functions of the base class cannot turn a robot into a plain agent: its clones are robots, and it stays a robot when
// it is moved through the base class. configure() keeps the robot's name. A header field or a handler that sets another
// name (User-Agent) or another site (Host) makes the request invalid (ResponseSource::invalid_request).
// Thread rule: as for UserAgent. Every function may be called from any thread, but calls that wait must not be made on
// the agent's own thread: the thread of its callbacks and handlers (class UserAgent, user_agent.hpp).
// Errors: a request that fails gives a synthetic response. Other functions that can fail return a Result.
// docs/migration.md compares this class with LWP::RobotUA, and lists bugs of LWP::RobotUA that it does not have.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/base.hpp>
#include <robotrules/dialect.hpp>
#include <robotrules/message.hpp>
#include <robotrules/robot_rules.hpp>
#include <robotrules/robots_policy.hpp>
#include <robotrules/robots_step.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/store.hpp>
#include <robotrules/user_agent.hpp>

namespace robotrules {

// The interval between requests to a site: the longest of all times that apply.
struct Pace {
  std::chrono::milliseconds delay{60'000};                // one minute, as in LWP::RobotUA
  std::chrono::milliseconds max_crawl_delay{86'400'000};  // upper limit of Crawl-delay and Request-rate
  std::chrono::seconds max_retry_after{86'400};           // upper limit of Retry-After
  bool obey_crawl_delay = true;
  bool obey_request_rate = true;
  bool obey_visit_time = true;
  double adaptive = 0;  // interval as a multiple of the duration of the last response; usual: 10; 0: off
  std::chrono::milliseconds max_adaptive{300'000};  // upper limit of the interval that `adaptive` gives
  bool from_start = false;                          // measured from the start of the last request, not from its end
  std::uint32_t max_in_flight = 1;                  // requests to a site at the same time
  bool by_host = false;                             // http, https and all ports of a host count as one site
  bool by_domain = false;  // all hosts of a registrable domain (public suffix list) count as one site
  // All hosts at one IP address count as one site. The name is resolved before the gate is asked, and the connection
  // goes to one of its first four permitted addresses. If a proxy resolves the names, this has no effect.
  bool by_address = false;
};

// Settings of a robot, with defaults that follow RFC 9309 and LWP::RobotUA.
struct RobotUAOptions {
  UserAgentOptions http{};  // make() replaces `agent` and `from`
  // The robot's name in robots.txt files, if it differs from the name in the User-Agent header. Empty: robot_name() of
  // that header.
  std::string product_token{};
  // Keeps rules and visits; null: memory that only this robot and its clones share. make() opens the store for the
  // robot's name with OtherAgent::refused: if the store has another name, make() fails with "other-agent", and so does
  // RobotUA::agent() with a new name later. Nothing is deleted. The files are read as RFC 9309 says; for another
  // dialect, give RobotRules to make() and leave this null.
  std::shared_ptr<Store> store{};
  // Null: the policy that the store of the rules keeps, or rfc9309 if it keeps none.
  std::optional<RobotsPolicy> policy{};
  // True: the store keeps `policy` from now on, also if it had another one. False: a store that has a policy keeps it,
  // and only this robot uses `policy`. A store without a policy keeps `policy` in both cases.
  bool replace_policy = true;
  Pace pace{};
  // Wait until the request may be sent; false: return ResponseSource::too_early at once. A redirect to a site that
  // pauses, because it gave no answer to the last request, is answered so in any case.
  bool use_sleep = true;
  // Limit on the wait for the gate of a site and for its Visit-time. If a request would have to wait longer, its
  // response is ResponseSource::parked at once, with the time at which the site may be asked (Response::try_again_at).
  // It does not limit the wait for requests in flight. Null: default_max_wait(), also after delay() has changed.
  // CrawlOptions::max_wait is another limit: on the wait of a crawl after a failure.
  std::optional<std::chrono::seconds> max_wait{};
  // Limits on memory. At a limit, the sites and rules that were unused for the longest time are dropped. They are read
  // from the store when they are needed again.
  std::size_t max_sites_in_memory = 100'000;
  std::size_t max_rule_bytes = std::size_t{256} << 20;  // bytes of robots.txt files and compiled rules
};

// How long the next request to a site must wait, and why.
struct SiteWait {
  std::chrono::microseconds time{0};  // 0: it may be sent now
  WaitReason why = WaitReason::none;
  // A request to the site is not answered yet. If Pace::max_in_flight is 1, the next one waits for it first.
  bool has_request_in_flight = false;
};

// The number of robots.txt files that a robot has fetched, by RobotsOutcome. A file with its redirects counts once, and
// so does a 304 (not modified).
struct RobotsFetches {
  std::uint64_t rules = 0;
  std::uint64_t unavailable = 0;
  std::uint64_t unreachable = 0;
};

class ROBOTRULES_API RobotUA : public UserAgent {
 public:
  RobotUA(RobotUA&&) noexcept;
  RobotUA& operator=(RobotUA&&) noexcept;
  // Assignment through the base class: takes over another robot. Does nothing if the other object is a plain UserAgent.
  UserAgent& operator=(UserAgent&&) noexcept override;

  // Makes a robot that keeps its rules in `options.store`, or else in memory. `agent` is the User-Agent header, such as
  // "my-robot/0.1" or "Mozilla/5.0 (compatible; my-robot/0.1)". The robot obeys the rules for its name, which is
  // `options.product_token`, or else robot_name(agent). `from` is an address with an "@". Fails with "invalid-agent" or
  // "invalid-contact"; with a store also with "other-agent" and the errors of the store.
  static Result<RobotUA> make(std::string agent, std::string from, RobotUAOptions options = {});
  // Makes a robot that uses existing rules and their store. The rules take the robot's name; if they had another name,
  // OtherAgent decides: they are cleared, or the call fails with "other-agent" (RobotRules::open()). Fails also with
  // the errors of the store, and with "two-stores" if `options.store` is set too.
  static Result<RobotUA> make(std::string agent, std::string from, std::shared_ptr<RobotRules> rules,
                              RobotUAOptions options = {});
  // Makes a robot on the given loop and transport, for tests: see UserAgent.
  static Result<RobotUA> make(std::string agent, std::string from, std::shared_ptr<RobotRules> rules,
                              RobotUAOptions options, std::shared_ptr<Loop> loop, std::shared_ptr<Transport> transport);

  // Returns the policy in use.
  RobotsPolicy policy() const;
  // Gets or sets Pace::delay. A change applies to all sites and to requests that wait already: the new delay counts
  // from the last visit. Penalties (429, 503, Retry-After) stay.
  std::chrono::milliseconds delay() const;
  void delay(std::chrono::milliseconds delay);
  // Returns the pace in use.
  Pace pace() const;
  // Gets or sets RobotUAOptions::use_sleep.
  bool use_sleep() const;
  void use_sleep(bool wait);

  // Gets or sets the rules in use. A new object brings its own store and takes the robot's name. Fails with "no-rules"
  // for null, and with the errors of the store.
  std::shared_ptr<RobotRules> rules() const;
  Result<void> rules(std::shared_ptr<RobotRules> rules);
  // Sets a function that gets each exchange of a robots.txt fetch with its recording, for archives: redirects one by
  // one, and also exchanges that failed after a request was sent. It is called on the agent's thread, before the rules
  // take effect, and must not throw. A fetch that has begun keeps its function. An empty function records nothing.
  void on_robots_exchange(std::function<void(const Response& exchange)> on_exchange);
  // Returns the fetches since the robot was made. Those of clone() count for the clone.
  RobotsFetches robots_fetches() const noexcept;
  // Returns since when the robot's own network has failed, by the clock of the store; null: it works, as far as known.
  // It has failed if names cannot be resolved or there is no route for several sites, or if at least five sites that
  // have answered before fail within a minute; an answer to a later request ends that. Meanwhile no failure counts
  // against a site, for at most RobotUAOptions::max_wait.
  std::optional<Timestamp> network_failing_since() const noexcept;

  // Gets or sets the User-Agent header. It also sets the robot's name, unless that was given as `product_token`. If the
  // name changes, the rules are cleared; those of a store that refuses another name (OtherAgent::refused) are kept, and
  // the call fails with "other-agent". Fails also with "invalid-agent" and with the errors of the store.
  std::string agent() const;
  Result<void> agent(std::string agent);
  // Returns the robot's name in robots.txt files.
  std::string product_token() const;

  // Returns another robot with the same rules, settings and handlers. It has its own connections. Both share one gate,
  // so they keep the intervals together.
  RobotUA clone() const;

  // Returns the number of pages fetched from a site, without robots.txt, and the time of the last visit. A `site` is a
  // URL, "host:port" or a host. Fails with "invalid-url" and with the errors of the store.
  Result<Visits> visits(std::string_view site) const;
  // Returns how long to wait until the next request to the site may be sent, under the present settings and rules; 0:
  // now. Requests to other hosts at the same address (Pace::by_address) are not considered, and neither are requests in
  // flight. Fails as visits() does.
  Result<std::chrono::microseconds> host_wait(std::string_view site) const;
  // The same, with the reason.
  Result<SiteWait> site_wait(std::string_view site) const;
  // Returns whether this URL may be fetched. If no fresh robots.txt is known, fetches it first and waits for it.
  // Returns Access::unknown if there is no decision, and always on the agent's own thread. consult() gives the reason.
  Access allowed(std::string url);
  // Asks the same question without waiting, and gives the reasons. `done` is called once, on the agent's thread; its
  // note is never null.
  void consult(std::string url, std::function<void(std::shared_ptr<const RobotsNote>, Access)> done);

  // Returns the settings as text for people, one on each line.
  std::string as_string() const;

 private:
  struct Robot;
  explicit RobotUA(std::shared_ptr<State> state);
  std::shared_ptr<Robot> robot_;
};

// --- intervals ------------------------------------------------------------------------------------------------------

// Returns the interval between two page requests at the time `now`: the longest of the pace's delay, the Crawl-delay
// and the Request-rate, as far as `pace` obeys them. It includes neither Pace::adaptive, which depends on the durations
// of responses, nor Retry-After.
ROBOTRULES_API std::chrono::microseconds page_interval(const Pace& pace, const Rules& rules, Timestamp now);

// Returns the limit on the wait for a site if RobotUAOptions::max_wait sets none: an hour, or Pace::delay and
// max_grant_age (store.hpp) if that is longer. So the delay alone never parks a request, also after the store was lost.
ROBOTRULES_API std::chrono::seconds default_max_wait(const Pace& pace);

// --- fetch_robots: one robots.txt with a UserAgent, as robots_step() says --------------------------------------------

// RobotUA obeys the robots.txt of each site by itself. This is for programs that want the file.
//
//     robotrules::FetchedRobots fetched = robotrules::fetch_robots(ua, "https://example.org/robots.txt");
//     if (fetched.result.record.outcome != RobotsOutcome::rules) return report(fetched.result.reason);
//     RobotsTxt::parse(*fetched.result.record.body);
//
// Errors are part of the result. Only std::bad_alloc is thrown.

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
