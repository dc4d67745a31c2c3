// The robots.txt records of a store in Redis and the leases to fetch them: calls of the functions in records.lua.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <robotrules/store.hpp>

#include "servers/record_cache.hpp"
#include "servers/redis/link.hpp"

namespace robotrules::store::redis {

// Any thread. Errors: as the functions of Store.
class Records {
 public:
  Records(Link& link, const ServerStoreOptions& options)
      : link_(link), cache_(options.cache_bytes, options.max_staleness) {}

  std::uint64_t changes() const { return cache_.changes(); }
  // The policy was changed by this process.
  void all_changed() { cache_.all_changed(); }

  Result<std::shared_ptr<const RobotsRecord>> find(const Origin& origin);
  Result<void> put(const Origin& origin, const RobotsRecord& record, const RobotsLease* lease);
  // One server: as one change. A cluster: as one change for each registrable domain, because its nodes know nothing of
  // each other; after an error, some domains may have the new records.
  Result<std::uint64_t> put_many(const std::vector<std::pair<Origin, RobotsRecord>>& records, bool newer_only);
  Result<void> set_fresh_until(const Origin& origin, Timestamp time);
  // Returns false if there was no record.
  Result<bool> erase(const Origin& origin);
  // As KeptStore::grant_lease().
  Result<LeaseAnswer> lease(const Origin& origin, std::chrono::microseconds length, std::uint64_t lost);
  Result<void> release(const RobotsLease& lease);

  Result<void> for_each(const std::function<bool(const Origin&, const RobotsRecord&)>& each);
  Result<std::uint64_t> prune(Timestamp before);
  // Deletes all records.
  Result<void> clear();
  // Sets the fields about records and bodies.
  Result<void> count(StoreStats& into);

 private:
  struct Place {
    std::string tag;
    std::string base;  // of the site's keys
    std::string origin;
    std::string record() const { return base + "r:" + origin; }
    std::string lease() const { return base + "l:" + origin; }
  };
  Place place_of(const Origin& origin) const;
  // The place of a record whose key is known.
  static Place place_in(const std::string& key);
  std::string milliseconds_to_keep(Timestamp fresh_until) const;
  // Returns the arguments for a record; see put_record() in records.lua.
  Result<std::vector<std::string>> pack(const Place& place, const RobotsRecord& record) const;
  // Returns null if there is no record. Fails with "store-damaged".
  Result<std::shared_ptr<const RobotsRecord>> unpack(const Place& place, const Reply& reply) const;
  // Deletes the records whose `fresh_until` is before that time; `before`: argument 7 of erase, or empty: all.
  Result<std::uint64_t> erase_all(const std::vector<std::string>& before);
  // The number of a call of `lease`: that of the call whose answer was lost, if there is one for this origin.
  std::string take_serial(const std::string& origin);
  void keep_serial(const std::string& origin, std::string serial);

  Link& link_;
  RecordCache cache_;
  std::mutex serials_mutex_;
  std::uint64_t last_serial_ = 0;
  std::unordered_map<std::string, std::string> lost_serials_;  // of calls of `lease` without an answer, by the origin
  std::shared_mutex many_;  // exclusively locked while put_many() changes records; reads of the server share it
};

}  // namespace robotrules::store::redis
