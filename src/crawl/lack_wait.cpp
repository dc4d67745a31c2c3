// The crawl while something is missing that all of its requests need: room on a disk, or the proxy. It starts no
// request, keeps the pages that it has, and tries again from time to time. If the disk has room, but not for a long
// body, only the URL of this body waits.
#include <algorithm>
#include <utility>

#include "crawl/call_back.hpp"
#include "crawl/crawl_loop.hpp"

namespace robotrules::crawl {

// Precondition of all functions but tell(): the caller holds the mutex.

void CrawlLoop::wait_for(Lack lack, const std::string& sentence) {
  if (!room_at_) ++full_in_turn_;  // several requests that fail at the same time are one try
  room_at_ = time() + options_.disk_full_wait * (1U << std::min(full_in_turn_ - 1, max_doublings));
  lack_ = lack;
  Told& told = told_[lack];
  const auto now = time();
  if (!told.at || now - *told.at >= options_.disk_full_reminder) {
    told.at = now;
    told.next = sentence + (lack == Lack::room ? "; the crawl waits until there is room"
                                               : "; the crawl waits until it can use the proxy");
  }
  changed_.notify_one();
}

// Returns false if the proxy has served a request that began after it first failed for this site. Then it fails for the
// site alone, and the crawl must not wait for it. `number`: of the request.
bool CrawlLoop::is_proxy_lost_for(Site& site, std::uint64_t number, const Response& response) {
  if (!response.is_synthetic()) {
    last_answered_ = std::max(last_answered_, number);
    site.begun_before_lack.reset();
  }
  if (response.source != ResponseSource::proxy_failed) return false;
  if (!site.begun_before_lack) site.begun_before_lack = last_number_;
  return last_answered_ <= *site.begun_before_lack;
}

bool CrawlLoop::has_news() const {
  return recalls_ || network_told_.next || untold_queue_ ||
         std::ranges::any_of(told_, [](const auto& entry) { return entry.second.next.has_value(); });
}

bool CrawlLoop::is_waiting_for_lack() const { return room_at_ && !stopping_ && !error_ && time() < *room_at_; }

// Returns false if the body of the URL did not fit on the disk, and it is the turn of another such URL.
bool CrawlLoop::has_turn(const Site& site, const Task& task) {
  if (!task.is_too_long || !trying_too_long_) return true;
  await_turn_.insert(site.known.id);
  return false;
}

// The body of such a URL did not fit again, or its page is written, so the disk has the room of its temporary file
// again.
void CrawlLoop::end_turn() {
  trying_too_long_ = false;
  for (const std::int64_t id : std::exchange(await_turn_, {})) later_.emplace(time(), id);
}

// A page or a result was written. That proves nothing for what has failed on another disk, or at the proxy: the output,
// the queue and the requests that have found the lack must have succeeded, each for itself.
void CrawlLoop::note_room() {
  if (!found_lack_.empty() || output_is_full_ || queue_is_full_) return;
  room_at_.reset();
  full_in_turn_ = 0;
  for (auto& [lack, told] : told_) {
    if (std::exchange(told.at, std::nullopt)) told.next = std::string();
  }
}

// The crawl was stopped. The pages are not in the queue yet, so they stay pending. No later page may be written: the
// position in the queue would move past pages that are in the output and not in the queue.
void CrawlLoop::give_up_pages() {
  gave_up_pages_ = true;
  unwritten_ -= pages_.size();
  pages_.clear();
}

void CrawlLoop::tell() {
  recall_waiting();
  std::optional<std::string> disk;
  std::optional<std::string> proxy;
  std::optional<std::string> network;
  std::optional<std::string> queue;
  {
    const std::lock_guard lock(mutex_);
    disk = std::exchange(told_[Lack::room].next, std::nullopt);
    proxy = std::exchange(told_[Lack::proxy].next, std::nullopt);
    network = std::exchange(network_told_.next, std::nullopt);
    queue = std::exchange(untold_queue_, std::nullopt);
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
