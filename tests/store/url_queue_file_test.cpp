// The queue in a file: shared, migrated, killed while it is written to, and damaged.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "store/sql.hpp"
#include "store/store_contract.hpp"
#include "support/folder.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::run_sql;

std::vector<QueuedUrl> urls_of(int first, int count) {
  std::vector<QueuedUrl> urls(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    urls[static_cast<std::size_t>(i)].url =
        "https://s" + std::to_string((first + i) % 7) + ".example/" + std::to_string(first + i);
  }
  return urls;
}
std::string problems_of(const std::string& path) {
  const auto report = check_sqlite_store(path);
  if (!report) return report.error().message;
  std::string all;
  for (const std::string& problem : report.value().problems) all += problem + "\n";
  return all;
}

class UrlQueueFile : public testing::Test {
 protected:
  std::unique_ptr<UrlQueue> open() {
    auto opened = open_url_queue(path);
    EXPECT_TRUE(opened.ok()) << opened.error().message;
    return opened.ok() ? std::move(opened).value() : nullptr;
  }
  std::string path = test::new_folder() + "/store.db";
};

TEST_F(UrlQueueFile, AddingDuringForEachDoesNotMakeItLonger) {
  const auto queue = open();
  ASSERT_EQ(queue->add(urls_of(0, 10)).value().added, 10U);
  int seen = 0;
  const auto each = [&](const QueueItem&) {
    EXPECT_EQ(queue->add(urls_of(100 + seen, 1)).value().added, 1U);
    return ++seen < 1'000;
  };
  EXPECT_TRUE(queue->for_each(std::nullopt, each).ok());
  EXPECT_EQ(seen, 10);
}

TEST_F(UrlQueueFile, ADamagedGateDoesNotStopPruning) {
  const auto store = open_sqlite_store(path, {.first_ever = true}).value();
  for (const char* key : {"http://a.test", "http://b.test"}) {
    const auto answer = store->reserve({.keys = {key}, .interval = 1s}).value();
    ASSERT_TRUE(store->complete(std::get<Granted>(answer).token, {.status = 200}).ok());
  }
  run_sql(path, "UPDATE gate SET source = 99 WHERE key = 'http://b.test'");
  ASSERT_FALSE(store->gate("http://b.test").ok());
  const auto pruned = store->prune(store->now() + 48h);
  ASSERT_TRUE(pruned.ok()) << pruned.error().message;
}

TEST_F(UrlQueueFile, HasTheRulesOfTheStoresFile) {
  SqliteStoreOptions options;
  options.create = false;
  EXPECT_EQ(open_url_queue(path, std::string(default_job), StoreOptions{options, {}}).error().code, "store-missing");
  EXPECT_EQ(open_url_queue("/no/such/folder/store.db").error().code, "store-path");
  run_sql(path, "CREATE TABLE cookies(name TEXT)");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(open_url_queue(path).error().code, "store-foreign");
}

TEST_F(UrlQueueFile, IsClaimedByOneObjectAtATime) {
  auto first = open();
  const auto second = open();
  ASSERT_TRUE(first->claim().ok());
  EXPECT_TRUE(first->claim().ok()) << "it has it already";
  const auto refused = second->claim();
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, "queue-claimed");
  EXPECT_NE(refused.error().message.find(path), std::string::npos);
  EXPECT_EQ(second->add(urls_of(0, 1)).value().added, 1U) << "adding needs no claim";
  first.reset();
  EXPECT_TRUE(second->claim().ok());
  EXPECT_TRUE(open_url_queue("").value()->claim().ok());
}

TEST_F(UrlQueueFile, AClaimEndsWithItsProcess) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto queue = open_url_queue(path);
    const char done = queue.ok() && queue.value()->claim().ok() ? '+' : '-';
    if (::write(ready[1], &done, 1) == 1) pause();
    _exit(1);
  }
  close(ready[1]);
  char done = 0;
  ASSERT_EQ(read(ready[0], &done, 1), 1);
  close(ready[0]);
  EXPECT_EQ(done, '+');
  const auto queue = open();
  EXPECT_EQ(queue->claim().error().code, "queue-claimed");
  kill(child, SIGKILL);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_TRUE(queue->claim().ok());
}

TEST_F(UrlQueueFile, AClaimFollowsNoLink) {
  const auto queue = open();
  const std::string sentinel = path + ".sentinel";
  fs::create_symlink(sentinel, path + "-crawl");
  EXPECT_EQ(queue->claim().error().code, "store-path");
  EXPECT_FALSE(fs::exists(sentinel));
}

TEST_F(UrlQueueFile, ATemporaryQueueIsAloneAndLeavesNoFile) {
  const auto one = open_url_queue("").value();
  const auto other = open_url_queue("").value();
  ASSERT_TRUE(one->add(urls_of(0, 10)).ok());
  EXPECT_EQ(one->counts().value().pending, 10u);
  EXPECT_EQ(other->counts().value().pending, 0u);
}

// The queue asks for no time, so it neither makes every key just visited nor ends a lease.
TEST_F(UrlQueueFile, OpeningItLeavesTheStoresClockAlone) {
  SqliteStoreOptions options;
  options.first_ever = true;
  options.time.boot_id = [] { return std::string(); };  // each opening counts as a start
  const Origin origin = *Origin::of("https://a.example");
  const auto store = open_sqlite_store(path, options).value();
  ASSERT_TRUE(std::holds_alternative<RobotsLease>(store->lease_robots_fetch(origin, 1h).value()));
  ASSERT_TRUE(open_url_queue(path, std::string(default_job), StoreOptions{options, {}}).ok());
  EXPECT_TRUE(std::holds_alternative<Wait>(store->lease_robots_fetch(origin, 1h).value()));
}

TEST_F(UrlQueueFile, AFileThatItMakesIsAsTheStoreMakesIt) {
  SqliteStoreOptions options;
  options.first_ever = true;
  ASSERT_TRUE(open_url_queue(path, std::string(default_job), StoreOptions{options, {}}).ok());
  EXPECT_EQ(open_sqlite_store(path, options).value()->just_visited().value(), std::nullopt);
  const std::string other = test::new_folder() + "/store.db";
  ASSERT_TRUE(open_url_queue(other).ok());
  EXPECT_NE(open_sqlite_store(other, options).value()->just_visited().value(), std::nullopt);
}

TEST_F(UrlQueueFile, AFileOfVersion2IsCheckedAsItIsAndBroughtUp) {
  const Origin site = *Origin::of("https://a.example");
  {
    const auto store = open_sqlite_store(path).value();
    ASSERT_TRUE(store->put_robots(site, test::record_of("User-agent: *\n", store->now(), store->now())).ok());
  }
  run_sql(path, test::back_to_version_5);
  run_sql(path, test::back_to_version_4);
  run_sql(path, test::back_to_version_3);
  run_sql(path, test::back_to_version_2);
  EXPECT_EQ(problems_of(path), "");
  {
    const auto queue = open();
    EXPECT_EQ(queue->add(urls_of(0, 10)).value().added, 10u);
  }
  EXPECT_EQ(problems_of(path), "");
  EXPECT_NE(open_sqlite_store(path).value()->robots(site).value(), nullptr);
}

TEST_F(UrlQueueFile, TwoConnectionsSeeWhatEachAdds) {
  const auto one = open();
  const auto other = open();
  EXPECT_EQ(one->add(urls_of(0, 100)).value().added, 100u);
  EXPECT_EQ(other->add(urls_of(50, 100)).value().added, 50u);
  EXPECT_EQ(one->add(urls_of(0, 151)).value().added, 1u);
  EXPECT_NE(one->find("GET", urls_of(149, 1)[0].url).value(), std::nullopt);
  EXPECT_NE(other->find("GET", urls_of(150, 1)[0].url).value(), std::nullopt);
  EXPECT_EQ(other->counts().value().pending, 151u);
}

TEST_F(UrlQueueFile, ProcessesThatAddTheSameAddItOnce) {
  ASSERT_TRUE(open_sqlite_store(path).ok());
  constexpr int processes = 4;
  int pipes[2];
  ASSERT_EQ(pipe(pipes), 0);
  std::vector<pid_t> children;
  for (int process = 0; process < processes; ++process) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      std::uint64_t added = 0;
      const auto queue = open_url_queue(path);
      if (!queue.ok()) _exit(1);
      for (int first = 0; first < 2'000; first += 40) {
        const auto done = queue.value()->add(urls_of(first + process * 10, 60));  // each laps over the next
        if (!done.ok()) _exit(2);
        added += done.value().added;
      }
      _exit(write(pipes[1], &added, sizeof added) == static_cast<ssize_t>(sizeof added) ? 0 : 3);
    }
    children.push_back(child);
  }
  close(pipes[1]);
  std::uint64_t sum = 0;
  std::uint64_t added = 0;
  while (read(pipes[0], &added, sizeof added) == static_cast<ssize_t>(sizeof added)) sum += added;
  close(pipes[0]);
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(sum, 2'050u);  // 0 .. 1960 + 30 + 60
  EXPECT_EQ(open()->counts().value().pending, sum);
  EXPECT_EQ(problems_of(path), "");
}

TEST_F(UrlQueueFile, AChildIsToldNotToUseItsParentsQueue) {
  auto queue = open();
  ASSERT_TRUE(queue->add(urls_of(0, 1)).ok());
  const pid_t child = fork();
  if (child == 0) {
    const auto refused = queue->add(urls_of(1, 1));
    const bool told = !refused.ok() && refused.error().code == "store-forked";
    queue.reset();
    _exit(told ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(queue->add(urls_of(1, 1)).value().added, 1u);
}

// A writer adds, settles and reopens until it is killed. It tells of each batch when it was answered.
struct Batch {
  char what;  // a: added, s: settled
  std::uint64_t number;
};
constexpr int batch_size = 30;

[[noreturn]] void work_until_killed(const std::string& path, std::uint64_t next, int told) {
  const auto queue = open_url_queue(path);
  if (!queue.ok()) _exit(2);
  const auto tell = [&](char what) {
    const Batch batch{what, next};
    if (write(told, &batch, sizeof batch) != static_cast<ssize_t>(sizeof batch)) _exit(1);
  };
  for (;; ++next) {
    const auto urls = urls_of(static_cast<int>(next) * batch_size, batch_size);
    if (!queue.value()->add(urls).ok()) _exit(3);
    tell('a');
    std::vector<FinishedUrl> settled;
    for (const QueuedUrl& url : urls) {
      const auto found = queue.value()->find("GET", url.url);
      if (!found.ok() || !found.value()) _exit(4);
      settled.push_back({found.value()->id, UrlState::done, {}});
    }
    if (!queue.value()->settle(settled, OutputPosition{"out", next + 1}).ok()) _exit(5);
    tell('s');
  }
}

TEST_F(UrlQueueFile, AKilledWriterLosesNothingAcknowledgedAndHalvesNothing) {
  ASSERT_TRUE(open_sqlite_store(path).ok());
  std::mt19937 random(3);
  std::uint64_t next = 0;
  int after_added = 0;
  int after_settled = 0;
  for (int kill_number = 0; kill_number < 60; ++kill_number) {
    int pipes[2];
    ASSERT_EQ(pipe(pipes), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      close(pipes[0]);
      work_until_killed(path, next, pipes[1]);
    }
    close(pipes[1]);
    std::uint64_t added = next;  // batches that are acknowledged
    std::uint64_t settled = next;
    char last = '-';
    Batch batch{};
    const auto read_one = [&] {
      if (read(pipes[0], &batch, sizeof batch) != static_cast<ssize_t>(sizeof batch)) return false;
      last = batch.what;
      (batch.what == 'a' ? added : settled) = batch.number + 1;
      return true;
    };
    for (unsigned wanted = 1 + random() % 7; wanted > 0 && read_one(); --wanted) {
    }
    ASSERT_EQ(kill(child, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << WEXITSTATUS(status);
    while (read_one()) {
    }
    close(pipes[0]);
    ++(last == 'a' ? after_added : after_settled);

    ASSERT_EQ(problems_of(path), "");
    const auto queue = open();
    const QueueCounts counts = queue->counts().value();
    ASSERT_EQ((counts.pending + counts.done) % batch_size, 0u);
    ASSERT_EQ(counts.done % batch_size, 0u);
    const std::uint64_t all = (counts.pending + counts.done) / batch_size;
    const std::uint64_t done = counts.done / batch_size;
    ASSERT_GE(all, added);
    ASSERT_LE(all, added + 1);
    ASSERT_GE(done, settled);
    ASSERT_LE(done, settled + 1);
    // What was settled and how far the output is whole are one.
    ASSERT_EQ(queue->output_position("out").value().value_or(0), done);
    next = done;  // in flight when it was killed: done again
  }
  EXPECT_GT(after_added, 0);
  EXPECT_GT(after_settled, 0);
}

// --- damage ----------------------------------------------------------------------------------------------------------

class DamagedQueue : public UrlQueueFile {
 protected:
  static constexpr const char* first_url = "https://a.example/1";

  // Three URLs of a site, the first of them done, with all that a row may hold.
  void fill() {
    const auto queue = open();
    std::vector<QueuedUrl> urls(3);
    urls[0].url = first_url;
    urls[1].url = "https://a.example/2";
    urls[2].url = "https://user@a.example/3";
    urls[2].headers.add("Accept", "text/html");
    urls[2].priority = 2;
    ASSERT_TRUE(queue->add(urls).ok());
    ASSERT_TRUE(
        queue
            ->settle(std::vector<FinishedUrl>{{1, UrlState::done, {200, "ok", "\"1\"", "then", Timestamp{}, 5}}},
                     OutputPosition{"out", 5})
            .ok());
  }
  void damaged_file(const std::string& damage) {
    new_file();
    fill();
    run_sql(path, damage);
  }
  void new_file() { path = test::new_folder() + "/store.db"; }

  // Whatever is asked of it: an answer or an error with a code. True where something was an error.
  static bool ask_all(UrlQueue& queue) {
    bool failed = false;
    const auto fine = [&](const auto& result) {
      if (result.ok()) return;
      failed = true;
      EXPECT_EQ(result.error().code, "store-damaged") << result.error().message;
    };
    const auto sites = queue.sites({}, 10);
    fine(sites);
    fine(queue.counts());
    fine(queue.output_position("out"));
    fine(queue.for_each({}, [](const QueueItem&) { return true; }));
    const auto taken = queue.peek(1, {}, 10);  // whose site may be what was lost
    if (taken.ok() || taken.error().code != "unknown-site") fine(taken);
    fine(queue.find("GET", first_url));
    const auto settled = queue.settle(std::vector<FinishedUrl>{{2, UrlState::failed, {}}}, {});
    if (settled.ok() || settled.error().code != "unknown-url") fine(settled);
    fine(queue.revisit({}));
    std::vector<QueuedUrl> more(2);
    more[0].url = "https://a.example/4";
    more[1].url = "https://b.example/4";
    fine(queue.add(more));
    return failed;
  }
};

TEST_F(DamagedQueue, ARowThatWasNeverWrittenIsAnErrorSeenAndMended) {
  const std::vector<std::string> bad_numbers{"9223372036854775807", "-9223372036854775808", "'many'", "x'00'", "1.5"};
  std::vector<std::string> damages{"UPDATE queue SET url = 'ftp://a.example/' WHERE id = 2",
                                   "UPDATE queue SET url = x'2F' WHERE id = 2",
                                   "UPDATE queue SET url = '/ x' WHERE id = 2",
                                   "UPDATE queue SET url = '/' || char(10) WHERE id = 2",
                                   "UPDATE queue SET url = 'https://b.example/2' WHERE id = 2",
                                   "UPDATE queue SET headers = x'393939' WHERE id = 3",
                                   "UPDATE queue SET headers = CAST('9:a' AS BLOB) WHERE id = 3",
                                   "UPDATE queue SET headers = CAST('1:a' AS BLOB) WHERE id = 3",
                                   "UPDATE queue SET headers = 'text' WHERE id = 3",
                                   "UPDATE queue SET method = 17.5, method = x'00' WHERE id = 3",
                                   "UPDATE queue SET state = 5 WHERE id = 1",
                                   "UPDATE queue SET state = -1 WHERE id = 1",
                                   "UPDATE queue SET at = NULL WHERE id = 1",
                                   "UPDATE queue SET etag = 'text' WHERE id = 1",
                                   "UPDATE queue SET site = 99 WHERE id = 2",
                                   "UPDATE queue SET id = 99 WHERE id = 3",
                                   "DELETE FROM queue WHERE id = 3",
                                   "DELETE FROM queue_hash",
                                   "UPDATE queue_hash SET first = 2",
                                   "UPDATE queue_hash SET hashes = hashes || x'00'",
                                   "UPDATE queue_hash SET hashes = hashes || zeroblob(8)",
                                   "UPDATE queue_hash SET hashes = 'text'",
                                   "DELETE FROM meta WHERE name = 'queue_salt'",
                                   "UPDATE meta SET value = 'short' WHERE name = 'queue_salt'",
                                   "DELETE FROM queue_count WHERE state = 1",
                                   "UPDATE queue_count SET urls = -1 WHERE state = 0",
                                   "UPDATE queue_site SET origin = 'nowhere'",
                                   "UPDATE queue_site SET pending = -1",
                                   "DELETE FROM queue_site",
                                   "UPDATE queue_output SET position = -1",
                                   "DROP TABLE queue_hash",
                                   "DROP INDEX queue_pending"};
  for (const std::string& value : bad_numbers) {
    for (const char* column : {"rank", "status", "bytes", "at"}) {
      damages.push_back(std::string("UPDATE queue SET ") + column + " = " + value + " WHERE id = 1");
    }
    damages.push_back("UPDATE queue_site SET rank = " + value);
    damages.push_back("UPDATE queue_output SET position = " + value);
  }
  std::uint64_t saved = 0;
  for (const std::string& damage : damages) {
    SCOPED_TRACE(damage);
    damaged_file(damage);
    {
      const auto opened = open_url_queue(path);
      if (opened.ok()) {
        EXPECT_TRUE(ask_all(*opened.value()));
      } else {
        EXPECT_EQ(opened.error().code, "store-damaged");
      }
    }
    damaged_file(damage);  // another: settling makes some sums anew
    EXPECT_NE(problems_of(path), "");
    const auto mended = check_sqlite_store(path, true);
    ASSERT_TRUE(mended.ok()) << mended.error().message;
    EXPECT_NE(mended.value().moved_to, "");
    saved += mended.value().urls_kept;
    EXPECT_EQ(problems_of(path), "");
    EXPECT_FALSE(ask_all(*open()));
    EXPECT_EQ(problems_of(path), "");
  }
  EXPECT_GT(saved, damages.size() * 2);
}

// Sums that are wrong and could be right: only looking through all of it finds them.
TEST_F(DamagedQueue, WrongSumsAreSeenAndMended) {
  for (const char* damage :
       {"UPDATE queue_site SET pending = 1", "UPDATE queue_site SET rank = -9",
        "UPDATE queue_count SET urls = 7 WHERE state = 0", "UPDATE queue_hash SET hashes = zeroblob(24)",
        "UPDATE queue SET url = '/other' WHERE id = 2"}) {
    SCOPED_TRACE(damage);
    damaged_file(damage);
    EXPECT_NE(problems_of(path), "");
    const auto mended = check_sqlite_store(path, true);
    ASSERT_TRUE(mended.ok()) << mended.error().message;
    EXPECT_EQ(mended.value().urls_kept, 3u);
    EXPECT_EQ(problems_of(path), "");
  }
}

TEST_F(DamagedQueue, RepairKeepsWhatBecameOfEachUrl) {
  fill();
  run_sql(path, "UPDATE queue_count SET urls = 7 WHERE state = 0");
  ASSERT_TRUE(check_sqlite_store(path, true).ok());
  const auto queue = open();
  const auto first = queue->find("GET", first_url).value();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->state, UrlState::done);
  EXPECT_EQ(first->result, (UrlResult{200, "ok", "\"1\"", "then", Timestamp{}, 5}));
  const auto last = queue->find("GET", "https://user@a.example/3").value();
  ASSERT_TRUE(last);
  EXPECT_EQ(last->request.priority, 2);
  EXPECT_EQ(last->request.headers.size(), 1u);
  EXPECT_EQ(queue->counts().value(), (QueueCounts{2, 1, 0, 0, 0}));
}

TEST_F(DamagedQueue, APageOfNonsenseCrashesNothingAndTheRestIsSaved) {
  ASSERT_TRUE(open()->add(urls_of(0, 600)).ok());
  std::string sound(fs::file_size(path), '\0');
  std::FILE* file = std::fopen(path.c_str(), "rb");
  ASSERT_NE(file, nullptr);
  ASSERT_EQ(std::fread(sound.data(), 1, sound.size(), file), sound.size());
  std::fclose(file);
  std::mt19937 random(2);
  constexpr std::size_t page = 4096;
  std::size_t saved_some = 0;
  for (std::size_t at = 0; at + page <= sound.size(); at += page) {
    SCOPED_TRACE(at / page);
    std::string damaged = sound;
    for (std::size_t i = 0; i < page; ++i) damaged[at + i] = static_cast<char>(random());
    new_file();
    file = std::fopen(path.c_str(), "wb");
    ASSERT_NE(file, nullptr);
    ASSERT_EQ(std::fwrite(damaged.data(), 1, damaged.size(), file), damaged.size());
    std::fclose(file);
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
    if (auto opened = open_url_queue(path); opened.ok()) {
      static_cast<void>(opened.value()->add(urls_of(500, 200)));
      static_cast<void>(opened.value()->for_each({}, [](const QueueItem&) { return true; }));
      for (int i = 0; i < 7; ++i) static_cast<void>(opened.value()->peek(i, {}, 10));
    }
    const auto report = check_sqlite_store(path, true);
    if (!report.ok()) {
      EXPECT_EQ(report.error().code, "store-foreign") << report.error().message;
      continue;
    }
    if (report.value().urls_kept > 300) ++saved_some;
    EXPECT_EQ(problems_of(path), "");
    EXPECT_TRUE(open()->add(urls_of(0, 600)).ok());
  }
  EXPECT_GT(saved_some, sound.size() / page / 3);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
