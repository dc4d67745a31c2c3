// A small file with one thing wrong with it, everywhere in turn: whatever is answered is an error in words or what was
// kept, check sees what matters, and what repair leaves is sound. ROBOTRULES_SOAK=1: every byte.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include <robotrules/open_store.hpp>

#include "store/store_contract.hpp"
#include "support/folder.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr std::size_t page = 4096;
constexpr int sites = 8;

std::string site(int number) { return "https://site" + std::to_string(number) + ".example"; }

class Damage : public testing::Test {
 protected:
  void SetUp() override {
    SqliteStoreOptions options;
    options.first_ever = true;
    {
      const auto store = open_sqlite_store(path, options).value();
      for (int number = 0; number < sites; ++number) {
        std::string body = "User-agent: *\n";
        for (int line = 0; line < 60; ++line)
          body += "Disallow: /" + std::to_string(number * 7919 + line * 104'729) + "\n";
        bodies.insert(body);
        const Timestamp now = store->now();
        ASSERT_TRUE(store->put_robots(*Origin::of(site(number)), test::record_of(body, now, now + 24h)).ok());
        ASSERT_TRUE(store->reserve({.keys = {site(number)}, .interval = 1h}).ok());
      }
    }
    std::ifstream stream(path, std::ios::binary);
    sound.assign(std::istreambuf_iterator<char>(stream), {});
    ASSERT_EQ(sound.size() % page, 0u);
    ASSERT_GE(sound.size() / page, 8u);
  }

  // Everything that may be asked of a file that holds `bytes`, then repair, then everything again.
  void look_at(const std::string& bytes) {
    for (const auto& entry : fs::directory_iterator(folder)) fs::remove(entry.path());
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
    {
      const auto opened = open_sqlite_store(path);
      if (fine(opened)) read_all(*opened.value());
    }
    const auto report = check_sqlite_store(path, true);
    if (!fine(report)) return;
    ++looked_at;
    if (report.value().problems.empty()) {  // then it can be used
      const auto store = open_sqlite_store(path);
      ASSERT_TRUE(store.ok()) << store.error().message;
      const auto pruned = store.value()->prune(store.value()->now() + 48h);
      ASSERT_TRUE(pruned.ok()) << pruned.error().message;
      return;
    }
    ++seen;
    kept += static_cast<int>(report.value().origins_kept);
    ASSERT_TRUE(fs::exists(report.value().moved_to));
    const auto again = check_sqlite_store(path);
    ASSERT_TRUE(again.ok() && again.value().problems.empty());
    const auto store = open_sqlite_store(path);
    ASSERT_TRUE(store.ok()) << store.error().message;
    read_all(*store.value());
    for (int number = 0; number < sites; ++number) {
      const auto answer = store.value()->reserve({.keys = {site(number)}, .interval = 1h});
      ASSERT_TRUE(answer.ok()) << answer.error().message;
      ASSERT_FALSE(std::holds_alternative<Granted>(answer.value())) << "it is not as just visited";
    }
  }

  template <class T>
  static bool fine(const Result<T>& result) {
    if (result.ok()) return true;
    const std::string_view code = result.error().code;
    EXPECT_TRUE(code == "store-damaged" || code == "store-foreign" || code == "store-newer" || code == "store-io")
        << result.error().message;
    return false;
  }

  void read_all(const Store& store) {
    std::size_t found = 0;
    const auto each = [&](const Origin&, const RobotsRecord& record) {
      EXPECT_TRUE(record.body == nullptr || bodies.contains(*record.body)) << "a body is not what was kept";
      return ++found < 1'000;
    };
    static_cast<void>(fine(store.for_each_origin(each)));
    for (int number = 0; number < sites; ++number) static_cast<void>(fine(store.gate(site(number))));
  }

  std::string folder = test::new_folder();
  std::string path = folder + "/store.db";
  std::string sound;
  std::set<std::string> bodies;
  int looked_at = 0;
  int seen = 0;
  int kept = 0;
};

TEST_F(Damage, CutAtEachPage) {
  for (std::size_t size = 0; size <= sound.size(); size += page) {
    for (const std::size_t less : {std::size_t{0}, std::size_t{1}, page / 2}) {
      if (size < less) continue;
      SCOPED_TRACE(size - less);
      look_at(sound.substr(0, size - less));
      if (HasFatalFailure()) return;
    }
  }
  RecordProperty("files", looked_at);
  RecordProperty("seen", seen);
  RecordProperty("records_saved", kept);
  EXPECT_GT(seen, static_cast<int>(sound.size() / page));
}

TEST_F(Damage, ABitFlippedInEachPage) {
  const std::size_t step = std::getenv("ROBOTRULES_SOAK") != nullptr ? 1 : 419;
  for (std::size_t at = 0; at < sound.size(); at += step) {
    SCOPED_TRACE(at);
    std::string damaged = sound;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 8)));
    look_at(damaged);
    if (HasFatalFailure()) return;
  }
  RecordProperty("files", looked_at);
  RecordProperty("seen", seen);
  RecordProperty("records_saved", kept);
  EXPECT_GT(seen, 0);
  EXPECT_GT(kept, 0);
}

// A table in the place of an index, one table in the place of another.
TEST_F(Damage, APageInThePlaceOfAnother) {
  const std::size_t pages = sound.size() / page;
  const std::size_t step = std::getenv("ROBOTRULES_SOAK") != nullptr ? 1 : 5;
  for (std::size_t pair = 0; pair < pages * pages; pair += step) {
    const std::size_t from = pair / pages;
    const std::size_t to = pair % pages;
    SCOPED_TRACE(std::to_string(from) + " to " + std::to_string(to));
    std::string damaged = sound;
    damaged.replace(to * page, page, sound, from * page, page);
    look_at(damaged);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(seen, 0);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
