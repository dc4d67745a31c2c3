// robots_step(): what an answer to a request for robots.txt means, and what to do next; it sends nothing itself.
// robots_state(): what the record of a site means now, under a policy.
//
//     RobotsExchange exchange{.request = {.url = origin.robots_url()}};  // nothing was requested yet
//     for (;;) {
//       RobotsStep step = robots_step(std::move(exchange), record.get(), policy, store->now());
//       if (auto* result = std::get_if<RobotsResult>(&step)) return store->put_robots(origin, result->record);
//       auto& request = std::get<RobotsRequest>(step);
//       wait_until(request.at);
//       exchange = send(std::move(request));  // GET, without following redirects
//     }
//
//     const auto state = robots_state(record.get(), policy, store->now());
//
// robots_step() holds all rules of RFC 9309 section 2.3.1 and those of the policy: redirects, sizes, statuses, content
// codings, Retry-After, the time until the next request, the last good copy. RobotRules, RobotUA and the command call
// both functions, so all of them give the same answer.
//
// Thread rule: value types and a pure function. Errors: none; every answer has a meaning. Only std::bad_alloc is
// thrown.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/headers.hpp>
#include <robotrules/robots_policy.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/store.hpp>

namespace robotrules {

// A request for a robots.txt.
struct RobotsRequest {
  std::string url;    // absolute, http or https, as it stands in the redirect
  Timestamp at{};     // do not send it before this time; the past: send it now
  Headers headers{};  // Accept, and If-None-Match or If-Modified-Since. Add your User-Agent and Accept-Encoding
  std::vector<std::string> hops{};  // the URLs that redirected to `url`, in order
  bool is_repeated = false;         // `url` is requested again: use a new connection
};

// How a request ended.
enum class RobotsEnd : std::uint8_t {
  not_asked,  // nothing was sent yet
  answered,   // a server answered; its head is complete
  failed,     // the site did not answer, or its answer cannot be used
  ours,       // it failed by no fault of the site: no memory, no disk, a store that failed, settings that refuse it
  by_proxy,   // a proxy failed or answered in place of the site
};

// A request and how it ended.
struct RobotsExchange {
  RobotsRequest request;
  RobotsEnd end = RobotsEnd::not_asked;

  // of an answer
  int status = 0;  // also of a failure after its head had come; 0: none
  Headers headers{};
  std::string body{};  // of 2xx; other bodies change nothing
  bool is_decoded =
      true;  // false: `body` has the codings that Content-Encoding names. Clients decode it, and keep the field
  bool is_cut = false;  // the caller stopped reading: the file is longer than `body`
  bool is_whole =
      true;  // the end of the body is certain: not of less bytes than Content-Length, nor by a broken connection
  Timestamp requested_at{};
  Timestamp received_at{};

  std::string failure{};       // why there is no answer, in words
  std::uint32_t refusals = 0;  // by_proxy: earlier ends by a proxy in a row; each doubles the wait
  double jitter = 0;           // from 0 to 1: how much of a tenth is added to the wait after a failure
};

// The end of a fetch.
struct RobotsResult {
  RobotsRecord record;  // replaces the record of the site
  std::string reason;   // why there is no file, in words; empty: there is one, or the status says it
};

using RobotsStep = std::variant<RobotsRequest, RobotsResult>;

// Returns the next request or the record that results. `record` is the record that the site has; null: none.
// `policy.body_limit` is the limit on the decoded body.
//
//   not_asked  the first request; while the record is fresh, at the time when it ends
//   answered   3xx: the next request, at most policy.max_redirects. 408, 421, 425: the same request once more. Else a
//              record. A 202 without a directive is a challenge, and no file
//   failed     a record: unreachable
//   ours       a record: unreachable for a second, and not counted as a failure of the site
//   by_proxy   the first request again, later: the record stays
ROBOTRULES_API RobotsStep robots_step(RobotsExchange exchange, const RobotsRecord* record, const RobotsPolicy& policy,
                                      Timestamp now);

// --- robots_state: the meaning of a record ---------------------------------------------------------------------------

enum class RobotsState : std::uint8_t {
  unknown,       // there is no record, or it is no longer fresh: fetch robots.txt first
  rules,         // the rules in the record's body apply
  stale,         // as `rules`, but the record is the last good copy, because robots.txt cannot be fetched
  allow_all,     // the site has no rules
  disallow_all,  // no URL of the site may be fetched
};

// Returns "unknown", "rules", "stale", "allow-all" or "disallow-all". The view is of a literal and is always valid.
ROBOTRULES_API std::string_view to_string(RobotsState state) noexcept;

// Returns true if the rules in the record's body decide about URLs.
constexpr bool has_rules(RobotsState state) noexcept {
  return state == RobotsState::rules || state == RobotsState::stale;
}

// Returns what `record` means at the time `now`. Null means that the site has no record.
ROBOTRULES_API RobotsState robots_state(const RobotsRecord* record, const RobotsPolicy& policy, Timestamp now) noexcept;

// Returns what the policy says about an outcome without rules. `status` is the status of the last answer; 0: no answer.
ROBOTRULES_API PolicyAction action_for(RobotsOutcome outcome, int status, const RobotsPolicy& policy) noexcept;

// Returns whether a URL of the site may be fetched. `verdict` is the verdict of the record's rules if has_rules(state),
// else the verdict of Rules{}. /robots.txt itself is allowed in every state except `unknown`.
constexpr Access access_in(RobotsState state, const Verdict& verdict) noexcept {
  if (state == RobotsState::unknown) return Access::unknown;
  if (state == RobotsState::disallow_all && verdict.why() != Why::robots_txt) return Access::disallowed;
  return verdict.access();
}

}  // namespace robotrules
