// The sites of a worker, as the worker knows them. The server may make a claim whose answer is lost. Then the worker
// has sites that it does not know. Their URLs wait until the sites are freed.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <unordered_set>
#include <vector>

#include <robotrules/url_queue.hpp>

#include "servers/postgres/transaction.hpp"

namespace robotrules::store::postgres {

// Thread rule: a thread has the lock while it calls the other functions, and while it claims or releases sites.
class ClaimedSites {
 public:
  std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }
  std::unique_lock<std::mutex> try_lock() { return std::unique_lock(mutex_, std::try_to_lock); }

  // Appends a statement that frees the sites that the worker does not know of, if there can be any. A claim may arrive
  // at the server long after its caller has given up, so there can be some at any time after the first lost answer.
  // If the statement itself arrives so late, it does nothing.
  void append_free_unknown(Pool& pool, std::int64_t job, std::int64_t fence, Batch& batch) const;

  void note_claim(const Result<std::vector<QueueSite>>& claimed);
  // A release that has failed counts: the worker does not use these sites any more.
  void note_release(std::span<const std::int64_t> sites, const Result<void>& released);

 private:
  std::mutex mutex_;
  std::unordered_set<std::int64_t> known_;
  bool may_have_unknown_ = false;
};

}  // namespace robotrules::store::postgres
