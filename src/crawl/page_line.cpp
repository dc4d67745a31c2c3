#include "crawl/page_line.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace robotrules::crawl {

PageLine::PageLine(bool settles_later, std::size_t max_unsettled)
    : settles_later_(settles_later), max_unsettled_(std::max<std::size_t>(max_unsettled, 1)) {}

void PageLine::add(Page page) {
  pages_.push_back(std::move(page));
  ++received_;
  ++unwritten_;
}

std::size_t PageLine::room() const {
  return settles_later_ ? max_unsettled_ - std::min(max_unsettled_, unsettled_.size()) : pages_.size();
}

std::deque<Page> PageLine::take() {
  const std::size_t room_now = room();
  if (room_now >= pages_.size()) return std::exchange(pages_, {});
  if (room_now == 0) give_up();
  std::deque<Page> pages;
  for (; pages.size() < room_now; pages_.pop_front()) pages.push_back(std::move(pages_.front()));
  return pages;
}

void PageLine::written(std::size_t taken, std::deque<Page> left) {
  unwritten_ -= taken - left.size();
  if (left.empty()) return;
  std::move(pages_.begin(), pages_.end(), std::back_inserter(left));
  pages_ = std::move(left);
}

void PageLine::drop() {
  unwritten_ -= pages_.size();
  pages_.clear();
}

void PageLine::give_up() {
  is_given_up_ = true;
  drop();
}

}  // namespace robotrules::crawl
