// A queue that passes all calls on to another one. Tests derive from it.
#pragma once

#include <robotrules/url_queue.hpp>

namespace robotrules::test {

class QueueDecorator : public UrlQueue {
 public:
  explicit QueueDecorator(UrlQueue& queue) : queue_(queue) {}

  bool is_shared() const noexcept override { return queue_.is_shared(); }
  Result<QueueClaim> claim() override { return queue_.claim(); }
  Result<std::vector<QueueSite>> claim_sites(const QueueClaim& claim, std::size_t count) override {
    return queue_.claim_sites(claim, count);
  }
  Result<std::vector<QueueItem>> take(const QueueClaim& claim, std::int64_t site, std::optional<QueuePlace> after,
                                      std::size_t count) override {
    return queue_.take(claim, site, after, count);
  }
  Result<void> settle(const QueueClaim& claim, std::span<const FinishedUrl> settled,
                      const std::optional<OutputPosition>& output, std::span<const QueuedUrl> links) override {
    return queue_.settle(claim, settled, output, links);
  }
  Result<void> release(const QueueClaim& claim, std::span<const std::int64_t> sites) override {
    return queue_.release(claim, sites);
  }
  Result<void> settle(std::span<const FinishedUrl> settled, const std::optional<OutputPosition>& output) override {
    return queue_.settle(settled, output);
  }
  Result<std::vector<QueueSite>> sites(std::optional<QueuePlace> after, std::size_t count) const override {
    return queue_.sites(after, count);
  }
  Result<std::vector<QueueItem>> peek(std::int64_t site, std::optional<QueuePlace> after,
                                      std::size_t count) const override {
    return queue_.peek(site, after, count);
  }
  Result<QueueAdded> add(std::span<const QueuedUrl> urls) override { return queue_.add(urls); }
  Result<std::optional<std::uint64_t>> output_position(std::string_view name) const override {
    return queue_.output_position(name);
  }
  Result<std::optional<QueueItem>> find(std::string_view method, std::string_view url) const override {
    return queue_.find(method, url);
  }
  Result<QueueCounts> counts() const override { return queue_.counts(); }
  Result<std::uint64_t> remove(std::span<const std::int64_t> ids) override { return queue_.remove(ids); }
  Result<std::uint64_t> revisit(std::optional<Timestamp> older_than) override { return queue_.revisit(older_than); }
  Result<std::uint64_t> retry_failed() override { return queue_.retry_failed(); }
  Result<std::uint64_t> retry_parked() override { return queue_.retry_parked(); }
  Result<std::string> note() const override { return queue_.note(); }
  Result<void> set_note(std::string_view note) override { return queue_.set_note(note); }
  Result<void> for_each(std::optional<UrlState> state,
                        const std::function<bool(const QueueItem&)>& each) const override {
    return queue_.for_each(state, each);
  }

 protected:
  UrlQueue& queue_;
};

}  // namespace robotrules::test
