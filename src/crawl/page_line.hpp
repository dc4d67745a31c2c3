// The line of pages that wait to be written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "crawl/page_writer.hpp"
#include "crawl/unsettled_pages.hpp"

namespace robotrules::crawl {

class PageLine {
 public:
  // The robot limits the memory of responses; for pages without a response it counts none.
  static constexpr std::size_t max_unwritten = 4'096;

  // `settles_later`, `max_unsettled`: CrawlOptions.
  PageLine(bool settles_later, std::size_t max_unsettled);

  void add(Page page);
  bool empty() const noexcept { return pages_.empty(); }
  // Returns how many pages on_page may get now.
  std::size_t room() const;
  // Returns these pages. If there is no room, the crawl ends: gives up all.
  std::deque<Page> take();
  // Of that many pages from take(), those are not written: they come first the next time.
  void written(std::size_t taken, std::deque<Page> left);
  // The URLs of the pages stay pending.
  void drop();
  // The crawl was stopped while it waited: the pages, and all that follow, stay pending. No later page may be written:
  // the position in the queue would move past pages that are in the output and not in the queue.
  void give_up();
  bool is_given_up() const noexcept { return is_given_up_; }

  bool is_full() const noexcept { return unwritten_ > max_unwritten; }
  // Returns true if no request may start, because there would be too many pages.
  bool holds_requests() const { return is_full() || (settles_later_ && unwritten_ >= room()); }

  // The number of pages that were ever added, and of those that are written or dropped.
  std::uint64_t received() const noexcept { return received_; }
  std::uint64_t ended() const noexcept { return received_ - unwritten_; }

  bool settles_later() const noexcept { return settles_later_; }
  // The pages that on_page got and that the program has not settled; if not settles_later(): none.
  UnsettledPages& unsettled() noexcept { return unsettled_; }

 private:
  const bool settles_later_;
  const std::size_t max_unsettled_;
  UnsettledPages unsettled_;
  std::deque<Page> pages_;
  std::uint64_t received_ = 0;
  std::size_t unwritten_ = 0;  // pages_, and those that take() has returned
  bool is_given_up_ = false;
};

}  // namespace robotrules::crawl
