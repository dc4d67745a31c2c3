// The shares of the files that a process may open.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <robotrules/user_agent.hpp>

namespace robotrules::test::THIS_FILE {
namespace {

TEST(FileShares, AreWhatTheLimitAllowsAndNoMoreThanWasAskedFor) {
  struct Case {
    std::size_t available;
    std::size_t wanted;
    std::size_t wanted_bodies;
    std::size_t concurrency;
    std::size_t keep_alive;
    std::size_t bodies;
  };
  for (const Case& one : {Case{1'048'576, 256, 0, 256, 16'384, 0}, Case{1'048'576, 256, 256, 256, 16'384, 256},
                          Case{1'021, 256, 0, 256, 477, 0}, Case{1'021, 256, 256, 244, 245, 256},
                          Case{253, 256, 0, 73, 75, 0}, Case{253, 256, 256, 49, 50, 73}, Case{38, 256, 0, 2, 2, 0},
                          Case{38, 256, 256, 1, 2, 2}, Case{1'021, 1, 0, 1, 987, 0}, Case{1'021, 1, 4, 1, 983, 4}}) {
    const auto shares = share_files(one.available, one.wanted, one.wanted_bodies);
    ASSERT_TRUE(shares.ok());
    EXPECT_EQ(shares.value().bodies, one.bodies) << one.available;
    EXPECT_EQ(shares.value().concurrency, one.concurrency) << one.available;
    EXPECT_EQ(shares.value().keep_alive, one.keep_alive) << one.available;
  }
  const auto none = share_files(37, 1);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, "too-few-files");
}

TEST(FileShares, OfTheProcessLeaveOutTheFilesThatAreOpen) {
  const auto before = count_open_files();
  ASSERT_TRUE(before.has_value());
  const int file = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(count_open_files(), *before + 1);
  ::close(file);
  const auto shares = share_open_files(2);
  ASSERT_TRUE(shares.ok());
  EXPECT_EQ(shares.value().concurrency, 2u);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
