#include "crawl/page_plan.hpp"

#include <algorithm>

#include "fields/http_date.hpp"
#include "robot/page_pace.hpp"
#include "robot/site_wait.hpp"

namespace robotrules::crawl {
namespace {

using std::chrono::microseconds;

constexpr std::uint64_t max_steps = 1'000'000;

// Returns `number` times `time`, at most some 280,000 years.
microseconds times(microseconds time, double number) {
  constexpr double most = 9e18;
  return microseconds(static_cast<std::int64_t>(std::min(static_cast<double>(time.count()) * number, most)));
}

Timestamp later(Timestamp time, microseconds by) {
  return time + std::min(by, Timestamp::max() - std::max(time, Timestamp{}));
}

class Planner {
 public:
  Planner(const Pace& pace, const Rules& rules, microseconds max_wait)
      : pace_(pace), rules_(rules), max_wait_(max_wait) {}

  PagePlan plan(std::uint64_t pages, Timestamp at, SiteWait first) {
    now_ = at;
    Timestamp free = at + first.time;
    WaitReason why = first.why;
    const std::uint64_t steps = std::min(pages, depends_on_clock() ? max_steps : 2);
    while (plan_.pages < steps && reach(free, why)) {
      plan_.last = now_;
      if (plan_.pages++ == 0) first_ = now_;
    }
    if (plan_.pages == steps && steps > 0) skip_to(pages);
    return std::move(plan_);
  }

 private:
  // Returns false if all pages are the same distance apart.
  bool depends_on_clock() const {
    const auto rate = rules_.request_rate();
    return (pace_.obey_visit_time && rules_.visit_time()) || (pace_.obey_request_rate && rate && rate->during);
  }

  // Moves the time to the next page, as Site does. Returns false if that takes too long. `free`, `why`: when the gate
  // lets the first page pass. Later pages follow the one before.
  bool reach(Timestamp free, WaitReason why) {
    while (true) {
      if (const auto begins = agent::visit_time_begins(pace_, rules_, now_)) {
        if (!wait(*begins, WaitReason::visit_time)) return false;
        continue;
      }
      if (plan_.pages > 0) {
        const ReserveRequest request = agent::page_request(pace_, rules_, {}, now_);
        free = plan_.last + request.interval;
        why = agent::reason_of(request.source);
      }
      if (free <= now_) return true;
      if (!wait(free, why)) return false;
    }
  }

  bool wait(Timestamp until, WaitReason why) {
    if (until - now_ > max_wait_) {
      plan_.why_left_out = agent::sentence_about(why, rules_) + " until " + agent::format_http_date(until);
      plan_.left_out_until = until;
      return false;
    }
    now_ = until;
    return true;
  }

  void skip_to(std::uint64_t pages) {
    if (plan_.pages < 2) return;
    const double more = static_cast<double>(pages - plan_.pages);
    const double apart = static_cast<double>(plan_.pages - 1);
    plan_.last = later(plan_.last, times(plan_.last - first_, more / apart));
    plan_.pages = pages;
  }

  const Pace& pace_;
  const Rules& rules_;
  microseconds max_wait_;
  Timestamp now_;
  Timestamp first_;
  PagePlan plan_;
};

}  // namespace

PagePlan plan_pages(const Pace& pace, const Rules& rules, std::uint64_t pages, Timestamp at, SiteWait first,
                    microseconds max_wait) {
  return Planner(pace, rules, max_wait).plan(pages, at, first);
}

}  // namespace robotrules::crawl
