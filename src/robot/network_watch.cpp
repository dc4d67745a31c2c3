#include "robot/network_watch.hpp"

#include <functional>

namespace robotrules::agent {
namespace {

constexpr std::size_t enough_sites = 5;
constexpr std::size_t enough_local_sites = 2;
// Without an answer for so long, sites that have never answered are as good a sign as others.
constexpr std::chrono::seconds without_answer{10};
constexpr unsigned enough_local_times = 3;
constexpr std::chrono::minutes failure_window{1};
// More sites are forgotten together. Those that still answer are known again soon.
constexpr std::size_t max_sites = 100'000;
constexpr std::size_t max_silent = 10'000;

bool is_failure(OutcomeCause cause) { return cause != OutcomeCause::none && cause != OutcomeCause::cancelled; }

}  // namespace

OutcomeCause NetworkWatch::ended(std::string_view key, const Outcome& outcome, Timestamp sent_at, Timestamp now) {
  const std::uint64_t site = std::hash<std::string_view>()(key);
  if (!is_failure(outcome.cause)) {
    if (outcome.status != 0 && outcome.cause == OutcomeCause::none) answered(site, sent_at, now);
    return outcome.cause;
  }
  if (outcome.cause == OutcomeCause::timeout) return outcome.cause;
  note_failure(site, outcome.cause == OutcomeCause::dns || outcome.cause == OutcomeCause::route, now);
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

void NetworkWatch::answered(std::uint64_t site, Timestamp sent_at, Timestamp now) {
  last_answer_ = now;
  if (answered_.size() >= max_sites) answered_.clear();
  answered_.insert(site);
  if (silent_.empty()) return;
  if (const auto ended = silent_.extract(site); !ended.empty() && !ended.mapped().is_of_site) --suspects_;
  if (suspects_ > 0) {
    for (auto& [other, silence] : silent_) {
      if (silence.is_of_site || silence.last > sent_at) continue;
      silence.is_of_site = true;
      --suspects_;
    }
  }
  if (suspects_ > 0) return;
  failing_since_ = 0;
  is_given_up_ = false;
}

void NetworkWatch::note_failure(std::uint64_t site, bool is_local, Timestamp now) {
  auto known = silent_.find(site);
  if (known != silent_.end() && is_local && !known->second.is_local) {  // a failure of another kind
    if (!known->second.is_of_site) --suspects_;
    silent_.erase(known);
    known = silent_.end();
  }
  if (known != silent_.end()) {
    known->second.last = now;
    ++known->second.times;
    return;
  }
  if (silent_.size() >= max_silent) {
    std::erase_if(silent_, [](const auto& entry) { return entry.second.is_of_site; });
    if (silent_.size() >= max_silent) return;
  }
  silent_.emplace(site, Silence{now, now, 1, is_local, answered_.contains(site), false});
  ++suspects_;
}

bool NetworkWatch::has_failed(Timestamp now) const {
  if (failing_since()) return true;
  if (suspects_ == 0) return false;
  std::size_t sites = 0;
  std::size_t local_sites = 0;
  std::size_t strangers = 0;  // local, and never answered
  bool is_sure = false;
  for (const auto& [site, silence] : silent_) {
    if (silence.is_of_site) continue;
    if (silence.has_answered && now - silence.begun <= failure_window) ++sites;
    if (silence.is_local && now - silence.last <= failure_window) ++(silence.has_answered ? local_sites : strangers);
    is_sure = is_sure || (silence.is_local && silence.has_answered && silence.times >= enough_local_times);
  }
  if (!last_answer_ || now - *last_answer_ > without_answer) local_sites += strangers;
  return sites >= enough_sites || local_sites >= enough_local_sites || strangers >= enough_sites || is_sure;
}

std::optional<Timestamp> NetworkWatch::failing_since() const noexcept {
  const std::int64_t since = failing_since_;
  return since == 0 ? std::nullopt : std::optional(Timestamp(std::chrono::microseconds(since)));
}

}  // namespace robotrules::agent
