// The meaning of a URL queue that keeps its rows in a database. The backends read and write rows.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <robotrules/url_queue.hpp>

#include "base/visibility.hpp"

namespace robotrules::store {

// The seam are the private functions. Errors: as class UrlQueue.
class ROBOTRULES_INTERNAL_API KeptQueue : public UrlQueue {
 public:
  Result<QueueAdded> add(std::span<const QueuedUrl> urls) final;
  Result<void> settle(const QueueClaim& claim, std::span<const FinishedUrl> settled,
                      const std::optional<OutputPosition>& output, std::span<const QueuedUrl> links) final;
  Result<void> settle(std::span<const FinishedUrl> settled, const std::optional<OutputPosition>& output) final;
  Result<std::uint64_t> revisit(std::optional<Timestamp> older_than) final;
  Result<std::uint64_t> retry_failed() final;
  Result<std::uint64_t> retry_parked() final;
  Result<void> for_each(std::optional<UrlState> state, const std::function<bool(const QueueItem&)>& each) const final;

 protected:
  using Items = std::vector<QueueItem>;
  // How far a call that goes through the job has come.
  struct Pass {
    std::int64_t last = 0;              // the last id that was looked at
    std::optional<std::int64_t> end{};  // for the queue: the last id of the pass
  };

 private:
  // In one transaction. The arguments were checked.
  virtual Result<QueueAdded> add_urls(std::span<const QueuedUrl> urls) = 0;
  // Sets states and results, keeps the output and adds the links, in one transaction. `claim`: that of the worker,
  // which must have the sites of the URLs; null: any sites.
  virtual Result<void> change_states(std::span<const FinishedUrl> settled, const std::optional<OutputPosition>& output,
                                     const QueueClaim* claim, std::span<const QueuedUrl> links) = 0;

  // Read the next URLs of the job with ids greater than `pass.last`, and set it. Return null if there are none.
  // `states`: one bit for each. Returns those in these states.
  virtual Result<std::optional<Items>> read_page(Pass& pass, std::int64_t states) const = 0;
  // Makes those in these states pending again that were fetched before `before`, in one transaction, and returns how
  // many.
  virtual Result<std::optional<std::uint64_t>> reopen_page(Pass& pass, std::int64_t states, std::int64_t before) = 0;

  Result<std::uint64_t> reopen(std::int64_t states, std::optional<Timestamp> older_than);
};

}  // namespace robotrules::store
