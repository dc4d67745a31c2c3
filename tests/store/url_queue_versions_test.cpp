// The queue in a file of an older version.
#include <gtest/gtest.h>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "store/sql.hpp"
#include "support/folder.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

std::string problems_of(const std::string& path) {
  std::string all;
  for (const std::string& problem : check_sqlite_store(path).value().problems) all += problem + "\n";
  return all;
}

TEST(UrlQueueVersions, AFileOfVersion5IsCheckedAsItIsAndGetsTheCountOfCutPages) {
  const std::string path = test::new_folder() + "/store.db";
  {
    const auto queue = open_url_queue(path).value();
    ASSERT_TRUE(queue->add(std::vector<QueuedUrl>{{"http://a.example/1"}, {"http://a.example/2"}}).ok());
    ASSERT_TRUE(queue->settle(std::vector<FinishedUrl>{{1, UrlState::done, {}}}, {}).ok());
  }
  EXPECT_EQ(problems_of(path), "");
  run_sql(path, back_to_version_5);
  EXPECT_EQ(problems_of(path), "");
  {
    const auto queue = open_url_queue(path).value();
    EXPECT_EQ(queue->counts().value(), (QueueCounts{1, 1, 0, 0, 0, 0}));
    ASSERT_TRUE(queue->settle(std::vector<FinishedUrl>{{2, UrlState::cut, {}}}, {}).ok());
    EXPECT_EQ(queue->counts().value(), (QueueCounts{0, 1, 0, 0, 0, 1}));
  }
  EXPECT_EQ(problems_of(path), "");
}

TEST(UrlQueueVersions, AFileOfVersion6GetsTheColumnsOfResults) {
  const std::string path = test::new_folder() + "/store.db";
  const UrlResult result{.status = 200, .at = Timestamp(std::chrono::hours(7)), .bytes = 5};
  const auto make_old = [&] {
    {
      const auto queue = open_url_queue(path).value();
      ASSERT_TRUE(queue->add(std::vector<QueuedUrl>{{"http://a.example/1"}, {"http://a.example/2"}}).ok());
      ASSERT_TRUE(queue->settle(std::vector<FinishedUrl>{{1, UrlState::done, result}}, {}).ok());
    }
    run_sql(path, std::string(back_to_version_7) +
                      "ALTER TABLE queue DROP COLUMN warning; ALTER TABLE queue DROP COLUMN page_at;"
                      "PRAGMA user_version = 6;");
    EXPECT_EQ(problems_of(path), "");
  };
  make_old();
  UrlResult later = result;
  later.page_at = result.at;
  later.warning = "it does not answer";
  {
    const auto queue = open_url_queue(path).value();
    EXPECT_EQ(queue->find("GET", "http://a.example/1").value()->result, result);
    ASSERT_TRUE(queue->settle(std::vector<FinishedUrl>{{2, UrlState::failed, later}}, {}).ok());
  }
  EXPECT_EQ(open_url_queue(path).value()->find("GET", "http://a.example/2").value()->result, later);
  EXPECT_EQ(problems_of(path), "");

  make_old();
  run_sql(path, "UPDATE queue_site SET pending = 7");
  ASSERT_EQ(check_sqlite_store(path, true).value().urls_kept, 2U);
  EXPECT_EQ(open_url_queue(path).value()->find("GET", "http://a.example/1").value()->result, result);
}

TEST(UrlQueueVersions, AFileOfVersion7GetsTheColumnsOfSpellingsAndDigests) {
  const std::string path = test::new_folder() + "/store.db";
  const UrlResult result{
      .status = 200, .at = Timestamp(std::chrono::hours(7)), .bytes = 5, .page_at = Timestamp{}, .warning = "w"};
  const auto make_old = [&] {
    {
      const auto queue = open_url_queue(path).value();
      ASSERT_TRUE(queue->add({{"http://a.example/1"}, {"http://a.example/2"}}).ok());
      ASSERT_TRUE(queue->settle(std::vector<FinishedUrl>{{1, UrlState::done, result}}, {}).ok());
    }
    run_sql(path, back_to_version_7);
    EXPECT_EQ(problems_of(path), "");
  };
  make_old();
  UrlResult later = result;
  later.digest = "sha1:VBQ6FQLYM75BVDVQ3NBPDH22CMRTE57F";
  {
    const auto queue = open_url_queue(path).value();
    EXPECT_EQ(queue->find("GET", "http://a.example/1").value()->result, result);
    ASSERT_TRUE(queue->settle(std::vector<FinishedUrl>{{2, UrlState::done, later}}, {}).ok());
    ASSERT_TRUE(queue->add({{.url = "http://a.example/~3", .found = "http://a.example/%7E3"}}).ok());
  }
  {
    const auto queue = open_url_queue(path).value();
    EXPECT_EQ(queue->find("GET", "http://a.example/2").value()->result, later);
    EXPECT_EQ(queue->find("GET", "http://a.example/~3").value()->request.found, "http://a.example/%7E3");
  }
  EXPECT_EQ(problems_of(path), "");

  run_sql(path, "UPDATE queue_site SET pending = 7");
  ASSERT_EQ(check_sqlite_store(path, true).value().urls_kept, 3U);
  {
    const auto queue = open_url_queue(path).value();
    EXPECT_EQ(queue->find("GET", "http://a.example/2").value()->result, later);
    EXPECT_EQ(queue->find("GET", "http://a.example/~3").value()->request.found, "http://a.example/%7E3");
  }

  make_old();
  run_sql(path, "UPDATE queue_site SET pending = 7");
  ASSERT_EQ(check_sqlite_store(path, true).value().urls_kept, 3U);
  EXPECT_EQ(open_url_queue(path).value()->find("GET", "http://a.example/1").value()->result, result);
}

TEST(UrlQueueVersions, AFileOfVersion8GetsTheColumnOfTheUrlOfAPayload) {
  const std::string path = test::new_folder() + "/store.db";
  UrlResult result{.status = 200, .at = Timestamp(std::chrono::hours(7)), .bytes = 5};
  result.digest = "sha1:VBQ6FQLYM75BVDVQ3NBPDH22CMRTE57F";
  const auto make_old = [&] {
    {
      const auto queue = open_url_queue(path).value();
      ASSERT_TRUE(queue->add({{"http://a.example/1"}, {"http://a.example/2"}}).ok());
      ASSERT_TRUE(queue->settle(std::vector<FinishedUrl>{{1, UrlState::done, result}}, {}).ok());
    }
    run_sql(path, back_to_version_8);
    EXPECT_EQ(problems_of(path), "");
  };
  make_old();
  UrlResult later = result;
  later.page_url = "http://b.example/";
  {
    const auto queue = open_url_queue(path).value();
    EXPECT_EQ(queue->find("GET", "http://a.example/1").value()->result, result);
    ASSERT_TRUE(queue->settle(std::vector<FinishedUrl>{{2, UrlState::done, later}}, {}).ok());
  }
  EXPECT_EQ(open_url_queue(path).value()->find("GET", "http://a.example/2").value()->result, later);
  EXPECT_EQ(problems_of(path), "");

  make_old();
  run_sql(path, "UPDATE queue_site SET pending = 7");
  ASSERT_EQ(check_sqlite_store(path, true).value().urls_kept, 2U);
  EXPECT_EQ(open_url_queue(path).value()->find("GET", "http://a.example/1").value()->result, result);
}

TEST(UrlQueueVersions, ACountThatIsMissingIsDamage) {
  const std::string path = test::new_folder() + "/store.db";
  ASSERT_TRUE(open_url_queue(path).ok());
  run_sql(path, "DELETE FROM queue_count WHERE state = 5");
  EXPECT_EQ(problems_of(path), "the queue's counts are wrong\n");
}

TEST(UrlQueueVersions, AFileWithAnotherVersionInItsHeaderIsMended) {
  const std::string path = test::new_folder() + "/store.db";
  for (const char* lost : {"", back_to_version_5}) {
    {
      const auto queue = open_url_queue(path).value();
      ASSERT_TRUE(queue->add(std::vector<QueuedUrl>{{"http://a.example/1"}}).ok());
      ASSERT_TRUE(queue->settle(std::vector<FinishedUrl>{{1, UrlState::done, {}}}, {}).ok());
    }
    run_sql(path, std::string(lost) + ";PRAGMA user_version = 2");
    ASSERT_TRUE(check_sqlite_store(path, true).ok());
    EXPECT_EQ(open_url_queue(path).value()->counts().value(), (QueueCounts{0, 1, 0, 0, 0, 0}));
    EXPECT_EQ(problems_of(path), "");
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
