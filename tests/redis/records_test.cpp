// Records in Redis that several processes use.
#include <gtest/gtest.h>

#include "redis/redis_stores.hpp"
#include "store/store_contract.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

// Otherwise each process of a fleet would fetch the file of a site that another one has just fetched.
TEST(RedisRecords, WithALeaseTheRecordOfAnotherProcessIsSeenAtOnce) {
  NEEDS_REDIS();
  const std::string name = shared_server().url("?prefix=" + new_prefix());
  const auto reader = open_redis(name);
  const auto writer = open_redis(name);
  ASSERT_TRUE(reader != nullptr && writer != nullptr);
  const Origin origin = *Origin::of(a_site);
  const Timestamp now = writer->now();
  for (const char* body : {"first", "second"}) {
    const auto before = reader->robots(origin).value();
    const std::uint64_t changes = reader->changes().value();
    ASSERT_TRUE(writer->put_robots(origin, record_of(body, now, now)).ok());
    if (before != nullptr) {
      EXPECT_EQ(reader->robots(origin).value(), before) << "its period is not over";
    }
    const auto lease = reader->lease_robots_fetch(origin, 1min);
    ASSERT_TRUE(lease.ok());
    EXPECT_NE(reader->changes().value(), changes);
    ASSERT_NE(reader->robots(origin).value(), nullptr);
    EXPECT_EQ(*reader->robots(origin).value()->body, body);
    ASSERT_TRUE(reader->release(std::get<RobotsLease>(*lease)).ok());
  }
}

// A process without a lease asks for the file before it fetches it: that of another process must be there.
TEST(RedisRecords, TheFirstRecordOfAnotherProcessIsSeenAtOnce) {
  NEEDS_REDIS();
  const std::string name = shared_server().url("?prefix=" + new_prefix());
  const auto reader = open_redis(name);
  const auto writer = open_redis(name);
  ASSERT_TRUE(reader != nullptr && writer != nullptr);
  const Origin origin = *Origin::of(a_site);
  ASSERT_EQ(reader->robots(origin).value(), nullptr);
  const std::uint64_t changes = reader->changes().value();
  ASSERT_TRUE(writer->put_robots(origin, record_of("first", writer->now(), writer->now())).ok());
  ASSERT_NE(reader->robots(origin).value(), nullptr);
  EXPECT_NE(reader->changes().value(), changes);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
