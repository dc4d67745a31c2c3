#include "robot/network_watch.hpp"

#include <algorithm>
#include <functional>

namespace robotrules::agent {
namespace {

constexpr std::size_t enough_sites = 5;
constexpr std::size_t enough_local_sites = 2;
constexpr unsigned enough_local_times = 3;
constexpr std::chrono::minutes window{1};
// More sites are forgotten together. Those that still answer are known again soon.
constexpr std::size_t max_sites = 100'000;
constexpr std::size_t max_failures = 1'000;

bool is_failure(OutcomeCause cause) { return cause != OutcomeCause::none && cause != OutcomeCause::cancelled; }

}  // namespace

OutcomeCause NetworkWatch::ended(std::string_view key, const Outcome& outcome, Timestamp sent_at, Timestamp now) {
  const std::uint64_t site = std::hash<std::string_view>()(key);
  if (!is_failure(outcome.cause)) {
    if (outcome.status != 0 && outcome.cause == OutcomeCause::none) answered(site, sent_at);
    return outcome.cause;
  }
  const bool is_local = outcome.cause == OutcomeCause::dns || outcome.cause == OutcomeCause::route;
  note_failure({site, now, is_local, answered_.contains(site)});
  if (is_given_up_ || !has_failed(now)) return outcome.cause;
  if (const auto since = failing_since(); !since) {
    failing_since_ = now.time_since_epoch().count();
  } else if (now - *since > limit_) {
    is_given_up_ = true;
    failing_since_ = 0;
    return outcome.cause;
  }
  return OutcomeCause::none;
}

void NetworkWatch::answered(std::uint64_t site, Timestamp sent_at) {
  if (answered_.size() >= max_sites) answered_.clear();
  answered_.insert(site);
  if (failures_.empty()) return;
  std::erase_if(failures_, [&](const Failure& failure) { return failure.site == site || failure.at < sent_at; });
  if (!failures_.empty()) return;
  failing_since_ = 0;
  is_given_up_ = false;
}

// Keeps the last failure of each site.
void NetworkWatch::note_failure(const Failure& failure) {
  const auto known = std::ranges::find(failures_, failure.site, &Failure::site);
  if (known != failures_.end()) {
    const unsigned times = known->is_local == failure.is_local ? known->times + 1 : 1;
    *known = failure;
    known->times = times;
  } else if (failures_.size() < max_failures) {
    failures_.push_back(failure);
  }
}

bool NetworkWatch::has_failed(Timestamp now) const {
  if (failing_since()) return true;
  std::size_t recent = 0;
  std::size_t local = 0;
  bool is_sure = false;
  for (const Failure& failure : failures_) {
    if (now - failure.at > window) continue;
    if (failure.has_answered) ++recent;
    if (failure.is_local) ++local;
    is_sure = is_sure || (failure.is_local && failure.has_answered && failure.times >= enough_local_times);
  }
  return recent >= enough_sites || local >= enough_local_sites || is_sure;
}

std::optional<Timestamp> NetworkWatch::failing_since() const noexcept {
  const std::int64_t since = failing_since_;
  return since == 0 ? std::nullopt : std::optional(Timestamp(std::chrono::microseconds(since)));
}

}  // namespace robotrules::agent
