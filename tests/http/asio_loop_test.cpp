// The agent's loop runs tasks in the order in which they were posted, from whatever thread.
#include "http/asio_loop.hpp"

#include <gtest/gtest.h>

#include <future>
#include <string>
#include <thread>

namespace robotrules::test::THIS_FILE {
namespace {

TEST(AsioLoop, RunsTasksInTheOrderInWhichTheyWerePosted) {
  agent::AsioLoop loop;
  std::string order;
  std::promise<void> done;
  loop.post([&] {
    loop.post([&] { order += 'a'; });
    // Another thread posts later, and before this task has ended.
    std::thread([&] { loop.post([&] { order += 'b'; }); }).join();
    loop.post([&] {
      order += 'c';
      done.set_value();
    });
  });
  done.get_future().wait();
  EXPECT_EQ(order, "abc");
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
