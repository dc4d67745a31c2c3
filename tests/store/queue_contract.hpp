// What every UrlQueue must do, whatever keeps it: suites that run for each backend.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <robotrules/url_queue.hpp>

namespace robotrules::test {

// A place is where a queue is kept, as a backend names it.
struct QueueBackend {
  std::string name;
  bool keeps = true;  // a place that is opened again has the same queue, also for another object at the same time
  std::function<std::string()> new_place;
  std::function<Result<std::unique_ptr<UrlQueue>>(const std::string& place)> open;
  // Ends the claims of all workers, as if they had not been heard of for too long. Their objects are not told.
  std::function<void(const std::string& place)> end_claims;
  std::function<std::string(const std::string& place)> problems;  // that a check finds; empty: none
};

// Every backend there is.
const std::vector<QueueBackend>& queue_backends();

class QueueContract : public testing::TestWithParam<QueueBackend> {
 protected:
  void SetUp() override {
    place = GetParam().new_place();
    reopen();
  }
  std::unique_ptr<UrlQueue> open() {
    auto opened = GetParam().open(place);
    EXPECT_TRUE(opened.ok()) << opened.error().message;
    return opened.ok() ? std::move(opened).value() : nullptr;
  }
  void reopen() {
    queue.reset();
    queue = open();
    ASSERT_NE(queue, nullptr);
  }

  static constexpr Timestamp noon{std::chrono::days{20'000}};
  static QueuedUrl wanted(std::string url, std::int32_t priority = 0) {
    QueuedUrl made;
    made.url = std::move(url);
    made.priority = priority;
    return made;
  }
  static FinishedUrl settled(std::int64_t id, UrlState state = UrlState::done, Timestamp at = noon) {
    return {id, state, {200, "", "\"1\"", "Sat, 01 Jan 2000 00:00:00 GMT", at, 17}};
  }
  QueueAdded add(const std::vector<QueuedUrl>& urls) {
    const auto added = queue->add(urls);
    EXPECT_TRUE(added.ok()) << added.error().message;
    return added.ok() ? added.value() : QueueAdded{};
  }
  std::int64_t id_of(const std::string& url) {
    const auto found = queue->find("GET", url);
    EXPECT_TRUE(found.ok() && found.value()) << url;
    return found.ok() && found.value() ? found.value()->id : 0;
  }
  static std::vector<std::string> urls_of(const std::vector<QueueItem>& items) {
    std::vector<std::string> urls;
    for (const QueueItem& item : items) urls.push_back(item.request.url);
    return urls;
  }

  std::string place;
  std::unique_ptr<UrlQueue> queue;
};

inline std::string backend_name(const testing::TestParamInfo<QueueBackend>& which) { return which.param.name; }

}  // namespace robotrules::test
