#include <robotrules/open_store.hpp>

#include "crawl/scripted_crawl.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace robotrules::test {
namespace {

using std::chrono::microseconds;

std::chrono::steady_clock::time_point steady(microseconds since_start) {
  return std::chrono::steady_clock::time_point(std::chrono::hours(1) + since_start);
}

}  // namespace

Result<void> PageList::write(const FetchedPage& page) {
  const bool is_page = page.response.source == ResponseSource::server;
  lines_.push_back({std::string(page.url), is_page ? "" : std::string(page.reason()), page.tries, page.response.code,
                    page.response.warning});
  return {};
}

const PageList::Line& PageList::of(const std::string& url) const {
  if (std::ranges::count(lines_, url, &Line::url) != 1) throw std::runtime_error("not one line of " + url);
  return *std::ranges::find(lines_, url, &Line::url);
}

std::unique_ptr<UrlQueue> queue_of(const std::vector<std::string>& urls) {
  auto queue = open_url_queue("").value();
  std::vector<QueuedUrl> queued;
  for (const std::string& url : urls) queued.push_back({.url = url});
  if (!queue->add(queued)) throw std::runtime_error("the queue takes no URLs");
  return queue;
}

std::vector<std::string> urls_of(const std::string& origin, int count) {
  std::vector<std::string> urls;
  for (int i = 0; i < count; ++i) urls.push_back(origin + "/" + std::to_string(i));
  return urls;
}

ScriptedCrawl::ScriptedCrawl(RobotRig& rig, const std::vector<std::string>& urls, CrawlOptions options)
    : ScriptedCrawl(rig, queue_of(urls), nullptr, std::move(options)) {}
ScriptedCrawl::ScriptedCrawl(RobotRig& rig, UrlQueue& queue, CrawlOptions options)
    : ScriptedCrawl(rig, nullptr, &queue, std::move(options)) {}

ScriptedCrawl::ScriptedCrawl(RobotRig& rig, std::unique_ptr<UrlQueue> owned, UrlQueue* queue, CrawlOptions options)
    : rig_(rig), owned_(std::move(owned)), queue_(queue != nullptr ? queue : owned_.get()) {
  options.clock = [clock = rig.clock] { return steady(clock->since_start()); };
  options.on_site_failure = [this](const SiteFailure& failure) { failures_.push_back(failure); };
  options.on_network_failed = [this](std::string_view sentence) { network_.emplace_back(sentence); };
  crawl_ = std::make_unique<Crawl>(rig.agent(), *queue_, pages_, std::move(options));
  crawl_->urls_added(false);
}

bool ScriptedCrawl::run(microseconds most) {
  const microseconds end = rig_.loop->now() + most;
  while (true) {
    std::optional<std::chrono::steady_clock::time_point> next;
    do {
      rig_.loop->run();
      next = crawl_->next_work();
    } while (rig_.loop->has_due());
    if (crawl_->wait_for(std::chrono::milliseconds(0))) return true;
    microseconds until = end;
    if (const auto timer = rig_.loop->next_timer()) until = std::min(until, *timer);
    if (next) until = std::min(until, std::chrono::ceil<microseconds>(*next - steady(microseconds(0))));
    if (until >= end) return false;
    rig_.loop->advance(std::max(until - rig_.loop->now(), microseconds(1)));
  }
}

}  // namespace robotrules::test
