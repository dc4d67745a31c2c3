// The progress of a crawl.
#include <algorithm>
#include <utility>

#include "crawl/crawl_loop.hpp"

namespace robotrules::crawl {
namespace {

constexpr std::size_t max_asked = 16;  // sites whose gate is asked for the display

}  // namespace

CrawlCounts CrawlLoop::counts() const {
  const Activity activity = robot_.activity();
  const RobotsFetches robots = robot_.robots_fetches();
  // The server of a shared queue may be slow or away, so it is not asked here.
  const auto queued = link_.is_shared() ? Result<QueueCounts>(QueueCounts{}) : link_.queue().counts();
  const std::lock_guard lock(mutex_);
  const std::uint64_t pending = link_.is_shared() ? link_.pending() : queued ? queued.value().pending : 0;
  CrawlCounts counts = totals_.counts(pending);
  counts.on_the_wire = activity.on_the_wire;
  counts.waiting = requests_.size() - std::min(requests_.size(), activity.on_the_wire);
  counts.sites = sites_.active().size();
  counts.open = supply_.is_open();
  counts.disk_full = is_waiting_for(Lack::room);
  counts.proxy_failed = is_waiting_for(Lack::proxy);
  counts.network_failed = is_waiting_for_network();
  counts.queue_unreachable = is_waiting_for_queue();
  counts.waits_for_workers =
      link_.is_shared() && sites_.active().empty() && supply_.none_free() && link_.pending() > 0 && !end_.is_ending();
  counts.robots = robots;
  return counts;
}

FailureCounts CrawlLoop::failures() const {
  const std::lock_guard lock(mutex_);
  return totals_.failures();
}

// Precondition of this function and of the next one: the caller holds the mutex.
void CrawlLoop::note_interval(Site& site, const Response& response) const {
  if (response.robots == nullptr || !response.robots->rules) return;
  site.interval = page_interval(robot_.pace(), *response.robots->rules, robot_.rules()->store()->approximate_now());
}

// Estimates the time for the pages of a site that are left, without the next `but`. The time that it waits now does not
// count.
std::chrono::milliseconds CrawlLoop::time_for(const Site& site, std::uint64_t but) const {
  if (site.known.pending <= site.done + but) return {};
  using Milliseconds = std::chrono::duration<double, std::milli>;
  double a_page = std::max(Milliseconds(site.interval), Milliseconds(robot_.delay())).count();
  if (site.done > 0) {
    const Milliseconds so_far = site.last_done - site.first_begun;
    a_page = std::max(a_page, so_far.count() / static_cast<double>(site.done));
  }
  const double left = std::min(a_page * static_cast<double>(site.known.pending - site.done - but), 1e15);
  return std::chrono::milliseconds(static_cast<std::int64_t>(left));
}

std::optional<NextTry> CrawlLoop::next_try() const {
  std::optional<Clock::time_point> first;
  std::string url;
  const auto now = time();
  {
    const std::lock_guard lock(mutex_);
    const auto see = [&](Clock::time_point when, const std::string& robots) {
      if (when <= now || (first && *first <= when)) return;
      first = when;
      url = robots;
    };
    for (const auto& [id, site] : sites_.active()) {
      if (site->not_before) see(*site->not_before, site->known.origin + "/robots.txt");
      for (const Task& task : site->ahead) {
        if (task.not_before) see(*task.not_before, task.waits_for);
      }
    }
  }
  std::optional<NextTry> next;
  if (first) next = NextTry{url, std::chrono::ceil<std::chrono::milliseconds>(*first - now)};
  if (robot_.activity().on_the_wire > 0) return next;
  for (const SiteCounts& site : most_delayed(max_asked)) {
    if (site.why == WaitReason::none || (next && next->in <= site.next_in)) continue;
    next = NextTry{site.origin, site.next_in, site.why};
  }
  return next;
}

std::chrono::milliseconds CrawlLoop::slowest() const {
  const auto now = time();
  const std::lock_guard lock(mutex_);
  std::chrono::milliseconds longest{0};
  const auto see = [&longest](std::chrono::milliseconds left) { longest = std::max(longest, left); };
  for (const auto& [id, site] : sites_.active()) {
    std::chrono::milliseconds wait{0};
    if (site->not_before) wait = std::chrono::ceil<std::chrono::milliseconds>(*site->not_before - now);
    for (const Task& task : site->ahead) {
      if (task.not_before) see(std::chrono::ceil<std::chrono::milliseconds>(*task.not_before - now));
    }
    see(wait + time_for(*site, 1));
  }
  return longest;
}

std::vector<SiteCounts> CrawlLoop::busiest(std::size_t count) const {
  const std::lock_guard lock(mutex_);
  std::vector<const Site*> found;
  found.reserve(sites_.active().size());
  for (const auto& [id, site] : sites_.active()) found.push_back(site.get());
  const auto end = found.begin() + static_cast<std::ptrdiff_t>(std::min(count, found.size()));
  std::partial_sort(found.begin(), end, found.end(), [](const Site* a, const Site* b) { return a->done > b->done; });
  std::vector<SiteCounts> counts;
  for (auto at = found.begin(); at != end; ++at) {
    const std::uint64_t pending = (*at)->known.pending - std::min((*at)->known.pending, (*at)->done);
    counts.push_back({.origin = (*at)->known.origin, .done = (*at)->done, .pending = pending});
  }
  return counts;
}

// Chooses the sites whose requests have waited longest, and asks the gate about these few only.
std::vector<SiteCounts> CrawlLoop::most_delayed(std::size_t count) const {
  struct Found {
    Clock::time_point begun;
    SiteCounts counts;
    std::chrono::milliseconds left_after;  // the time after the page that follows the one in flight
  };
  std::vector<Found> found;
  {
    const auto now = time();
    const std::lock_guard lock(mutex_);
    for (const auto& [id, site] : sites_.active()) {
      if (site->in_flight == 0 && !site->not_before) continue;
      SiteCounts counts{.origin = site->known.origin, .done = site->done, .left = time_for(*site, 1)};
      counts.pending = site->known.pending - std::min(site->known.pending, site->done);
      if (site->not_before) counts.next_in = std::chrono::ceil<std::chrono::milliseconds>(*site->not_before - now);
      found.push_back({site->begun, std::move(counts), time_for(*site, 2)});
    }
  }
  const auto by_time = [](const Found& a, const Found& b) { return a.begun < b.begun; };
  const auto end = found.begin() + static_cast<std::ptrdiff_t>(std::min(max_asked, found.size()));
  std::partial_sort(found.begin(), end, found.end(), by_time);
  std::vector<SiteCounts> counts;
  for (auto at = found.begin(); at != end; ++at) {
    SiteCounts& site = at->counts;
    if (const auto wait = robot_.site_wait(site.origin); wait && wait.value().time > site.next_in) {
      site.next_in = std::chrono::ceil<std::chrono::milliseconds>(wait.value().time);
      site.why = wait.value().why;
      if (wait.value().has_request_in_flight) site.left = at->left_after;
    }
    if (site.next_in.count() <= 0) continue;
    site.left += site.next_in;
    counts.push_back(std::move(site));
  }
  std::sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.next_in > b.next_in; });
  if (counts.size() > count) counts.resize(count);
  return counts;
}

}  // namespace robotrules::crawl
