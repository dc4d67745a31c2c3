// What a process keeps of the records of a server.
#include <gtest/gtest.h>

#include "servers/record_cache.hpp"

namespace robotrules::store {
namespace {

using namespace std::chrono_literals;

class RecordCaches : public testing::Test {
 protected:
  static std::shared_ptr<const RobotsRecord> record(std::size_t bytes) {
    auto made = std::make_shared<RobotsRecord>();
    made->body = std::make_shared<const std::string>(bytes, 'x');
    return made;
  }
  static Origin origin(const std::string& host) { return *Origin::of("http://" + host + ".test"); }
  void read(const std::string& host, std::size_t bytes = 10, std::string version = "1") {
    cache.put(origin(host), record(bytes), std::move(version), cache.begin_read());
  }

  std::chrono::microseconds now{5min};
  RecordCache cache{10'000, 60s, [this] { return now; }};
};

TEST_F(RecordCaches, ARecordIsCurrentUntilThePeriodEnds) {
  read("a");
  now += 59s;
  ASSERT_TRUE(cache.find(origin("a")).has_value());
  EXPECT_TRUE(cache.find(origin("a"))->is_current);
  now += 1s;
  ASSERT_TRUE(cache.find(origin("a")).has_value());
  EXPECT_FALSE(cache.find(origin("a"))->is_current);
  EXPECT_EQ(cache.find(origin("a"))->version, "1");
  EXPECT_FALSE(cache.find(origin("b")).has_value());
}

TEST_F(RecordCaches, ChangesGrowWithPeriodsAndWithOwnChanges) {
  const auto before = cache.changes();
  now += 59s;
  EXPECT_EQ(cache.changes(), before);
  now += 1s;
  EXPECT_EQ(cache.changes(), before + 1);
  cache.changed(origin("a"));
  EXPECT_EQ(cache.changes(), before + 2);
  cache.all_changed();
  EXPECT_EQ(cache.changes(), before + 3);
}

TEST_F(RecordCaches, AnAnswerDoesNotHideAChangeThatWasMadeMeanwhile) {
  const auto begun = cache.begin_read();
  cache.changed(origin("a"));
  cache.put(origin("a"), record(10), "1", begun);
  EXPECT_FALSE(cache.find(origin("a")).has_value());
  cache.put(origin("b"), record(10), "1", begun);
  EXPECT_TRUE(cache.find(origin("b")).has_value());
  cache.all_changed();
  cache.put(origin("c"), record(10), "1", begun);
  EXPECT_FALSE(cache.find(origin("c")).has_value());
  EXPECT_FALSE(cache.find(origin("b")).has_value());
}

TEST_F(RecordCaches, AnAnswerOfThePeriodBeforeIsNotCurrent) {
  const auto begun = cache.begin_read();
  now += 60s;
  cache.put(origin("a"), record(10), "1", begun);
  ASSERT_TRUE(cache.find(origin("a")).has_value());
  EXPECT_FALSE(cache.find(origin("a"))->is_current);
  const std::uint64_t changes = cache.changes();
  cache.put(origin("a"), nullptr, "7", cache.begin_read());
  EXPECT_EQ(cache.changes(), changes);
  read("a", 10);
  EXPECT_GT(cache.changes(), changes) << "readers that were told that there is none must look again";
}

TEST_F(RecordCaches, ManyChangesForgetOldReads) {
  const auto begun = cache.begin_read();
  for (int i = 0; i < 20'001; ++i) cache.changed(origin("h" + std::to_string(i)));
  cache.put(origin("h0"), record(10), "1", begun);
  EXPECT_FALSE(cache.find(origin("h0")).has_value());
  read("h0");
  EXPECT_TRUE(cache.find(origin("h0")).has_value());
}

TEST_F(RecordCaches, TheRecordThatWasNotUsedForTheLongestTimeIsDropped) {
  read("a", 3'000);
  read("b", 3'000);
  EXPECT_TRUE(cache.find(origin("a")).has_value());
  read("c", 3'000);
  EXPECT_TRUE(cache.find(origin("a")).has_value());
  EXPECT_FALSE(cache.find(origin("b")).has_value());
  EXPECT_TRUE(cache.find(origin("c")).has_value());
  read("d", 20'000);  // larger than the cache
  EXPECT_FALSE(cache.find(origin("d")).has_value());
  EXPECT_TRUE(cache.find(origin("c")).has_value());
}

TEST_F(RecordCaches, AMissingRecordIsAskedForEachTime) {
  cache.put(origin("a"), nullptr, "7", cache.begin_read());
  ASSERT_TRUE(cache.find(origin("a")).has_value());
  EXPECT_EQ(cache.find(origin("a"))->record, nullptr);
  EXPECT_EQ(cache.find(origin("a"))->version, "7");
  EXPECT_FALSE(cache.find(origin("a"))->is_current);
}

}  // namespace
}  // namespace robotrules::store
