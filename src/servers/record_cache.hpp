// The robots.txt records of a server that this process has read, with bounded staleness.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include <robotrules/store.hpp>
#include <robotrules/url.hpp>

#include "base/visibility.hpp"

namespace robotrules::store {

// Time is divided into periods of `max_staleness`. In each period, the first read of a record asks the server whether
// its version has changed; later reads of the period are answered from here. A record that the server did not have is
// asked for each time, because another process may be fetching that robots.txt. When the cache is full, the records
// that were not used for the longest time are dropped. Any thread.
class ROBOTRULES_INTERNAL_API RecordCache {
 public:
  struct Entry {
    std::shared_ptr<const RobotsRecord> record;  // null: the server has none
    std::string version;                         // the server's mark of this version of the record; opaque
    bool is_current = false;                     // true: it was read in this period, so the server need not be asked
  };
  // `steady`: a monotonic clock, for tests; empty: the machine's.
  RecordCache(std::size_t max_bytes, std::chrono::microseconds max_staleness,
              std::function<std::chrono::microseconds()> steady = {});

  std::optional<Entry> find(const Origin& origin);
  // When a read began. Take it before the server is asked: a change of this process, made while the answer was on its
  // way, must not be hidden by that answer.
  struct ReadMark {
    std::uint64_t own_changes = 0;
    std::uint64_t period = 0;
  };
  ReadMark begin_read() const;
  // Keeps what the server has answered, unless this process has changed the record since `begun`.
  void put(const Origin& origin, std::shared_ptr<const RobotsRecord> record, std::string version, ReadMark begun);
  // The record of the origin was changed by this process, before and after the server was told.
  void changed(const Origin& origin);
  // All records were changed by this process.
  void all_changed();

  // What Store::changes() returns: it grows with each change of this process, with each period, and when a record is
  // found that was missing.
  std::uint64_t changes() const;

 private:
  struct Kept {
    std::shared_ptr<const RobotsRecord> record;
    std::string version;
    std::uint64_t period = 0;
    std::size_t bytes = 0;
    std::list<std::string>::iterator place;  // in by_use_
  };
  std::uint64_t period() const;
  void forget_changes();
  void drop(std::unordered_map<std::string, Kept>::iterator entry);

  const std::size_t max_bytes_;
  const std::chrono::microseconds max_staleness_;
  const std::function<std::chrono::microseconds()> steady_;
  const std::chrono::microseconds opened_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, Kept> kept_;  // by Origin::to_string()
  std::list<std::string> by_use_;               // the last used one first
  std::size_t bytes_ = 0;
  std::uint64_t own_changes_ = 0;
  // The number of the last change of each record. Changes up to oldest_change_ are forgotten: a read that began before
  // them is not kept.
  std::unordered_map<std::string, std::uint64_t> last_changes_;
  std::uint64_t oldest_change_ = 0;
};

}  // namespace robotrules::store
