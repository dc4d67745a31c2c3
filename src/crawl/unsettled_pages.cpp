#include "crawl/unsettled_pages.hpp"

#include <string>
#include <utility>

#include "crawl/page_links.hpp"

namespace robotrules::crawl {

std::uint64_t UnsettledPages::add() {
  const std::lock_guard lock(mutex_);
  unsettled_.insert(last_ + 1);
  return ++last_;
}

void UnsettledPages::remove(std::uint64_t page) {
  const std::lock_guard lock(mutex_);
  unsettled_.erase(page);
  std::erase_if(settled_, [page](const Settled& one) { return one.page == page; });
}

void UnsettledPages::clear() {
  const std::lock_guard lock(mutex_);
  unsettled_.clear();
  settled_.clear();
}

Result<void> UnsettledPages::settle(std::uint64_t page, std::span<const QueuedUrl> links) {
  if (auto checked = check_links(links); !checked) return checked;
  Settled settled{page, {links.begin(), links.end()}};
  const std::lock_guard lock(mutex_);
  if (!unsettled_.contains(page)) {
    return Error{"unknown-page", "page " + std::to_string(page) +
                                     " does not wait for Crawl::settle(): it was settled before, or the crawl has "
                                     "given it up, so that it stays pending"};
  }
  settled_.push_back(std::move(settled));
  unsettled_.erase(page);
  return {};
}

std::vector<UnsettledPages::Settled> UnsettledPages::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(settled_, {});
}

bool UnsettledPages::has_settled() const {
  const std::lock_guard lock(mutex_);
  return !settled_.empty();
}

std::size_t UnsettledPages::size() const {
  const std::lock_guard lock(mutex_);
  return unsettled_.size();
}

}  // namespace robotrules::crawl
