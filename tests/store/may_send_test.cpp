// Store::may_send() at its boundary, by a scripted clock.
#include <gtest/gtest.h>

#include <chrono>
#include <variant>

#include <robotrules/open_store.hpp>

#include "support/folder.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

class MaySend : public testing::Test {
 protected:
  void is_exact(Store& store) {
    for (const auto& [age, may] : {std::pair{0us, true}, {2s, true}, {2s + 1us, false}, {1h, false}}) {
      ReserveRequest request;
      request.keys = {"http://a.test"};
      auto answer = store.reserve(request);
      ASSERT_TRUE(answer.ok() && std::holds_alternative<Granted>(answer.value()));
      const Token token = std::get<Granted>(answer.value()).token;
      time += age;
      EXPECT_EQ(store.may_send(token).ok(), may) << age.count();
      EXPECT_EQ(store.gate("http://a.test")->in_flight, may ? 1U : 0U) << age.count();
      if (may) {
        EXPECT_TRUE(store.cancel(token).ok());
      }
      time += 1s;
    }
  }

  std::chrono::microseconds time = 1h;
};

TEST_F(MaySend, IsExactInMemory) {
  const auto store = make_memory_store({.clock = [this] { return Timestamp(time); }});
  is_exact(*store);
}

// The time that passes while reserve() waits for the file counts.
TEST_F(MaySend, IsExactInAFile) {
  SqliteStoreOptions options{.first_ever = true};
  options.time.since_boot = [this] { return time; };
  const auto store = open_sqlite_store(test::new_folder() + "/store.db", options);
  ASSERT_TRUE(store.ok()) << store.error().message;
  is_exact(*store.value());
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
