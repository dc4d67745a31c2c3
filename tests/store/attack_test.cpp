// Somebody who swaps what lies at the store's path while it is made and opened, and file systems that can't be trusted.
// ROBOTRULES_SOAK=1 runs it long.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <pwd.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <robotrules/open_store.hpp>

#include "support/folder.hpp"

namespace {

// What statfs() says of every place; 0: the truth.
std::atomic<long> pretended_type{0};
std::atomic<bool> pretends_read_only{false};

}  // namespace

// Stands before the C library's in this program.
extern "C" int statfs(const char* path, struct statfs* into) noexcept {
  const long code = syscall(SYS_statfs, path, into);
  if (code == 0 && pretended_type != 0) into->f_type = pretended_type;
  if (code == 0 && pretends_read_only) into->f_flags |= ST_RDONLY;
  return static_cast<int>(code);
}

namespace robotrules::test::THIS_FILE {
namespace {

namespace fs = std::filesystem;

constexpr const char* sentinel_text = "not to be touched";

std::string bytes_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// Puts links where the store's files are, takes them away, and swaps them in with rename(), until told to stop.
class Attacker {
 public:
  Attacker(std::string folder, std::string path)
      : folder_(std::move(folder)), path_(std::move(path)), thread_([this] { run(); }) {}
  ~Attacker() {
    stop_ = true;
    thread_.join();
  }
  Attacker(const Attacker&) = delete;
  Attacker& operator=(const Attacker&) = delete;
  int swaps() const { return swaps_; }

 private:
  void run() {
    const std::string targets[] = {folder_ + "/sentinel", folder_ + "/nowhere"};
    const std::string prepared = folder_ + "/prepared";
    for (std::size_t round = 0; !stop_; ++round) {
      const std::string& target = targets[round % 2];
      const std::string at = path_ + parts[round / 2 % std::size(parts)];
      if (round % 3 == 0) {
        const bool made = symlink(target.c_str(), prepared.c_str()) == 0;
        if (made && rename(prepared.c_str(), at.c_str()) == 0) ++swaps_;
      } else if (symlink(target.c_str(), at.c_str()) == 0) {
        ++swaps_;
      }
      if (round % 5 != 0) unlink(at.c_str());
    }
  }

  static constexpr const char* parts[] = {"", "", "", "-wal", "-shm", "-journal"};
  std::string folder_;
  std::string path_;
  std::atomic<bool> stop_{false};
  std::atomic<int> swaps_{0};
  std::thread thread_;
};

TEST(StoreAttack, LinksThatAreSwappedInAreNeverFollowed) {
  const int attempts = std::getenv("ROBOTRULES_SOAK") != nullptr ? 100'000 : 300;
  const std::string folder = test::new_folder();
  const std::string place = folder + "/place";
  fs::create_directory(place);
  fs::permissions(place, fs::perms::all | fs::perms::sticky_bit);  // as /tmp is
  const std::string path = place + "/store.db";
  std::ofstream(folder + "/sentinel") << sentinel_text;
  int opened = 0;
  int refused = 0;
  {
    const Attacker attacker(folder, path);
    while (opened + refused < attempts || attacker.swaps() < attempts) {
      const auto store = open_sqlite_store(path);
      if (store.ok()) {
        ++opened;
        static_cast<void>(store.value()->set_agent("FooBot"));
      } else {
        ++refused;
        ASSERT_TRUE(store.error().code.starts_with("store-")) << store.error().code;
      }
      ASSERT_EQ(bytes_of(folder + "/sentinel"), sentinel_text);
      ASSERT_FALSE(fs::exists(folder + "/nowhere"));
      for (const char* part : {"", "-wal", "-shm", "-journal"}) unlink((path + part).c_str());
    }
    RecordProperty("swaps", attacker.swaps());
  }
  RecordProperty("opened", opened);
  RecordProperty("refused", refused);
  for (const char* part : {"-wal", "-shm", "-journal"}) {
    EXPECT_FALSE(fs::exists(folder + "/sentinel" + part)) << part;
  }
}

TEST(StoreAttack, LinksInThePlaceOfTheLogAreNotFollowed) {
  for (const char* part : {"-wal", "-shm", "-journal"}) {
    const std::string folder = test::new_folder();
    const std::string path = folder + "/store.db";
    std::ofstream(folder + "/sentinel") << sentinel_text;
    fs::create_symlink(folder + "/sentinel", path + part);
    const auto store = open_sqlite_store(path);
    if (store.ok()) static_cast<void>(store.value()->set_agent("FooBot"));
    EXPECT_EQ(bytes_of(folder + "/sentinel"), sentinel_text) << part;
  }
}

TEST(StoreAttack, AFileOthersMayWriteIsRefused) {
  const std::string path = test::new_folder() + "/store.db";
  ASSERT_TRUE(open_sqlite_store(path).ok());
  for (const fs::perms others : {fs::perms::others_write, fs::perms::group_write}) {
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write | others);
    const auto opened = open_sqlite_store(path);
    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(opened.error().code, "store-path");
    EXPECT_EQ(check_sqlite_store(path).error().code, "store-path");
  }
}

TEST(StoreAttack, AFileOfAnotherUserIsRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  const std::string folder = test::new_folder();
  const std::string path = folder + "/store.db";
  ASSERT_TRUE(open_sqlite_store(path).ok());
  ASSERT_EQ(chown(path.c_str(), 12'345, 12'345), 0);
  const auto error = [&path] { return open_sqlite_store(path).error(); };
  EXPECT_EQ(error().code, "store-path");
  EXPECT_NE(error().message.find("belongs to the user with the id 12345, who"), std::string::npos) << error().message;
  ASSERT_EQ(chown(path.c_str(), 0, 0), 0);
  ASSERT_EQ(chown(folder.c_str(), 12'345, 12'345), 0);
  EXPECT_EQ(error().code, "store-path");
  ASSERT_EQ(chown(folder.c_str(), 1, 1), 0);  // Debian: daemon
  const passwd* const named = getpwuid(1);    // NOLINT(concurrency-mt-unsafe)
  const std::string name = named == nullptr ? "" : named->pw_name;
  EXPECT_NE(error().message.find("runuser -u " + name), std::string::npos) << error().message;
  ASSERT_EQ(chown(folder.c_str(), 0, 0), 0);
  EXPECT_TRUE(open_sqlite_store(path).ok());
}

TEST(StoreAttack, AReadOnlyFileSystemIsNamed) {
  const std::string path = test::new_folder() + "/store.db";
  ASSERT_TRUE(open_sqlite_store(path).ok());
  pretends_read_only = true;
  const auto opened = open_sqlite_store(path);
  const auto checked = check_sqlite_store(path);
  pretends_read_only = false;
  ASSERT_FALSE(opened.ok() || checked.ok());
  for (const Error& error : {opened.error(), checked.error()}) {
    EXPECT_EQ(error.code, "store-path");
    EXPECT_NE(error.message.find("read-only file system"), std::string::npos) << error.message;
  }
}

TEST(StoreAttack, NetworkFileSystemsAreRefusedUnlessForced) {
  const std::string path = test::new_folder() + "/store.db";
  SqliteStoreOptions forced;
  forced.network_file_system = true;
  for (const long type : {0x6969L, 0xFF534D42L, 0xFE534D42L, 0x01021997L, 0x65735546L, 0x00C36400L}) {
    pretended_type = type;
    const auto opened = open_sqlite_store(path);
    ASSERT_FALSE(opened.ok()) << type;
    EXPECT_EQ(opened.error().code, "store-path");
    EXPECT_NE(opened.error().message.find("network"), std::string::npos);
    EXPECT_FALSE(fs::exists(path)) << "it was made before it was refused";
    EXPECT_TRUE(open_sqlite_store(path, forced).ok()) << type;
    fs::remove(path);
  }
  for (const long type : {0xEF53L, 0x01021994L, 0x58465342L, 0x9123683EL}) {  // ext4, tmpfs, XFS, btrfs
    pretended_type = type;
    EXPECT_TRUE(open_sqlite_store(path).ok()) << type;
  }
  pretended_type = 0;
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
