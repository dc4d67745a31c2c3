#include "store/gate_rows.hpp"

#include <algorithm>
#include <vector>

#include "store/request_check.hpp"

namespace robotrules::store {

Result<GateRows::Entry*> GateRows::find(std::string_view key) {
  const auto [found, is_new] = entries_.try_emplace(key);
  if (is_new) {
    if (auto read = table_.read_row(key, found->second.row, found->second.fence); !read) return read.error();
  }
  return &found->second;
}

// Looks for dead owners only if the request would be refused, because most requests are granted. Does so even if
// another obstacle lasts longer than the holds: the interval of a dead owner's dispatch runs from the moment when the
// store notices that the owner has ended.
std::optional<Obstacle> GateRows::obstacle_in(GateRow& row, const ReserveRequest& request) {
  auto obstacle = find_obstacle(row, request, now_, just_visited_);
  if (!obstacle || row.holds.empty()) return obstacle;
  const bool ended = end_holds(row, [this](const Process& owner) { return table_.has_ended(owner, now_); }, now_);
  return ended ? find_obstacle(row, request, now_, just_visited_) : obstacle;
}

Result<ReserveAnswer> GateRows::reserve(const ReserveRequest& request) {
  std::vector<Entry*> entries;
  entries.reserve(request.keys.size());
  std::uint64_t fence = 0;
  Refusal refusal;
  for (const std::string& key : request.keys) {
    auto entry = find(key);
    if (!entry) return entry.error();
    entries.push_back(entry.value());
    fence = std::max(fence, entry.value()->fence);
    refusal.add(key, obstacle_in(entry.value()->row, request));
  }
  if (refusal.has_obstacle()) return refusal.answer(now_);
  fence = next_fence(fence, now_);
  for (Entry* entry : entries) {
    grant(entry->row, request, fence, now_, table_.owner());
    entry->fence = fence;
    entry->changed = true;
  }
  return ReserveAnswer(Granted{token_for(request, fence, now_)});
}

Result<bool> GateRows::end(const GateCalls::Finish& finish) {
  const Token& token = finish.token;
  bool held = !token.keys.empty();
  for (const std::string& key : token.keys) {
    auto entry = find(key);
    if (!entry) return entry.error();
    GateRow& row = entry.value()->row;
    const bool changed =
        finish.outcome ? complete(row, token, outcome_on(key, *finish.outcome), now_) : cancel(row, token, now_);
    held = held && changed;
    entry.value()->changed = entry.value()->changed || changed;
  }
  return held;
}

Result<void> GateRows::withdraw(const Token& token, const Process& owner) {
  for (const std::string& key : token.keys) {
    auto entry = find(key);
    if (!entry) return entry.error();
    GateRow& row = entry.value()->row;
    const bool is_held = std::ranges::any_of(
        row.holds, [&](const Hold& hold) { return hold.fence == token.fence && hold.owner == owner; });
    if (is_held && cancel(row, token, now_)) entry.value()->changed = true;
  }
  return {};
}

Result<void> GateRows::call(const GateCalls& calls, GateAnswers& answers, const Refuse& refuse) {
  entries_.reserve(calls.ends.size() + calls.requests.size());
  answers.ends.reserve(calls.ends.size());
  answers.requests.reserve(calls.requests.size());
  for (const GateCalls::Finish& end : calls.ends) {
    if (auto refused = refuse ? refuse(end.token.keys) : std::nullopt) {
      answers.ends.emplace_back(*std::move(refused));
      continue;
    }
    const auto held = this->end(end);
    if (!held) return held.error();
    answers.ends.push_back(held.value() ? Result<void>() : unknown_token(end.token.fence));
  }
  for (const auto& request : calls.requests) {
    auto fault = find_fault(*request);
    if (!fault && refuse) fault = refuse(request->keys);
    if (fault) {
      answers.requests.emplace_back(*std::move(fault));
      continue;
    }
    auto answer = reserve(*request);
    if (!answer) return answer.error();
    answers.requests.push_back(std::move(answer));
  }
  return {};
}

Result<void> GateRows::write(const Write& write) const {
  for (const auto& [key, entry] : entries_) {
    if (!entry.changed && !entry.row.must_write) continue;
    if (auto written = write(key, entry.row, entry.fence); !written) return written;
  }
  return {};
}

}  // namespace robotrules::store
