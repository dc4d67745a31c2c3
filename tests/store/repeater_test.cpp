// A thread that repeats a task.
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <new>

#include "servers/repeater.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

TEST(Repeater, CallsTheTaskUntilItIsStopped) {
  std::promise<void> called;
  int calls = 0;
  store::Repeater repeater;
  EXPECT_FALSE(repeater.stop()) << "it was not started";
  repeater.start(1ms, 1h, [&] {
    if (++calls == 3) called.set_value();
    return true;
  });
  called.get_future().wait();
  EXPECT_TRUE(repeater.stop());
  EXPECT_GE(calls, 3);
  EXPECT_FALSE(repeater.stop());
}

TEST(Repeater, AfterAFailureOrAnExceptionItRetries) {
  std::promise<void> called;
  int calls = 0;
  store::Repeater repeater;
  repeater.start(1ms, 2ms, [&] {
    ++calls;
    if (calls == 2) throw std::bad_alloc();
    if (calls == 3) called.set_value();
    return false;
  });
  called.get_future().wait();
  EXPECT_TRUE(repeater.stop());
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
