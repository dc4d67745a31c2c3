// URLs that are taken out of a queue, and URLs that are added again with other headers.
#include "store/queue_contract.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

class QueueRemoval : public QueueContract {
 protected:
  static std::string page(int number) { return "https://a.example/" + std::to_string(number); }
  // The numbers of the pages that the queue has.
  std::vector<int> pages() const {
    std::vector<int> numbers;
    EXPECT_TRUE(queue->for_each(std::nullopt, [&](const QueueItem& item) {
      numbers.push_back(std::stoi(item.request.url.substr(page(0).size() - 1)));
      return true;
    }));
    return numbers;
  }
  void add_pages(int first, int last) {
    std::vector<QueuedUrl> urls;
    for (int i = first; i <= last; ++i) urls.push_back(wanted(page(i)));
    add(urls);
  }
  std::uint64_t remove(const std::vector<int>& numbers) {
    std::vector<std::int64_t> ids;
    for (const int number : numbers) ids.push_back(id_of(page(number)));
    const auto removed = queue->remove(ids);
    EXPECT_TRUE(removed.ok()) << removed.error().message;
    return removed.ok() ? removed.value() : 0;
  }
  std::string problems() const { return GetParam().problems(place); }
};
INSTANTIATE_TEST_SUITE_P(Backends, QueueRemoval, testing::ValuesIn(queue_backends()), backend_name);

TEST_P(QueueRemoval, LeavesTheOthersAsTheyAre) {
  const std::vector<int> cases[] = {{1}, {5}, {3}, {2, 3, 4}, {1, 5}, {4, 2}, {1, 2, 3, 4, 5}, {}};
  int first = 0;
  for (const std::vector<int>& gone : cases) {
    add_pages(first + 1, first + 5);
    std::vector<int> numbers;
    for (const int number : gone) numbers.push_back(first + number);
    const std::size_t before = pages().size();
    EXPECT_EQ(remove(numbers), gone.size());
    EXPECT_EQ(pages().size(), before - gone.size());
    EXPECT_EQ(queue->counts().value().pending, before - gone.size());
    for (const int number : numbers) EXPECT_EQ(queue->find("GET", page(number)).value(), std::nullopt);
    if (GetParam().keeps) {
      EXPECT_EQ(problems(), "");
    }
    first += 5;
  }
  if (GetParam().keeps) reopen();
  add_pages(1, first);
  EXPECT_EQ(pages().size(), static_cast<std::size_t>(first));
  if (GetParam().keeps) {
    EXPECT_EQ(problems(), "");
  }
}

TEST_P(QueueRemoval, CountsStatesAndIgnoresOtherIds) {
  add_pages(1, 3);
  ASSERT_TRUE(queue->settle(std::vector{settled(id_of(page(2)))}, {}));
  const std::int64_t ids[] = {id_of(page(2)), id_of(page(2)), 99, 0, -1};
  EXPECT_EQ(queue->remove(ids).value(), 1U);
  EXPECT_EQ(queue->counts().value(), (QueueCounts{.pending = 2}));
  EXPECT_EQ(queue->sites({}, 9).value().at(0).pending, 2U);
}

TEST_P(QueueRemoval, OfTheWorkerIsSeenByOthersAndRefusedToThem) {
  if (!GetParam().keeps) GTEST_SKIP() << "no other object can open it";
  add_pages(1, 3);
  const auto other = open();
  ASSERT_TRUE(other->find("GET", page(2)).value());
  ASSERT_TRUE(queue->claim());
  const std::int64_t ids[] = {2};
  EXPECT_EQ(other->remove(ids).error().code, "queue-claimed");
  EXPECT_EQ(queue->remove(ids).value(), 1U);
  EXPECT_EQ(other->find("GET", page(2)).value(), std::nullopt);
  EXPECT_EQ(other->add(std::vector{wanted(page(2))}).value().added, 1U);
  EXPECT_EQ(problems(), "");
}

TEST_P(QueueRemoval, DuplicatesWithOtherHeadersAreCounted) {
  const QueuedUrl plain = wanted(page(1));
  QueuedUrl with = plain;
  with.headers.add("X", "1");
  EXPECT_EQ(add({plain, with, plain}).other_headers, 1U);
  const QueueAdded again = add({with, plain, with});
  EXPECT_EQ(again.duplicates, 3U);
  EXPECT_EQ(again.other_headers, 2U);
  with.method = "HEAD";
  EXPECT_EQ(add({with}).added, 1U);
  EXPECT_EQ(add({with}).other_headers, 0U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
