// The progress of a crawl.
#include <algorithm>
#include <utility>

#include "crawl/crawl_loop.hpp"

namespace robotrules::crawl {

// Counts a response and the redirects and challenges before it. Precondition: the caller holds the mutex.
void CrawlLoop::count_responses(const Response& last) {
  for (const Response* one = &last; one != nullptr; one = one->previous.get()) {
    if (one->is_synthetic() || one->source == ResponseSource::handler) continue;
    const int hundreds = one->code / 100;
    ++counts_.responses[hundreds >= 1 && hundreds <= 5 ? static_cast<std::size_t>(hundreds) : 0];
    // The clock may have been set back meanwhile.
    const auto time =
        std::max<std::chrono::microseconds>(one->received_at - one->requested_at, std::chrono::microseconds(0));
    const auto bound = std::ranges::find_if(
        ResponseTimes::bounds_ms, [time](std::int64_t most) { return time <= std::chrono::milliseconds(most); });
    ++counts_.times.counts[static_cast<std::size_t>(bound - ResponseTimes::bounds_ms.begin())];
    counts_.times.sum += time;
  }
}

CrawlCounts CrawlLoop::counts() const {
  const Activity activity = robot_.activity();
  const RobotsFetches robots = robot_.robots_fetches();
  // The server of a shared queue may be slow or away, so it is not asked here.
  const auto queued = is_shared_ ? Result<QueueCounts>(QueueCounts{}) : queue_.counts();
  const std::lock_guard lock(mutex_);
  CrawlCounts counts = counts_;
  counts.on_the_wire = activity.on_the_wire;
  counts.waiting = in_flight_.size() - std::min(in_flight_.size(), activity.on_the_wire);
  counts.sites = sites_.size();
  counts.open = open_;
  counts.disk_full = is_waiting_for_lack() && lack_ == Lack::room;
  counts.proxy_failed = is_waiting_for_lack() && lack_ == Lack::proxy;
  counts.robots = robots;
  const std::uint64_t pending = is_shared_ ? queued_ : queued ? queued.value().pending : 0;
  counts.pending = pending - std::min(pending, unsettled_);
  return counts;
}

FailureCounts CrawlLoop::failures() const {
  const std::lock_guard lock(mutex_);
  return failures_;
}

std::optional<NextTry> CrawlLoop::next_try() const {
  const auto now = Clock::now();
  const std::lock_guard lock(mutex_);
  std::optional<Clock::time_point> first;
  std::string url;
  const auto see = [&](Clock::time_point when, const std::string& robots) {
    if (when <= now || (first && *first <= when)) return;
    first = when;
    url = robots;
  };
  for (const auto& [id, site] : sites_) {
    if (site->not_before) see(*site->not_before, site->known.origin + "/robots.txt");
    for (const Task& task : site->ahead) {
      if (task.not_before) see(*task.not_before, task.waits_for);
    }
  }
  if (!first) return std::nullopt;
  return NextTry{url, std::chrono::ceil<std::chrono::milliseconds>(*first - now)};
}

std::chrono::milliseconds CrawlLoop::slowest() const {
  const auto now = Clock::now();
  const std::chrono::milliseconds delay = robot_.delay();
  const std::lock_guard lock(mutex_);
  std::chrono::milliseconds longest{0};
  const auto see = [&longest](std::chrono::milliseconds left) { longest = std::max(longest, left); };
  for (const auto& [id, site] : sites_) {
    std::chrono::milliseconds wait{0};
    if (site->not_before) wait = std::chrono::ceil<std::chrono::milliseconds>(*site->not_before - now);
    for (const Task& task : site->ahead) {
      if (task.not_before) see(std::chrono::ceil<std::chrono::milliseconds>(*task.not_before - now));
    }
    see(wait);
    if (site->known.pending <= site->done) continue;
    if (site->done == 0) {  // at least the delay between its pages
      const double left = static_cast<double>(delay.count()) * static_cast<double>(site->known.pending - 1);
      see(wait + std::chrono::milliseconds(static_cast<std::int64_t>(std::min(left, 1e15))));
      continue;
    }
    const double a_page =
        std::chrono::duration<double, std::milli>(now - site->first_begun).count() / static_cast<double>(site->done);
    const double left = std::min(a_page * static_cast<double>(site->known.pending - site->done), 1e15);
    see(wait + std::chrono::milliseconds(static_cast<std::int64_t>(left)));
  }
  return longest;
}

std::vector<SiteCounts> CrawlLoop::busiest(std::size_t count) const {
  const std::lock_guard lock(mutex_);
  std::vector<const Site*> found;
  found.reserve(sites_.size());
  for (const auto& [id, site] : sites_) found.push_back(site.get());
  const auto end = found.begin() + static_cast<std::ptrdiff_t>(std::min(count, found.size()));
  std::partial_sort(found.begin(), end, found.end(), [](const Site* a, const Site* b) { return a->done > b->done; });
  std::vector<SiteCounts> counts;
  for (auto at = found.begin(); at != end; ++at) {
    const std::uint64_t pending = (*at)->known.pending - std::min((*at)->known.pending, (*at)->done);
    counts.push_back({(*at)->known.origin, (*at)->done, pending, std::chrono::milliseconds(0)});
  }
  return counts;
}

// Chooses the sites whose requests have waited longest, and asks the gate about these few only.
std::vector<SiteCounts> CrawlLoop::most_delayed(std::size_t count) const {
  std::vector<std::pair<Clock::time_point, SiteCounts>> found;
  {
    const auto now = Clock::now();
    const std::lock_guard lock(mutex_);
    for (const auto& [id, site] : sites_) {
      if (site->in_flight == 0 && !site->not_before) continue;
      const std::uint64_t pending = site->known.pending - std::min(site->known.pending, site->done);
      std::chrono::milliseconds wait{0};
      if (site->not_before) wait = std::chrono::ceil<std::chrono::milliseconds>(*site->not_before - now);
      found.push_back({site->begun, {site->known.origin, site->done, pending, wait}});
    }
  }
  constexpr std::size_t asked = 16;
  const auto by_time = [](const auto& a, const auto& b) { return a.first < b.first; };
  const auto end = found.begin() + static_cast<std::ptrdiff_t>(std::min(asked, found.size()));
  std::partial_sort(found.begin(), end, found.end(), by_time);
  std::vector<SiteCounts> counts;
  for (auto at = found.begin(); at != end; ++at) {
    if (const auto wait = robot_.host_wait(at->second.origin)) {
      at->second.next_in =
          std::max(at->second.next_in, std::chrono::duration_cast<std::chrono::milliseconds>(wait.value()));
    }
    if (at->second.next_in.count() > 0) counts.push_back(std::move(at->second));
  }
  std::sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.next_in > b.next_in; });
  if (counts.size() > count) counts.resize(count);
  return counts;
}

}  // namespace robotrules::crawl
