#include "answer/next_record.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <robotrules/headers.hpp>

#include "fields/cache_fields.hpp"
#include "fields/redirect.hpp"
#include "fields/retry_after.hpp"

namespace robotrules::answer {
namespace {

using std::chrono::microseconds;

constexpr auto unauthorized_floor = std::chrono::hours(1);  // a site that says 401 or 403 is not asked every 5 minutes

// The minimum for every policy: a robot that fetches robots.txt again at once would never get to a page.
constexpr microseconds min_wait = std::chrono::seconds(1);

microseconds freshness_of(const RobotsExchange& answer, const RobotsPolicy& policy, microseconds floor) {
  RobotsFreshness limits;
  limits.min = std::max<microseconds>({floor, policy.freshness_floor, min_wait});
  limits.max = std::max<microseconds>(limits.min, policy.freshness_limit);
  limits.unsaid = limits.max;
  const auto fields = agent::cache_fields(answer.headers, answer.requested_at, answer.received_at);
  return robots_freshness(read_freshness(fields), limits);
}

void keep_failure(RobotsRecord& record, const RobotsExchange& failed, const RobotsPolicy& policy, Timestamp now) {
  record.outcome = RobotsOutcome::unreachable;
  record.status = failed.status;
  if (failed.end == RobotsEnd::ours) {
    record.fresh_until = now + min_wait;
    return;
  }
  if (!record.failing_since) record.failing_since = now;
  const bool long_gone = now - *record.failing_since > policy.stale_for;
  microseconds wait = long_gone ? microseconds(policy.long_unreachable_again) : retry_wait(policy, record.failures);
  wait += microseconds(static_cast<std::int64_t>(static_cast<double>(wait.count()) * failed.jitter / 10));
  if (const auto asked = agent::retry_after_of(failed.headers, failed.received_at)) {
    wait = std::max(wait, std::min<microseconds>(*asked, policy.freshness_limit));
  }
  if (record.failures != UINT32_MAX) ++record.failures;
  record.fresh_until = now + std::max(wait, min_wait);
}

}  // namespace

microseconds retry_wait(const RobotsPolicy& policy, unsigned failures) {
  const std::int64_t doubled = std::int64_t{1} << std::min(failures, 20U);
  const auto wait = std::min<microseconds>(microseconds(policy.retry_first) * doubled, policy.retry_longest);
  return std::max(wait, min_wait);
}

RobotsRecord next_record(const RobotsRecord* old, RobotsExchange exchange, FileAnswer answer,
                         const RobotsPolicy& policy, Timestamp now) {
  RobotsRecord record;
  if (old != nullptr) record = *old;
  if (answer == FileAnswer::none) {
    keep_failure(record, exchange, policy, now);
    return record;
  }
  record.failing_since.reset();
  record.failures = 0;
  record.fetched_at = now;
  record.hops = std::move(exchange.request.hops);
  const auto field = [&exchange](std::string_view name) { return exchange.headers.get(name); };
  if (answer == FileAnswer::unchanged) {
    record.outcome = RobotsOutcome::rules;
    record.status = 200;
    if (const auto tag = field("ETag")) record.etag = *tag;
    if (const auto date = field("Last-Modified")) record.last_modified = *date;
    record.fresh_until = now + freshness_of(exchange, policy, microseconds(0));
    return record;
  }
  record.status = exchange.status;
  record.url = std::move(exchange.request.url);
  if (answer == FileAnswer::unavailable) {
    record.outcome = RobotsOutcome::unavailable;
    record.body = nullptr;
    record.truncated = false;
    record.etag.clear();
    record.last_modified.clear();
    const bool is_unauthorized = exchange.status == 401 || exchange.status == 403;
    const bool is_redirect = agent::is_redirect_status(exchange.status);
    record.fresh_until =
        now + (is_redirect ? microseconds(policy.redirects_again)
                           : freshness_of(exchange, policy, is_unauthorized ? unauthorized_floor : microseconds(0)));
    return record;
  }
  record.outcome = RobotsOutcome::rules;
  record.body = std::make_shared<const std::string>(std::move(exchange.body));
  record.truncated = exchange.is_cut;
  record.etag = field("ETag").value_or("");
  record.last_modified = field("Last-Modified").value_or("");
  record.fresh_until = now + freshness_of(exchange, policy, microseconds(0));
  return record;
}

}  // namespace robotrules::answer
