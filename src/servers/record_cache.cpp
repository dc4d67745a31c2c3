#include "servers/record_cache.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "store/machine_clock.hpp"

namespace robotrules::store {
namespace {

// About what a record needs beside its texts.
constexpr std::size_t bytes_per_entry = 512;

// Reads under way are few, so the changes to remember are few.
constexpr std::size_t max_changes = 10'000;

std::size_t size_of(const std::string& name, const std::string& version, const RobotsRecord* record) {
  std::size_t bytes = bytes_per_entry + 2 * name.size() + version.size();
  if (record == nullptr) return bytes;
  bytes += record->url.size() + record->etag.size() + record->last_modified.size();
  for (const std::string& hop : record->hops) bytes += sizeof(hop) + hop.size();
  return record->body == nullptr ? bytes : bytes + record->body->size();
}

}  // namespace

RecordCache::RecordCache(std::size_t max_bytes, std::chrono::microseconds max_staleness,
                         std::function<std::chrono::microseconds()> steady)
    : max_bytes_(max_bytes),
      max_staleness_(std::max(max_staleness, std::chrono::microseconds(1))),
      steady_(steady ? std::move(steady) : time_since_boot),
      opened_(steady_()) {}

std::uint64_t RecordCache::period() const { return static_cast<std::uint64_t>((steady_() - opened_) / max_staleness_); }

std::uint64_t RecordCache::changes() const {
  const std::lock_guard lock(mutex_);
  return own_changes_ + period();
}

RecordCache::ReadMark RecordCache::begin_read() const {
  const std::lock_guard lock(mutex_);
  return {own_changes_, period()};
}

std::optional<RecordCache::Entry> RecordCache::find(const Origin& origin) {
  const std::lock_guard lock(mutex_);
  const auto entry = kept_.find(origin.to_string());
  if (entry == kept_.end()) return std::nullopt;
  by_use_.splice(by_use_.begin(), by_use_, entry->second.place);
  const Kept& kept = entry->second;
  return Entry{kept.record, kept.version, kept.record != nullptr && kept.period == period()};
}

void RecordCache::put(const Origin& origin, std::shared_ptr<const RobotsRecord> record, std::string version,
                      ReadMark begun) {
  std::string name = origin.to_string();
  const std::lock_guard lock(mutex_);
  if (begun.own_changes < oldest_change_) return;
  if (const auto change = last_changes_.find(name);
      change != last_changes_.end() && change->second > begun.own_changes) {
    return;
  }
  if (const auto known = kept_.find(name); known != kept_.end()) {
    // Readers that were told that there is none must look again.
    if (known->second.record == nullptr && record != nullptr) ++own_changes_;
    drop(known);
  }
  const std::size_t bytes = size_of(name, version, record.get());
  if (bytes > max_bytes_) return;
  while (bytes_ + bytes > max_bytes_) drop(kept_.find(by_use_.back()));
  by_use_.push_front(name);
  kept_.emplace(std::move(name), Kept{std::move(record), std::move(version), begun.period, bytes, by_use_.begin()});
  bytes_ += bytes;
}

void RecordCache::changed(const Origin& origin) {
  const std::lock_guard lock(mutex_);
  if (last_changes_.size() >= max_changes) forget_changes();
  last_changes_[origin.to_string()] = ++own_changes_;
  if (const auto known = kept_.find(origin.to_string()); known != kept_.end()) drop(known);
}

void RecordCache::all_changed() {
  const std::lock_guard lock(mutex_);
  ++own_changes_;
  forget_changes();
  kept_.clear();
  by_use_.clear();
  bytes_ = 0;
}

void RecordCache::forget_changes() {
  last_changes_.clear();
  oldest_change_ = own_changes_;
}

void RecordCache::drop(std::unordered_map<std::string, Kept>::iterator entry) {
  bytes_ -= entry->second.bytes;
  by_use_.erase(entry->second.place);
  kept_.erase(entry);
}

}  // namespace robotrules::store
