// Who else may read a store's file, and who could put another in its place.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <vector>

#include <robotrules/open_store.hpp>
#include <robotrules/robots_policy.hpp>
#include <robotrules/url_queue.hpp>

#include "store/sql.hpp"
#include "support/folder.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

namespace fs = std::filesystem;

class FileRules : public testing::Test {
 protected:
  static unsigned mode_of(const std::string& file) {
    struct stat about{};
    EXPECT_EQ(stat(file.c_str(), &about), 0) << file;
    return about.st_mode & 07777;
  }
  static void set_mode(const std::string& file, mode_t mode) { EXPECT_EQ(chmod(file.c_str(), mode), 0) << file; }

  std::string folder = test::new_folder();
  std::string path = folder + "/store.db";
};

TEST_F(FileRules, AFileThatOthersMayReadIsTightenedWithItsLogAndSharedMemory) {
  ASSERT_TRUE(open_sqlite_store(path).ok());
  set_mode(path, 0644);
  for (const char* part : {"-wal", "-shm"}) {
    std::ofstream(path + part).flush();
    set_mode(path + part, 0644);
  }
  {
    const auto store = open_sqlite_store(path);
    ASSERT_TRUE(store.ok()) << store.error().message;
    ASSERT_TRUE(store.value()->set_agent("FooBot").ok());
    for (const char* part : {"", "-wal", "-shm"}) EXPECT_EQ(mode_of(path + part), 0600U) << part;
  }
  set_mode(path, 0640);
  ASSERT_TRUE(open_url_queue(path).ok());
  EXPECT_EQ(mode_of(path), 0600U);
  set_mode(path, 0604);
  ASSERT_TRUE(check_sqlite_store(path).ok());
  EXPECT_EQ(mode_of(path), 0600U);
}

TEST_F(FileRules, AFolderBelowOneThatOthersMayWriteInIsRefused) {
  const std::string inner = folder + "/shared/own/inner";
  fs::create_directories(inner);
  for (const char* part : {"/shared/own/inner", "/shared/own"}) set_mode(folder + part, 0700);
  const bool group_can_be_given = chown((folder + "/shared").c_str(), static_cast<uid_t>(-1), 12'345) == 0;
  for (const mode_t mode : {0707U, 0770U}) {
    if (mode == 0770U && !group_can_be_given) continue;
    set_mode(folder + "/shared", mode);
    const auto opened = open_sqlite_store(inner + "/store.db");
    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(opened.error().code, "store-path");
    EXPECT_NE(opened.error().message.find("chmod go-w " + fs::canonical(folder).string() + "/shared,"),
              std::string::npos)
        << opened.error().message;
  }
  set_mode(folder + "/shared", 01777);  // sticky: others can't rename what is not theirs
  EXPECT_TRUE(open_sqlite_store(inner + "/store.db").ok());
}

TEST_F(FileRules, AFolderBelowAnotherUsersIsRefused) {
  const std::string inner = folder + "/theirs/own";
  fs::create_directories(inner);
  if (chown((folder + "/theirs").c_str(), 12'345, static_cast<gid_t>(-1)) != 0)
    GTEST_SKIP() << "only root can give away";
  EXPECT_EQ(open_sqlite_store(inner + "/store.db").error().code, "store-path");
}

TEST_F(FileRules, APolicyThatNoStoreWroteIsDamage) {
  {
    const auto store = open_sqlite_store(path).value();
    ASSERT_TRUE(store->set_policy(RobotsPolicy::lwp_fixed()).ok());
  }
  EXPECT_TRUE(check_sqlite_store(path).value().problems.empty());
  for (const char* text : {"strict server_error=perhaps", "strict stale_for=-1", "strict stale_for=99999999999999",
                           "strict keep_stale=2", "strict max_redirects", "strict", " unauthorized=1",
                           "strict Colour=blue", "strict colour=blue max_redirects=x"}) {
    test::run_sql(path, std::string("UPDATE meta SET value = '") + text + "' WHERE name = 'policy'");
    EXPECT_EQ(open_sqlite_store(path).value()->policy().error().code, "store-damaged") << text;
    EXPECT_EQ(check_sqlite_store(path).value().problems.size(), 1U) << text;
  }
}

TEST_F(FileRules, AKeptPolicySaysAllThatJudgesRecords) {
  RobotsPolicy own = RobotsPolicy::strict();
  own.server_error = PolicyAction::allow_all;
  own.stale_for = std::chrono::seconds(7);
  own.max_redirects = 3;
  own.keep_stale = true;
  own.timeout = std::chrono::milliseconds(5);  // not kept
  own.body_limit = 10;
  ASSERT_TRUE(open_sqlite_store(path).value()->set_policy(own).ok());
  const RobotsPolicy kept = open_sqlite_store(path).value()->policy().value().value();
  own.name = "custom";
  own.timeout = RobotsPolicy().timeout;
  own.body_limit = RobotsPolicy().body_limit;
  EXPECT_EQ(kept, own);
  for (const RobotsPolicy* preset : RobotsPolicy::presets()) {
    ASSERT_TRUE(open_sqlite_store(path).value()->set_policy(*preset).ok());
    EXPECT_EQ(open_sqlite_store(path).value()->policy().value(), *preset);
  }
}

TEST_F(FileRules, AKeptPolicySurvivesARepair) {
  {
    const auto store = open_sqlite_store(path).value();
    ASSERT_TRUE(store->set_policy(RobotsPolicy::strict()).ok());
    ASSERT_TRUE(store->reserve({.keys = {"https://a.example"}}).ok());
  }
  test::run_sql(path, "UPDATE gate SET armed_at = 'soon'");
  const StoreCheck report = check_sqlite_store(path, true).value();
  EXPECT_FALSE(report.moved_to.empty());
  EXPECT_FALSE(report.policy_lost);
  EXPECT_EQ(open_sqlite_store(path).value()->policy().value(), RobotsPolicy::strict());
}

TEST_F(FileRules, APolicyWithAFieldThatNobodyKnowsYetIsOfANewerVersionAndNoDamage) {
  const std::string text = policy_text(RobotsPolicy::strict());
  ASSERT_TRUE(open_sqlite_store(path).value()->set_policy(RobotsPolicy::strict()).ok());
  test::run_sql(path, "UPDATE meta SET value = '" + text + " colour=blue' WHERE name = 'policy'");
  const auto store = open_sqlite_store(path).value();
  EXPECT_EQ(store->policy().error().code, "store-newer");
  EXPECT_NE(store->policy().error().message.find("\"colour\""), std::string::npos);
  EXPECT_EQ(check_sqlite_store(path).error().code, "store-newer");  // a repair, asked for, would put strict there
  ASSERT_TRUE(store->set_policy(RobotsPolicy::lwp_fixed()).ok());
  EXPECT_EQ(store->policy().value(), RobotsPolicy::lwp_fixed());
}

TEST_F(FileRules, TheTextOfEveryPolicyReadsBack) {
  const auto named = [](std::string_view name) {
    RobotsPolicy policy;
    policy.name = name;
    return policy;
  };
  std::vector<RobotsPolicy> policies;
  for (const RobotsPolicy* preset : RobotsPolicy::presets()) policies.push_back(*preset);
  for (const std::string_view name :
       {std::string_view(), std::string_view(" "), std::string_view(" rfc9309 "), std::string_view("my own"),
        std::string_view("\tx\n"), std::string_view("a\0b", 3), std::string_view("max_redirects=9"),
        std::string_view("'"), std::string_view("\xff"), std::string_view("strict"), std::string_view("custom")}) {
    policies.push_back(named(name));
  }
  for (const std::int64_t seconds : {std::int64_t{-1}, std::int64_t{0}, std::numeric_limits<std::int64_t>::max(),
                                     std::numeric_limits<std::int64_t>::min()}) {
    RobotsPolicy policy = named("times");
    policy.stale_for = policy.retry_first = policy.freshness_limit = std::chrono::seconds(seconds);
    policies.push_back(policy);
  }
  for (const unsigned redirects : {0U, 1'000U, 1'001U, std::numeric_limits<unsigned>::max()}) {
    RobotsPolicy policy = named("redirects");
    policy.max_redirects = redirects;
    policies.push_back(policy);
  }
  const auto store = open_sqlite_store(path).value();
  for (const RobotsPolicy& policy : policies) {
    const std::string text = policy_text(policy);
    SCOPED_TRACE(text);
    const auto read = policy_of_text(text);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(policy_text(read.value()), text);
    EXPECT_EQ(read.value().unauthorized, policy.unauthorized);
    ASSERT_TRUE(store->set_policy(policy).ok());
    EXPECT_EQ(store->policy().value(), read.value());
  }
}

TEST_F(FileRules, APolicyThatARepairCantReadIsStrictFromThenOn) {
  {
    const auto store = open_sqlite_store(path).value();
    ASSERT_TRUE(store->set_policy(RobotsPolicy::strict()).ok());
  }
  test::run_sql(path, "UPDATE meta SET value = 'strict unauthorized=perhaps' WHERE name = 'policy'");
  const StoreCheck report = check_sqlite_store(path, true).value();
  EXPECT_FALSE(report.moved_to.empty());
  EXPECT_TRUE(report.policy_lost);
  EXPECT_EQ(open_sqlite_store(path).value()->policy().value(), RobotsPolicy::strict());
  EXPECT_TRUE(check_sqlite_store(path).value().problems.empty());
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
