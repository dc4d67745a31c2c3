// How a crawl ends early, on its own.
#include "crawl/crawl_end.hpp"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

namespace robotrules::test::THIS_FILE {
namespace {

using crawl::CrawlEnd;

template <class Thrown>
void abandon(CrawlEnd& end, const Thrown& thrown) {
  try {
    throw thrown;
  } catch (...) {
    end.abandon();
  }
}

TEST(CrawlEnd, AStopIsNoError) {
  CrawlEnd end;
  EXPECT_FALSE(end.is_ending());
  end.stop();
  EXPECT_TRUE(end.is_ending());
  EXPECT_FALSE(end.has_failed());
  EXPECT_TRUE(end.result().ok());
}

TEST(CrawlEnd, KeepsTheFirstError) {
  CrawlEnd end;
  end.fail({"output-failed", "first"});
  end.fail({"store-failed", "second"});
  EXPECT_TRUE(end.is_ending());
  EXPECT_TRUE(end.has_failed());
  EXPECT_EQ(end.result().error().code, "output-failed");
}

TEST(CrawlEnd, ANewerStoreIsTheReasonAndDropsNoPage) {
  CrawlEnd end;
  end.fail({"store-newer", "upgraded"});
  EXPECT_TRUE(end.is_ending());
  EXPECT_FALSE(end.has_failed());
  end.fail({"output-failed", "later"});
  EXPECT_EQ(end.result().error().code, "store-newer");
}

TEST(CrawlEnd, AnExceptionIsAnErrorUnlessThereWasOne) {
  CrawlEnd thrown;
  abandon(thrown, std::runtime_error("broken"));
  EXPECT_TRUE(thrown.is_abandoned());
  EXPECT_TRUE(thrown.is_ending());
  EXPECT_EQ(thrown.result().error().code, "crawl-failed");
  EXPECT_EQ(thrown.result().error().message, "the crawl cannot go on: broken");
  CrawlEnd memory;
  abandon(memory, std::bad_alloc());
  EXPECT_EQ(memory.result().error().code, "out-of-memory");
  CrawlEnd failed;
  failed.fail({"output-failed", "first"});
  abandon(failed, 7);
  EXPECT_EQ(failed.result().error().code, "output-failed");
  EXPECT_FALSE(failed.gave_back_sites());
  failed.sites_given_back();
  EXPECT_TRUE(failed.gave_back_sites());
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
