// The line of pages that wait to be written, on its own.
#include "crawl/page_line.hpp"

#include <gtest/gtest.h>

namespace robotrules::test::THIS_FILE {
namespace {

using crawl::Page;
using crawl::PageLine;

Page page(std::int64_t id) {
  Page page;
  page.item.id = id;
  return page;
}

std::vector<std::int64_t> ids(const std::deque<Page>& pages) {
  std::vector<std::int64_t> ids;
  for (const Page& one : pages) ids.push_back(one.item.id);
  return ids;
}

using Ids = std::vector<std::int64_t>;

TEST(PageLine, PagesThatAreNotWrittenComeFirst) {
  PageLine line(false, 0);
  for (const int id : {1, 2, 3}) line.add(page(id));
  auto taken = line.take();
  EXPECT_EQ(ids(taken), (Ids{1, 2, 3}));
  EXPECT_TRUE(line.empty());
  line.add(page(4));
  taken.pop_front();
  line.written(3, std::move(taken));
  EXPECT_EQ(line.received(), 4U);
  EXPECT_EQ(line.ended(), 1U);
  EXPECT_EQ(ids(line.take()), (Ids{2, 3, 4}));
}

TEST(PageLine, TooManyPagesHoldTheRequests) {
  PageLine line(false, 0);
  for (std::size_t i = 0; i < PageLine::max_unwritten; ++i) line.add(page(1));
  EXPECT_FALSE(line.holds_requests());
  line.add(page(1));
  EXPECT_TRUE(line.holds_requests());
  const auto taken = line.take();  // they are still to be written
  EXPECT_TRUE(line.holds_requests());
  line.written(taken.size(), {});
  EXPECT_FALSE(line.holds_requests());
}

TEST(PageLine, PagesWaitUntilTheProgramHasSettledOthers) {
  PageLine line(true, 2);
  const auto first = line.unsettled().add();
  for (const int id : {1, 2}) line.add(page(id));
  EXPECT_TRUE(line.holds_requests());
  EXPECT_EQ(line.room(), 1U);
  EXPECT_EQ(ids(line.take()), (Ids{1}));
  line.unsettled().add();
  EXPECT_EQ(line.room(), 0U);
  EXPECT_TRUE(line.unsettled().settle(first, {}).ok());
  EXPECT_EQ(line.room(), 1U);
  EXPECT_EQ(ids(line.take()), (Ids{2}));
  EXPECT_FALSE(line.is_given_up());
}

TEST(PageLine, WithoutRoomAtTheEndThePagesStayPending) {
  PageLine line(true, 1);
  line.unsettled().add();
  line.add(page(1));
  EXPECT_TRUE(line.take().empty());
  EXPECT_TRUE(line.is_given_up());
  EXPECT_TRUE(line.empty());
  EXPECT_EQ(line.ended(), 1U);
}

TEST(PageLine, DroppedPagesDoNotEndTheLine) {
  PageLine line(false, 0);
  line.add(page(1));
  line.drop();
  EXPECT_TRUE(line.empty());
  EXPECT_FALSE(line.is_given_up());
  EXPECT_EQ(line.received(), 1U);
  EXPECT_EQ(line.ended(), 1U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
