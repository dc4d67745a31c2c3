// UrlQueue::add() in PostgreSQL.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <robotrules/url_queue.hpp>

#include "servers/postgres/queue/postgres_queue_changes.hpp"
#include "servers/postgres/transaction.hpp"

namespace robotrules::store::postgres {

// The URLs of one call, each once, with their sites. The texts refer to the URLs of the call.
class Addition {
 public:
  // Fails with "invalid-url".
  static Result<Addition> of(std::span<const QueuedUrl> urls);

  // Adds them. Repeating it after a lost answer adds nothing: then they count as duplicates. `slot`: see
  // append_tally().
  Result<QueueAdded> write(Pool& pool, std::int64_t job, std::int64_t slot);

  // The parts of write(), for a transaction with other changes: first reserve_ids(), then insert() in the transaction,
  // before a site is locked. The tally gets what was added; its sites must then be locked, and the tally be written.
  Result<void> reserve_ids(Pool& pool, std::int64_t job);
  Result<QueueAdded> insert(Transaction& transaction, std::int64_t job, QueueTally& tally);
  // Returns how long it may take, beside the time that the store waits for any answer.
  std::chrono::milliseconds time() const;

 private:
  struct NewUrl {
    const QueuedUrl* url = nullptr;
    std::size_t origin = 0;   // index in origins_
    std::string_view stored;  // the part after the site's origin, or the whole URL
    std::string hash;
    std::string older_hash;  // of older_key(); empty: there is none
    std::string headers;
    // Of the repetitions in the call: their headers.
    std::vector<std::string> repeated{};
  };

  Result<void> find_older(Transaction& transaction, std::int64_t job);
  Result<void> make_sites(Transaction& transaction, std::int64_t job);
  Result<std::vector<bool>> insert_urls(Transaction& transaction, std::int64_t job) const;
  Result<QueueAdded> count_duplicates(Transaction& transaction, std::int64_t job,
                                      const std::vector<bool>& is_new) const;
  void read_sites(const Rows& rows);
  const std::string& hash_in_queue(std::size_t url) const {
    return is_older_[url] ? urls_[url].older_hash : urls_[url].hash;
  }

  std::vector<NewUrl> urls_;
  std::vector<std::string> origins_;
  std::vector<std::int64_t> sites_;                      // the ids of the origins; 0: not known
  std::vector<std::int64_t> known_sites_;                // the same before the transaction
  std::vector<std::int64_t> new_ids_;                    // for the URLs
  std::vector<bool> is_older_;                           // the URL has a key of an older version
  std::int64_t next_site_ = 0;                           // the first of the ids that are reserved for new sites
  std::unordered_map<std::string, std::size_t> places_;  // in origins_
};

}  // namespace robotrules::store::postgres
