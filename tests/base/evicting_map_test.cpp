// The map that drops what was not used for the longest time.
#include "base/evicting_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace robotrules::test::THIS_FILE {
namespace {

using Map = base::EvictingMap<int, int>;

TEST(EvictingMap, TheLongestUnusedGoesFirst) {
  Map map;
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(map.make(i).second);
    EXPECT_EQ(map.set_weight(i, 100, 400), 0u);
  }
  EXPECT_NE(map.find(0), nullptr);
  EXPECT_NE(map.peek(1), nullptr);  // is not a use
  EXPECT_FALSE(map.make(2).second);
  map.make(4);
  EXPECT_EQ(map.set_weight(4, 150, 400), 200u);
  EXPECT_EQ(map.bytes(), 350u);
  for (const int kept : {0, 2, 4}) EXPECT_NE(map.peek(kept), nullptr) << kept;
}

TEST(EvictingMap, TheEntryThatCameStaysHoweverLargeItIs) {
  Map map;
  for (int i = 0; i < 3; ++i) {
    map.make(i);
    map.set_weight(i, 5'000, 1'000);
  }
  EXPECT_EQ(map.map().size(), 1u);
  EXPECT_NE(map.find(2), nullptr);
  EXPECT_EQ(map.set_weight(7, 100, 1'000), 0u) << "no such entry";
}

TEST(EvictingMap, TheHandPassesEachEntryAndTellsWhichWereNotUsed) {
  Map map;
  EXPECT_EQ(map.pass(), nullptr);
  for (int i = 0; i < 3; ++i) *map.make(i).first = i;
  map.find(1);
  EXPECT_EQ(*map.pass(), 0);
  EXPECT_EQ(map.pass(), nullptr);  // 1, used
  EXPECT_EQ(*map.pass(), 2);
  map.erase(0);  // where the hand is
  EXPECT_EQ(*map.pass(), 1);
  map.clear();
  EXPECT_EQ(map.pass(), nullptr);
}

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view key) const { return std::hash<std::string_view>{}(key); }
};

TEST(EvictingMap, ATransparentHashFindsByOtherTypes) {
  base::EvictingMap<std::string, int, TextHash> map;
  *map.make("key").first = 7;
  const std::string_view key("key and more", 3);
  EXPECT_EQ(*map.find(key), 7);
  EXPECT_EQ(map.set_weight(key, 100, 1'000), 0u);
  map.erase(key);
  EXPECT_EQ(map.peek(key), nullptr);
}

TEST(EvictingMap, ErasingAndMakingLeavesNothingBehind) {
  Map map;
  const auto never = [](int) { return false; };
  for (int round = 0; round < 10'000; ++round) {
    map.make(round % 3);
    map.set_weight(round % 3, 100, 1'000, never);
    map.erase(round % 3);
  }
  EXPECT_EQ(map.bytes(), 0u);
  for (int i = 0; i < 20; ++i) {
    map.make(i);
    map.set_weight(i, 100, 1'000, never);
  }
  EXPECT_EQ(map.bytes(), 1'000u);
  EXPECT_EQ(map.map().size(), 10u);
  EXPECT_EQ(map.find(9), nullptr);
  EXPECT_NE(map.find(10), nullptr);
}

// However many may not go: a call looks at a few of them only, and where one may go it is found in time.
TEST(EvictingMap, NoCallGoesRoundForLong) {
  Map map;
  constexpr int live = 20'000;
  std::size_t asked = 0;
  const auto keep = [&asked](int value) {
    ++asked;
    return value == 1;
  };
  for (int i = 0; i < live; ++i) {
    *map.make(i).first = 1;
    asked = 0;
    map.set_weight(i, 300, 0, keep);
    ASSERT_LE(asked, 64u + 300 / 16) << i;
  }
  EXPECT_EQ(map.map().size(), static_cast<std::size_t>(live));
  std::size_t most = 0;
  for (int i = live; i < 3 * live; ++i) {
    map.make(i);
    asked = 0;
    map.set_weight(i, 300, std::size_t{live} * 300, keep);
    ASSERT_LE(asked, 600u) << i;
    most = std::max(most, map.bytes());
  }
  EXPECT_LE(most, std::size_t{live} * 330) << "more than a tenth too much";
  for (int i = 0; i < live; ++i) ASSERT_NE(map.find(i), nullptr);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
