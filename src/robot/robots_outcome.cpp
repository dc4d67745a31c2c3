#include "robot/robots_outcome.hpp"

#include <algorithm>
#include <cstdint>

#include <robotrules/page.hpp>
#include <robotrules/robots_state.hpp>

#include "base/whole_lines.hpp"
#include "http/cache_fields.hpp"
#include "http/fields/content_type.hpp"
#include "http/fields/http_date.hpp"
#include "http/fields/retry_after.hpp"

namespace robotrules::agent {
namespace {

using std::chrono::microseconds;

constexpr auto unauthorized_floor = std::chrono::hours(1);  // a site that says 401 or 403 is not asked every 5 minutes

// The minimum for every policy: a robot that fetches robots.txt again at once would never get to a page.
constexpr microseconds min_wait = std::chrono::seconds(1);

bool is_unauthorized(int status) { return status == 401 || status == 403; }

microseconds freshness_of(const RobotsFetchEnd& end, const RobotsPolicy& policy, microseconds floor) {
  RobotsFreshness limits;
  limits.min = std::max<microseconds>({floor, policy.freshness_floor, min_wait});
  limits.max = std::max<microseconds>(limits.min, policy.freshness_limit);
  limits.unsaid = limits.max;
  return robots_freshness(read_freshness(cache_fields(end.headers, end.requested_at, end.received_at)), limits);
}

using base::ByteOrder;

// Returns the byte order of UTF-16 by its byte order mark, or else by its label (RFC 2781 section 4.3: big-endian
// without a mark). A label is ignored if the first 1,024 bytes contain no NUL.
ByteOrder byte_order_of(std::string_view body, const Headers& headers) {
  if (const ByteOrder marked = base::marked_byte_order(body); marked != ByteOrder::none) return marked;
  const ContentType type = parse_content_type(headers.get("Content-Type").value_or(""));
  const bool labelled = type.charset == "utf-16" || type.charset == "utf-16be" || type.charset == "utf-16le";
  constexpr std::size_t max_label_check = 1'024;
  if (!labelled || body.substr(0, max_label_check).find('\0') == std::string_view::npos) return ByteOrder::none;
  return type.charset == "utf-16le" ? ByteOrder::little : ByteOrder::big;
}

// Adds a byte order mark to UTF-16 that has only a label, so that the stored file tells its encoding itself.
std::string with_byte_order(std::string body, const Headers& headers) {
  const ByteOrder order = byte_order_of(body, headers);
  if (order != base::marked_byte_order(body)) {
    body.insert(0, order == ByteOrder::little ? "\xFF\xFE" : "\xFE\xFF");
  }
  return body;
}

void keep_failure(RobotsRecord& record, const RobotsFetchEnd& end, const RobotsPolicy& policy, Timestamp now,
                  double jitter) {
  record.outcome = RobotsOutcome::unreachable;
  record.status = end.kind == RobotsFetchEnd::Kind::failed && end.status < 300 ? 0 : end.status;
  if (end.is_ours) {  // not the site's fault: wait only for min_wait
    record.fresh_until = now + min_wait;
    return;
  }
  if (!record.failing_since) record.failing_since = now;
  const bool long_gone = now - *record.failing_since > policy.stale_for;
  microseconds wait = long_gone ? microseconds(policy.long_unreachable_again) : retry_wait(policy, record.failures);
  wait += microseconds(static_cast<std::int64_t>(static_cast<double>(wait.count()) * jitter / 10));
  if (const auto asked = retry_after_of(end.headers, end.received_at)) {
    wait = std::max(wait, std::min<microseconds>(*asked, policy.freshness_limit));
  }
  if (record.failures != UINT32_MAX) ++record.failures;
  record.fresh_until = now + std::max(wait, min_wait);
}

}  // namespace

microseconds retry_wait(const RobotsPolicy& policy, unsigned failures) {
  const std::int64_t doubled = std::int64_t{1} << std::min(failures, 20U);
  return std::min<microseconds>(microseconds(policy.retry_first) * doubled, policy.retry_longest);
}

std::size_t whole_lines(std::string_view body, const Headers& headers) {
  return base::whole_lines(body, body.size(), byte_order_of(body, headers));
}

RobotsRecord next_record(const RobotsRecord* old, const RobotsFetchEnd& end, const RobotsPolicy& policy, Timestamp now,
                         double jitter) {
  RobotsRecord record;
  if (old != nullptr) record = *old;
  const bool answered = end.kind == RobotsFetchEnd::Kind::answered;
  const bool success = answered && end.status >= 200 && end.status < 300 && end.status != 206;
  const bool refreshed = answered && end.status == 304 && end.was_conditional && record.body != nullptr;
  const bool refused = (answered && end.status >= 400 && end.status < 500 && end.status != 429) ||
                       end.kind == RobotsFetchEnd::Kind::too_many_redirects;
  const bool unavailable =
      refused && action_for(RobotsOutcome::unavailable, end.status, policy) != PolicyAction::unreachable;
  if (!success && !refreshed && !unavailable) {
    keep_failure(record, end, policy, now, jitter);
    return record;
  }
  record.failing_since.reset();
  record.failures = 0;
  record.fetched_at = now;
  if (refreshed) {  // the copy is valid: counts as fetched
    record.outcome = RobotsOutcome::rules;
    record.status = 200;
    record.hops = end.hops;
    if (const auto tag = end.headers.get("ETag")) record.etag = *tag;
    if (const auto date = end.headers.get("Last-Modified")) record.last_modified = *date;
    record.fresh_until = now + freshness_of(end, policy, microseconds(0));
    return record;
  }
  record.status = end.status;
  record.url = end.url;
  record.hops = end.hops;
  if (unavailable) {
    record.outcome = RobotsOutcome::unavailable;
    record.body = nullptr;
    record.truncated = false;
    record.etag.clear();
    record.last_modified.clear();
    const bool redirects = end.kind == RobotsFetchEnd::Kind::too_many_redirects;
    record.fresh_until =
        now + (redirects
                   ? microseconds(policy.redirects_again)
                   : freshness_of(end, policy, is_unauthorized(end.status) ? unauthorized_floor : microseconds(0)));
    return record;
  }
  record.outcome = RobotsOutcome::rules;
  record.body = std::make_shared<const std::string>(with_byte_order(end.body, end.headers));
  record.truncated = end.truncated;
  record.etag = end.headers.get("ETag").value_or("");
  record.last_modified = end.headers.get("Last-Modified").value_or("");
  record.fresh_until = now + freshness_of(end, policy, microseconds(0));
  return record;
}

}  // namespace robotrules::agent
