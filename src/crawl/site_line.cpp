#include "crawl/site_line.hpp"

#include <algorithm>
#include <utility>

namespace robotrules::crawl {
namespace {

constexpr std::size_t min_ahead = 4;  // with fewer URLs of a site left, more are read

}  // namespace

void SiteLine::add(QueueSite known) {
  const std::int64_t id = known.id;
  std::erase_if(ended_, [id](const Ended& ended) { return ended.site == id; });
  ActiveSite* site = find(id);
  if (site == nullptr) site = sites_.emplace(id, std::make_unique<ActiveSite>()).first->second.get();
  site->known = std::move(known);
  site->read_all = false;
  if (!std::exchange(site->reading, true)) to_read_.push_back(id);
}

ActiveSite* SiteLine::find(std::int64_t id) const {
  const auto found = sites_.find(id);
  return found == sites_.end() ? nullptr : found->second.get();
}

std::vector<std::int64_t> SiteLine::ids() const {
  std::vector<std::int64_t> ids;
  for (const auto& [id, site] : sites_) ids.push_back(id);
  for (const Ended& ended : ended_) ids.push_back(ended.site);
  for (const Ended& ended : releasing_) ids.push_back(ended.site);
  return ids;
}

void SiteLine::clear() {
  sites_.clear();
  is_stopped_ = false;
  known_urls_.clear();
  to_read_.clear();
  stalled_.clear();
  later_.clear();
  has_turn_begun_ = false;
  await_turn_.clear();
  ended_.clear();
}

// --- reading ahead ---------------------------------------------------------------------------------------------------

void SiteLine::urls_added() {
  ++additions_;
  for (const auto& [id, site] : sites_) {
    site->read_all = false;
    site->place.reset();
    if (site->unsettled > 0 && site->in_flight == 0) read_if_needed(*site);  // else it waits for the program
  }
}

bool SiteLine::read_if_needed(ActiveSite& site) {
  const auto waiting = static_cast<std::size_t>(std::ranges::count_if(site.ahead, is_waiting));
  if (is_stopped_ || site.leaves || site.ahead.size() >= min_ahead + waiting || site.read_all || site.reading) {
    return false;
  }
  site.reading = true;
  to_read_.push_back(site.known.id);
  return true;
}

ActiveSite& SiteLine::next_to_read() {
  ActiveSite& site = *sites_.at(to_read_.front());
  to_read_.pop_front();
  site.additions = additions_;
  return site;
}

void SiteLine::read(ActiveSite& site, std::vector<QueueItem> items) {
  site.reading = false;
  const bool is_current = site.additions == additions_;
  site.read_all = is_current && items.size() < max_read;
  for (QueueItem& item : items) {
    if (is_current) site.place = place_of(item);
    if (!is_stopped_ && !site.leaves && known_urls_.insert(item.id).second) site.ahead.push_back({std::move(item), 0});
  }
}

void SiteLine::read_failed(ActiveSite& site) {
  site.reading = !is_stopped_;
  if (!is_stopped_) to_read_.push_front(site.known.id);
}

void SiteLine::stop_reading() {
  is_stopped_ = true;
  for (const std::int64_t id : std::exchange(to_read_, {})) sites_.at(id)->reading = false;
  for (const auto& [id, site] : sites_) site->ahead.clear();
}

void SiteLine::stop_all() {
  stop_reading();
  for (const auto& [id, site] : sites_) {
    site->reading = false;
    site->unsettled = 0;
  }
}

// --- waiting ---------------------------------------------------------------------------------------------------------

void SiteLine::stall(ActiveSite& site) {
  if (!std::exchange(site.stalled, true)) stalled_.push_back(site.known.id);
}

ActiveSite* SiteLine::take_stalled() {
  ActiveSite* site = find(stalled_.front());
  stalled_.pop_front();
  if (site != nullptr) site->stalled = false;
  return site;
}

void SiteLine::prefer_answering() {
  const auto best = std::ranges::find_if(stalled_, [this](std::int64_t id) {
    const ActiveSite* site = find(id);
    return site != nullptr && !site->is_silent;
  });
  if (best != stalled_.end()) std::swap(stalled_.front(), *best);
}

std::optional<SiteLine::Clock::time_point> SiteLine::next_wait_ends() const {
  return later_.empty() ? std::nullopt : std::optional(later_.begin()->first);
}

ActiveSite* SiteLine::take_waited(Clock::time_point now) {
  ActiveSite* site = nullptr;
  while (site == nullptr && !later_.empty() && later_.begin()->first <= now) {
    site = find(later_.begin()->second);
    later_.erase(later_.begin());
  }
  return site;
}

bool SiteLine::has_turn(const ActiveSite& site, const UrlTask& task) {
  if (!task.is_too_long || !has_turn_begun_) return true;
  await_turn_.insert(site.known.id);
  return false;
}

void SiteLine::end_turn(Clock::time_point now) {
  has_turn_begun_ = false;
  for (const std::int64_t id : std::exchange(await_turn_, {})) later_.emplace(now, id);
}

// --- ending ----------------------------------------------------------------------------------------------------------

std::size_t SiteLine::count_staying() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(sites_, [](const auto& entry) { return !entry.second->leaves; }));
}

std::vector<ActiveSite*> SiteLine::choose_leaving(std::size_t count) const {
  std::vector<ActiveSite*> leaving;
  for (const auto& [id, site] : sites_) {
    if (leaving.size() >= count) break;
    if (!site->leaves) leaving.push_back(site.get());
  }
  return leaving;
}

void SiteLine::end(ActiveSite& site, std::uint64_t pages) {
  const std::int64_t id = site.known.id;
  ended_.push_back({id, pages, additions_});
  sites_.erase(id);
}

void SiteLine::end_all(std::uint64_t pages) {
  for (const auto& [id, site] : sites_) ended_.push_back({id, pages, additions_});
  sites_.clear();
  to_read_.clear();  // of a claim that was made while the crawl was stopped
}

SiteLine::Release SiteLine::begin_release(std::uint64_t pages) {
  Release release;
  for (; !ended_.empty() && ended_.front().pages <= pages; ended_.pop_front()) {
    releasing_.push_back(ended_.front());
    release.may_have_urls = release.may_have_urls || ended_.front().additions != additions_;
  }
  for (const Ended& one : releasing_) release.sites.push_back(one.site);
  return release;
}

void SiteLine::release_failed() {
  ended_.insert(ended_.begin(), releasing_.begin(), releasing_.end());
  releasing_.clear();
}

}  // namespace robotrules::crawl
