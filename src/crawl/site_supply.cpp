#include "crawl/site_supply.hpp"

#include <algorithm>

namespace robotrules::crawl {
namespace {

constexpr std::chrono::milliseconds ask_again_after{500};
constexpr std::chrono::milliseconds share_after{1'000};

}  // namespace

std::size_t SiteSupply::at_once() const noexcept { return std::clamp<std::size_t>(max_sites_ / 16, 1, 512); }

// After all sites have ended, the queue is asked once more: other processes may have added URLs.
bool SiteSupply::may_claim(std::size_t active, bool is_idle, Clock::time_point now) const noexcept {
  if (!has_room(active) || (others_are_idle_ && !is_idle)) return false;
  if (is_shared_ && none_free_) return now >= ask_again_at_ || (is_idle && !asked_while_idle_);
  return !none_free_ || (!none_left_ && is_idle);
}

void SiteSupply::claimed(const Claimed& claimed, Clock::time_point now) noexcept {
  const bool is_idle = claimed.sites == 0 && claimed.is_idle;
  none_left_ = is_idle && claimed.is_current && (!is_shared_ || claimed.pending == 0);
  asked_while_idle_ = is_idle;
  ask_again_at_ = now + ask_again_after;
  none_free_ = claimed.sites < at_once() && claimed.is_current;
}

std::optional<SiteSupply::Clock::time_point> SiteSupply::next_question(std::size_t active,
                                                                       bool is_idle) const noexcept {
  if (!is_shared_ || is_complete()) return std::nullopt;
  const bool asks_for_sites = none_free_ && has_room(active) && !(others_are_idle_ && !is_idle);
  return asks_for_sites ? std::min(ask_again_at_, share_at_) : share_at_;
}

bool SiteSupply::begin_share(bool is_idle, Clock::time_point now) noexcept {
  share_at_ = now + share_after;
  return is_idle && !none_left_;
}

std::size_t SiteSupply::shared(const QueueWorkers& workers, std::size_t staying) noexcept {
  others_are_idle_ = workers.without_sites > 0;
  return staying * std::min(workers.without_sites, workers.all) / std::max<std::uint64_t>(workers.all, 1);
}

}  // namespace robotrules::crawl
