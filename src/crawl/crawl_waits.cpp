// The crawl while something is missing that all of its requests need: room on a disk, the proxy, or the robot's own
// network. It keeps the pages that it has, and tries again from time to time. If the disk has room, but not for a long
// body, only the URL of this body waits. When the network works again, the sites begin one after the other.
#include <algorithm>
#include <utility>

#include "crawl/call_back.hpp"
#include "crawl/crawl_loop.hpp"

namespace robotrules::crawl {

// Precondition of all functions but recall_waiting() and tell(): the caller holds the mutex.

void CrawlLoop::wait_for(Lack lack, const std::string& sentence) {
  lack_.begin(lack, sentence, time());
  changed_.notify_one();
}

bool CrawlLoop::has_news() const { return lack_.has_news() || network_.has_news() || link_.has_news(); }

bool CrawlLoop::is_waiting_for(Lack lack) const { return !end_.is_ending() && lack_.is_waiting_for(lack, time()); }

bool CrawlLoop::is_waiting_for_network() const { return network_.is_waiting() && !end_.is_ending(); }

bool CrawlLoop::may_try_network() const {
  return !is_waiting_for_network() || (network_.is_due(time()) && robot_.activity().on_the_wire == 0);
}

bool CrawlLoop::note_network(const Response& response) {
  const bool was_waiting = network_.is_waiting();
  const bool is_lost = network_.take(response, robot_.network_failing_since().has_value(), !requests_.empty(), time());
  if (was_waiting && !network_.is_waiting()) rate_.spread(sites_.active().size(), time());
  return is_lost;
}

void CrawlLoop::recall_waiting() {
  std::vector<Pending> waiting;
  {
    const std::lock_guard lock(mutex_);
    if (!network_.take_recall()) return;
    waiting = requests_.recall();
  }
  for (const Pending& one : waiting) one.cancel_if_waiting();
}

void CrawlLoop::tell() {
  recall_waiting();
  std::optional<std::string> disk;
  std::optional<std::string> proxy;
  std::optional<std::string> network;
  std::optional<std::string> queue;
  {
    const std::lock_guard lock(mutex_);
    disk = lack_.notice(Lack::room).take();
    proxy = lack_.notice(Lack::proxy).take();
    network = network_.notice().take();
    queue = link_.notice().take();
  }
  const auto call = [this](const char* name, const std::function<void(std::string_view)>& callback,
                           const std::optional<std::string>& sentence) {
    if (!callback || !sentence) return;
    if (auto called = call_back(name, [&] { callback(*sentence); }); !called) fail(called.error());
  };
  call("on_disk_full", options_.on_disk_full, disk);
  call("on_proxy_failed", options_.on_proxy_failed, proxy);
  call("on_network_failed", options_.on_network_failed, network);
  call("on_queue_unreachable", options_.on_queue_unreachable, queue);
}

}  // namespace robotrules::crawl
