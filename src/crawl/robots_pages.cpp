// The robots.txt exchanges of a crawl, which some outputs keep beside the pages.
#include <memory>
#include <mutex>

#include "crawl/crawl_loop.hpp"

namespace robotrules::crawl {

std::shared_ptr<CrawlLoop::RobotsCallback> CrawlLoop::record_robots() {
  if (!needs_.robots_txt) return nullptr;
  auto callback = std::make_shared<RobotsCallback>();
  callback->crawl = this;
  robot_.on_robots_exchange([callback](const Response& exchange) {
    const std::lock_guard lock(callback->mutex);
    if (callback->crawl != nullptr) callback->crawl->robots_exchanged(exchange);
  });
  return callback;
}

void CrawlLoop::forget_robots() {
  if (robots_callback_ == nullptr) return;
  robot_.on_robots_exchange({});
  const std::lock_guard lock(robots_callback_->mutex);
  robots_callback_->crawl = nullptr;  // fetches that have begun keep the callback
}

// Called on the robot's thread. After the end of the crawl, the output belongs to the program again.
void CrawlLoop::robots_exchanged(const Response& exchange) {
  try {
    const std::lock_guard lock(mutex_);
    if (end_.has_failed() || is_over()) return;
    pages_.add({.item = {}, .response = exchange, .is_robots_txt = true});
  } catch (...) {
    abandon();
  }
  changed_.notify_one();
}

}  // namespace robotrules::crawl
