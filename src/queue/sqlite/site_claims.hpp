// The sites that a worker of a job has claimed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include <robotrules/url_queue.hpp>

namespace robotrules::store {

// They are only in memory: a job of a file has one worker at a time, so all other sites are free. A cursor saves
// passing over the claimed sites at each call. Thread rule: one thread at a time.
class SiteClaims {
 public:
  // Returns false if the site is claimed already.
  bool add(const QueueSite& site) { return origins_.emplace(site.id, site.origin).second; }
  // Returns false if the site is not claimed.
  bool drop(std::int64_t site) { return origins_.erase(site) > 0; }
  bool has(std::int64_t site) const { return origins_.contains(site); }
  // Returns the origin of a claimed site; null if it is not claimed.
  const std::string* origin_of(std::int64_t site) const {
    const auto found = origins_.find(site);
    return found == origins_.end() ? nullptr : &found->second;
  }

  // All sites with pending URLs up to this place are claimed, except those that other objects have added since; null:
  // the beginning.
  const std::optional<QueuePlace>& cursor() const noexcept { return cursor_; }
  void move_to(const QueuePlace& place) noexcept { cursor_ = place; }
  void rewind() noexcept { cursor_.reset(); }
  // Call it when the site at this place has got pending URLs, or was dropped with such URLs.
  void see_pending(const QueuePlace& site) {
    const bool is_passed = cursor_ && (site.priority > cursor_->priority ||
                                       (site.priority == cursor_->priority && site.id <= cursor_->id));
    if (is_passed && !has(site.id)) cursor_ = QueuePlace{site.priority, site.id - 1};
  }

 private:
  std::unordered_map<std::int64_t, std::string> origins_;  // by the ids of the sites
  std::optional<QueuePlace> cursor_;
};

}  // namespace robotrules::store
