// The pages that on_page got and that the program has not settled yet (CrawlOptions::settle_later).
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <unordered_set>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/url_queue.hpp>

namespace robotrules::crawl {

// Thread rule: any thread.
class UnsettledPages {
 public:
  struct Settled {
    std::uint64_t page = 0;
    std::vector<QueuedUrl> links;
  };

  // Returns the id of a page that on_page is about to get. Each is greater than those before.
  std::uint64_t add();
  // Takes back what add() did, and settle().
  void remove(std::uint64_t page);
  // Gives up all pages, and those that take() has not returned.
  void clear();
  // Does what Crawl::settle() does, up to take().
  Result<void> settle(std::uint64_t page, std::span<const QueuedUrl> links);

  // Returns the pages that were settled since the last call, in the order in which they were.
  std::vector<Settled> take();
  bool has_settled() const;
  // Returns the number of pages that are not settled.
  std::size_t size() const;

 private:
  mutable std::mutex mutex_;
  std::uint64_t last_ = 0;
  std::unordered_set<std::uint64_t> unsettled_;
  std::vector<Settled> settled_;
};

}  // namespace robotrules::crawl
