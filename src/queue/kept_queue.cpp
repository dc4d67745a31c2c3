#include "queue/kept_queue.hpp"

#include <limits>

#include "queue/queue_values.hpp"
#include "store/gate_row.hpp"
#include "store/table_row.hpp"

namespace robotrules::store {

Result<QueueAdded> KeptQueue::add(std::span<const QueuedUrl> urls) {
  if (auto checked = check_methods(urls); !checked) return checked.error();
  return add_urls(urls);
}

Result<void> KeptQueue::settle(const QueueClaim& claim, std::span<const FinishedUrl> settled,
                               const std::optional<OutputPosition>& output, std::span<const QueuedUrl> links) {
  if (auto checked = check_states(settled); !checked) return checked;
  if (auto checked = check_methods(links); !checked) return checked;
  return change_states(settled, output, &claim, links);
}
Result<void> KeptQueue::settle(std::span<const FinishedUrl> settled, const std::optional<OutputPosition>& output) {
  if (auto checked = check_states(settled); !checked) return checked;
  return change_states(settled, output, nullptr, {});
}

Result<std::uint64_t> KeptQueue::revisit(std::optional<Timestamp> older_than) {
  return reopen(bit(UrlState::done) | bit(UrlState::denied) | bit(UrlState::cut) | bit(UrlState::failed), older_than);
}
Result<std::uint64_t> KeptQueue::retry_failed() { return reopen(bit(UrlState::cut) | bit(UrlState::failed), {}); }
Result<std::uint64_t> KeptQueue::retry_parked() { return reopen(bit(UrlState::parked), {}); }

Result<std::uint64_t> KeptQueue::reopen(std::int64_t states, std::optional<Timestamp> older_than) {
  const std::int64_t before = older_than ? count(bounded(*older_than)) : std::numeric_limits<std::int64_t>::max();
  std::uint64_t reopened = 0;
  for (Pass pass;;) {
    const auto page = reopen_page(pass, states, before);
    if (!page) return page.error();
    if (!page.value()) return reopened;
    reopened += *page.value();
  }
}

Result<void> KeptQueue::for_each(std::optional<UrlState> state,
                                 const std::function<bool(const QueueItem&)>& each) const {
  const std::int64_t states = state ? bit(*state) : ~std::int64_t{0};
  for (Pass pass;;) {
    const auto page = read_page(pass, states);
    if (!page) return page.error();
    if (!page.value()) return {};
    for (const QueueItem& item : *page.value()) {
      if (!each(item)) return {};
    }
  }
}

}  // namespace robotrules::store
