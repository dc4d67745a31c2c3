// A store whose file was moved, replaced or deleted while it is open: it grants nothing beside the new file.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <vector>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "store/sqlite/place.hpp"
#include "support/folder.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

namespace fs = std::filesystem;

ReserveRequest request_for(const std::string& key) {
  ReserveRequest request;
  request.keys = {key};
  return request;
}

struct Move {
  const char* name;
  std::function<void(const std::string& path)> make;
};

void make_store(const std::string& path) { ASSERT_TRUE(open_sqlite_store(path, {.first_ever = true}).ok()); }

const std::vector<Move> moves = {
    {"deleted",
     [](const std::string& path) {
       for (const char* part : {"", "-wal", "-shm"}) fs::remove(path + part);
     }},
    {"deleted without its log", [](const std::string& path) { fs::remove(path); }},
    {"deleted, and made anew",
     [](const std::string& path) {
       for (const char* part : {"", "-wal", "-shm"}) fs::remove(path + part);
       make_store(path);
     }},
    {"replaced by another store",
     [](const std::string& path) {
       make_store(path + ".new");
       fs::rename(path + ".new", path);
     }},
    {"replaced by a copy",
     [](const std::string& path) {
       fs::copy_file(path, path + ".copy");
       fs::rename(path + ".copy", path);
     }},
    {"moved away, its other name stays",
     [](const std::string& path) {
       fs::create_hard_link(path, path + ".link");
       fs::remove(path);
     }},
    {"in a folder that was moved",
     [](const std::string& path) {
       const fs::path folder = fs::path(path).parent_path();
       fs::rename(folder, folder.string() + ".moved");
     }},
    {"without its log", [](const std::string& path) { fs::remove(path + "-wal"); }},
    {"without the index of its log", [](const std::string& path) { fs::remove(path + "-shm"); }},
};

class StoreMoved : public testing::TestWithParam<Move> {
 protected:
  std::string path = test::new_folder() + "/store.db";
};

TEST_P(StoreMoved, NothingIsGrantedAndNothingIsWritten) {
  const auto opened = open_sqlite_store(path, {.first_ever = true});
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  Store& store = *opened.value();
  const auto granted = store.reserve(request_for("http://a.test"));
  ASSERT_TRUE(granted.ok() && std::holds_alternative<Granted>(granted.value()));
  const Token token = std::get<Granted>(granted.value()).token;
  const Origin origin = *Origin::of("http://a.test/");
  const auto lease = store.lease_robots_fetch(origin, std::chrono::minutes(1));
  ASSERT_TRUE(lease.ok());
  GetParam().make(path);
  GateCalls calls;
  calls.requests.push_back(std::make_shared<const ReserveRequest>(request_for("http://c.test")));
  calls.ends.push_back({token, Outcome{}});
  GateAnswers answers = store.call_gate(calls);
  ASSERT_EQ(answers.ends.size(), 1U);
  ASSERT_EQ(answers.requests.size(), 1U);
  const auto code_of = [](const auto& result) { return std::string(result.ok() ? "ok" : result.error().code); };
  EXPECT_EQ(code_of(answers.ends.front()), "store-moved");
  EXPECT_EQ(code_of(answers.requests.front()), "store-moved");
  EXPECT_EQ(code_of(store.reserve(request_for("http://b.test"))), "store-moved");
  EXPECT_EQ(code_of(store.complete(token, Outcome{})), "store-moved");
  EXPECT_EQ(code_of(store.cancel(token)), "store-moved");
  EXPECT_EQ(code_of(store.put_robots(origin, RobotsRecord{})), "store-moved");
  EXPECT_EQ(code_of(store.lease_robots_fetch(*Origin::of("http://b.test/"), std::chrono::minutes(1))), "store-moved");
  EXPECT_EQ(code_of(store.add_visit(origin, store.now())), "store-moved");
  const auto again = store.reserve(request_for("http://b.test"));
  ASSERT_FALSE(again.ok());
  EXPECT_NE(again.error().message.find(path), std::string::npos) << again.error().message;
}

TEST_P(StoreMoved, TheQueueTakesAndSettlesNothing) {
  const auto opened = open_url_queue(path, "crawl", {.sqlite = {.first_ever = true}});
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  UrlQueue& queue = *opened.value();
  ASSERT_TRUE(queue.add({{.url = "http://a.test/1"}}).ok());
  GetParam().make(path);
  const auto added = queue.add({{.url = "http://a.test/2"}});
  ASSERT_FALSE(added.ok());
  EXPECT_EQ(added.error().code, "store-moved");
}

// A folder that has looked the same for some seconds is trusted. A program that restores a backup gives it its old
// time of change.
TEST_P(StoreMoved, IsNoticedAfterTheFolderWasTheSameForLong) {
  const auto opened = open_sqlite_store(path, {.first_ever = true});
  ASSERT_TRUE(opened.ok() && opened.value()->reserve(request_for("http://a.test")).ok());
  int second = 0;
  store::Place place(path, *store::file_at(path), [&] { return store::Place::Time(std::chrono::seconds(second)); });
  for (const int at : {0, 1, 3, 4}) {
    second = at;
    ASSERT_EQ(place.find_moved(), nullptr) << at;
  }
  const fs::path folder = fs::path(path).parent_path();
  const auto before = fs::last_write_time(folder);
  GetParam().make(path);
  if (fs::exists(folder)) fs::last_write_time(folder, before);
  for (const int at : {4, 8, 9}) {
    second = at;
    EXPECT_NE(place.find_moved(), nullptr) << at;
  }
}

INSTANTIATE_TEST_SUITE_P(Moves, StoreMoved, testing::ValuesIn(moves), [](const auto& info) {
  std::string name = info.param.name;
  std::erase_if(name, [](char c) { return c == ','; });
  for (char& c : name) c = c == ' ' ? '_' : c;
  return name;
});

TEST(StoreMovedBeforeItsFirstUse, GrantsNothing) {
  const std::string path = test::new_folder() + "/store.db";
  const auto opened = open_sqlite_store(path, {.first_ever = true});
  ASSERT_TRUE(opened.ok());
  fs::rename(path, path + ".away");
  const auto answer = opened.value()->reserve(request_for("http://a.test"));
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, "store-moved");
}

// Changes that follow each other within one step of the file system's clock.
TEST(StoreMovedAtOnce, IsNoticedEachTime) {
  const std::string path = test::new_folder() + "/store.db";
  make_store(path);
  for (int time = 0; time < 300; ++time) {
    store::Place place(path, *store::file_at(path));
    ASSERT_EQ(place.find_moved(), nullptr);
    fs::copy_file(path, path + ".copy");
    fs::rename(path + ".copy", path);
    const std::string* const moved = place.find_moved();
    ASSERT_NE(moved, nullptr) << time;
    ASSERT_EQ(*moved, path);
  }
}

TEST(StoreMovedBack, GoesOn) {
  const std::string path = test::new_folder() + "/store.db";
  const auto opened = open_sqlite_store(path, {.first_ever = true});
  ASSERT_TRUE(opened.ok());
  Store& store = *opened.value();
  ASSERT_TRUE(store.reserve(request_for("http://a.test")).ok());
  fs::create_hard_link(path, path + ".link");  // a second name of the same file changes nothing
  ASSERT_TRUE(store.reserve(request_for("http://b.test")).ok());
  fs::rename(path, path + ".away");
  ASSERT_FALSE(store.reserve(request_for("http://c.test")).ok());
  fs::rename(path + ".away", path);
  EXPECT_TRUE(store.reserve(request_for("http://c.test")).ok());
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
