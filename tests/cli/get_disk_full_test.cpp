// A disk that is full: the crawl waits, says so once, and goes on when there is room. No page is lost or written twice.
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <functional>
#include <mutex>
#include <thread>

#include <robotrules/crawl.hpp>
#include <robotrules/open_store.hpp>
#include <robotrules/robot_ua.hpp>

#include "archive/outputs.hpp"
#include "cli/get_rig.hpp"
#include "cli/metrics/metric_families.hpp"
#include "support/archive/fetched.hpp"
#include "support/queue_decorator.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// An output that has no room while `full` is true.
class Disk final : public PageOutput {
 public:
  Result<void> write(const FetchedPage& page) override {
    ++tries;
    if (full) return Error{disk_full_code, "the disk is full"};
    urls.emplace_back(page.url);
    return {};
  }
  Result<void> flush() override { return {}; }
  std::uint64_t position() const noexcept override { return urls.size(); }
  PageNeeds needs() const noexcept override { return {.recording = false, .body = true}; }

  std::atomic<bool> full{false};
  std::atomic<int> tries{0};
  std::vector<std::string> urls;
};

class DiskFull : public GetRig {
 protected:
  DiskFull() {
    page("/*", [](const SeenRequest& request) -> Answer { return reply(request.target); });
    options.disk_full_wait = milliseconds(1);
    options.on_disk_full = [this](std::string_view sentence) {
      {
        const std::lock_guard lock(mutex);
        told.emplace_back(sentence);
      }
      if (on_told) on_told(!sentence.empty());
    };
  }

  void make_robot(const std::string& database = "") {
    RobotUAOptions http;
    http.pace.delay = seconds(0);
    http.http.spool_folder = spool_folder;
    ASSERT_TRUE(http.http.connection.guard.allow("127.0.0.0/8").ok());
    const auto store = database.empty() ? make_memory_store() : open_store(database, {}).value();
    auto rules = std::make_shared<RobotRules>(RobotRules::open(store, "TestBot").value());
    auto made = RobotUA::make("TestBot/1.0", "me@example.org", std::move(rules), std::move(http));
    ASSERT_TRUE(made.ok());
    robot.emplace(std::move(made).value());
    queue = open_url_queue(database).value();
  }
  void add(int count) {
    std::vector<QueuedUrl> urls;
    for (int i = 1; i <= count; ++i) {
      expected.push_back(url("/" + std::to_string(i)));
      urls.push_back({expected.back()});
    }
    ASSERT_TRUE(queue->add(urls).ok());
  }
  void crawl(PageOutput& output, PageOutput* log, const std::function<void(Crawl&)>& meanwhile = {}) {
    Crawl crawl(*robot, *queue, output, log, options);
    crawl.urls_added(false);
    if (meanwhile) meanwhile(crawl);
    while (!crawl.wait_for(seconds(1))) {
    }
    EXPECT_TRUE(crawl.result().ok()) << crawl.result().error().message;
  }
  // The crawl has waited once, and has gone on.
  void expect_told_once(const std::string& part) {
    const std::lock_guard lock(mutex);
    ASSERT_EQ(told.size(), 2U) << ::testing::PrintToString(told);
    EXPECT_NE(told[0].find(part), std::string::npos) << told[0];
    EXPECT_TRUE(told[0].ends_with("; the crawl waits until there is room")) << told[0];
    EXPECT_EQ(told[1], "");
  }

  std::optional<RobotUA> robot;
  std::unique_ptr<UrlQueue> queue;
  CrawlOptions options;
  std::vector<std::string> expected;
  std::string spool_folder;
  std::mutex mutex;
  std::vector<std::string> told;
  std::function<void(bool full)> on_told;
};

TEST_F(DiskFull, PagesWaitAndNoRequestStarts) {
  make_robot();
  add(20);
  Disk disk;
  disk.full = true;
  std::atomic<std::size_t> asked_before = 0;
  std::size_t asked_while_full = 0;
  on_told = [&](bool full) {
    if (full) asked_before = asked().size();
  };
  crawl(disk, nullptr, [&](Crawl&) {
    while (disk.tries < 10) std::this_thread::yield();
    asked_while_full = asked().size();
    disk.full = false;
  });
  EXPECT_LE(asked_while_full, asked_before + 1) << "only the request that was on the wire";
  EXPECT_EQ(disk.urls, expected);
  EXPECT_EQ(asked().size(), expected.size());
  EXPECT_EQ(queue->counts().value().done, expected.size());
  expect_told_once("the disk is full");
}

// A queue whose disk has no room for results while `full` is true.
class FullQueue final : public QueueDecorator {
 public:
  using QueueDecorator::QueueDecorator;
  using QueueDecorator::settle;
  Result<void> settle(const QueueClaim& claim, std::span<const FinishedUrl> settled,
                      const std::optional<OutputPosition>& output, std::span<const QueuedUrl> links) override {
    if (!full) return QueueDecorator::settle(claim, settled, output, links);
    ++tries;
    return Error{disk_full_code, "the disk of the queue is full"};
  }

  std::atomic<bool> full{true};
  std::atomic<int> tries{0};
};

// A page that is written to another disk proves nothing.
TEST_F(DiskFull, ThereIsRoomAgainOnlyWhenThereIs) {
  make_robot();
  const test::Gate gate;
  page("/2", Script().wait(gate).send(reply("2")).keep());
  add(3);
  Disk disk;
  FullQueue full(*queue);
  on_told = [&](bool is_full) { EXPECT_TRUE(is_full || !full.full) << "there is no room yet"; };
  {
    Crawl crawl(*robot, full, disk, options);
    crawl.urls_added(false);
    while (full.tries < 2) std::this_thread::yield();
    gate.open();
    while (disk.tries < 2) std::this_thread::yield();
    const int tries = full.tries;
    while (full.tries < tries + 2) std::this_thread::yield();
    full.full = false;
    while (!crawl.wait_for(seconds(1))) {
    }
  }
  EXPECT_EQ(disk.urls, expected);
  EXPECT_EQ(queue->counts().value().done, expected.size());
  expect_told_once("the disk of the queue is full");
}

TEST_F(DiskFull, APageWhoseLineDoesNotFitIsNotWrittenTwice) {
  make_robot();
  add(5);
  Disk disk;
  Disk log;
  log.full = true;
  on_told = [&](bool full) {
    if (full) log.full = false;
  };
  crawl(disk, &log);
  EXPECT_EQ(disk.urls, expected);
  EXPECT_EQ(log.urls, expected);
  expect_told_once("the disk is full");
}

TEST_F(DiskFull, StopEndsTheWait) {
  make_robot();
  add(5);
  Disk disk;
  disk.full = true;
  options.disk_full_wait = std::chrono::hours(1);
  crawl(disk, nullptr, [&](Crawl& crawl) {
    while (disk.tries == 0) std::this_thread::yield();
    crawl.stop();
  });
  EXPECT_EQ(queue->counts().value().pending, 5U);
  EXPECT_EQ(disk.urls, std::vector<std::string>{});
}

TEST_F(DiskFull, TheWaitIsToldAgainAndCounted) {
  make_robot();
  add(2);
  Disk disk;
  disk.full = true;
  options.disk_full_reminder = milliseconds(0);
  crawl(disk, nullptr, [&](Crawl&) {
    while (disk.tries < 4) std::this_thread::yield();
    disk.full = false;
  });
  const std::lock_guard lock(mutex);
  ASSERT_GE(told.size(), 4U) << ::testing::PrintToString(told);
  EXPECT_EQ(told.back(), "");
  told.pop_back();
  for (const auto& sentence : told) EXPECT_EQ(sentence, "the disk is full; the crawl waits until there is room");
}

TEST_F(DiskFull, AMetricTellsOfTheWait) {
  make_robot();
  add(1);
  Disk disk;
  disk.full = true;
  options.disk_full_wait = std::chrono::hours(1);
  std::atomic<bool> is_told = false;
  on_told = [&](bool) { is_told = true; };
  const auto waiting = [](const Crawl& crawl) {
    for (const auto& family : cli::crawl_metrics(crawl)) {
      if (family.name == "robotrules_waiting_for_disk") return family.metric.at(0).gauge.value;
    }
    return -1.0;
  };
  crawl(disk, nullptr, [&](Crawl& crawl) {
    while (!is_told) std::this_thread::yield();
    EXPECT_EQ(waiting(crawl), 1);
    crawl.stop();
    EXPECT_EQ(waiting(crawl), 0);
  });
}

// A folder in memory of eight megabytes that this thread, and all threads and processes that it starts, see. It goes
// with them.
class SmallDisk : public DiskFull {
 protected:
  void SetUp() override {
    if (::unshare(CLONE_NEWNS) != 0 || ::mount("", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mkdir(disk.c_str(), 0700) != 0 || ::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=8m,mode=700") != 0) {
      GTEST_SKIP() << "only root can mount a disk";
    }
  }
  void fill() const {
    const int file = ::open(ballast.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    ASSERT_GE(file, 0);
    for (std::size_t size = 65'536; size > 0; size /= 2) {
      while (::write(file, std::string(size, 'x').data(), size) > 0) {
      }
    }
    ::close(file);
  }
  void make_room() const { std::filesystem::remove(ballast); }
  void make_room_when_told() {
    on_told = [this](bool full) {
      if (full) make_room();
    };
  }
  std::vector<std::string> sorted(std::vector<std::string> urls) const {
    std::sort(urls.begin(), urls.end());
    return urls;
  }

  const std::string disk = in_folder("disk");
  const std::string ballast = disk + "/ballast";
};

struct Kind {
  const char* name;
  Packing packing;
};

class SmallDiskOutput : public SmallDisk, public ::testing::WithParamInterface<Kind> {};

TEST_P(SmallDiskOutput, IsCutBackAndThenComplete) {
  page("/*", [](const SeenRequest& request) -> Answer {  // does not compress
    std::string body = request.target;
    unsigned state = 1;
    while (body.size() < 300'000) body += static_cast<char>((state = state * 1'664'525 + 1'013'904'223) >> 24);
    return reply(body, "application/octet-stream");
  });
  make_robot();
  add(5);
  const std::string path = disk + "/" + GetParam().name;
  const auto output = open_output(path).value();
  const auto log = open_log(disk + "/log").value();
  fill();
  make_room_when_told();
  crawl(*output, log.get());
  expect_told_once(disk);
  EXPECT_EQ(pages_in(path, GetParam().packing).pages, expected);
  EXPECT_EQ(pages_in(path, GetParam().packing).responses, expected);
  EXPECT_EQ(json_lines(disk + "/log").size(), expected.size());
  EXPECT_EQ(asked().size(), expected.size());
}

INSTANTIATE_TEST_SUITE_P(Packings, SmallDiskOutput,
                         ::testing::Values(Kind{"a.warc", Packing::none}, Kind{"a.warc.gz", Packing::gzip},
                                           Kind{"a.warc.zst", Packing::zstd}),
                         [](const auto& info) {
                           return std::string(info.index == 0 ? "plain" : info.index == 1 ? "gzip" : "zstd");
                         });

TEST_F(SmallDisk, ALogIsCutBackAndThenComplete) {
  make_robot();
  add(5);
  const auto output = open_output(in_folder("a.warc")).value();
  const auto log = open_log(disk + "/log").value();
  fill();
  make_room_when_told();
  crawl(*output, log.get());
  expect_told_once(disk + "/log cannot be written: No space left on device");
  EXPECT_EQ(pages_in(in_folder("a.warc"), Packing::none).pages, expected);
  EXPECT_EQ(json_lines(disk + "/log").size(), expected.size());
}

TEST_F(SmallDisk, ATreeHasNoPartOfAFile) {
  page("/*", reply(std::string(300'000, 'x')));
  make_robot();
  add(5);
  const auto output = open_output(disk + "/tree/").value();
  fill();
  make_room_when_told();
  crawl(*output, nullptr);
  expect_told_once(disk + "/tree");
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(disk + "/tree")) {
    if (!entry.is_regular_file()) continue;
    ++files;
    EXPECT_EQ(entry.file_size(), 300'000U) << entry.path();
  }
  EXPECT_EQ(files, expected.size());
}

TEST_F(SmallDisk, BodiesInAFileAreTakenBack) {
  page("/*", reply(std::string(300'000, 'x')));
  make_robot();
  add(3);
  const int file = ::open((disk + "/bodies").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const auto output = archive::bodies_to(file);
  fill();
  make_room_when_told();
  crawl(*output, nullptr);
  ::close(file);
  expect_told_once("standard output");
  EXPECT_TRUE(contents(disk + "/bodies") == std::string(900'000, 'x'));
}

TEST_F(SmallDisk, ALongBodyIsFetchedAgain) {
  spool_folder = disk;
  page("/1", reply(std::string(3'000'000, 'x')));
  make_robot();
  add(1);
  const auto output = open_output(in_folder("a.warc")).value();
  fill();
  make_room_when_told();
  crawl(*output, nullptr);
  expect_told_once("the temporary file for a body in " + disk + " cannot be");
  EXPECT_EQ(pages_in(in_folder("a.warc"), Packing::none).pages, expected);
  EXPECT_EQ(asked().size(), 2U);
}

// A body for which an empty disk has no room.
class LongBody : public SmallDisk {
 protected:
  LongBody() { page("/long", reply(std::string(12'000'000, 'x'))); }
};

TEST_F(LongBody, OnlyItsUrlWaitsAndFailsAfterTheLastTry) {
  spool_folder = disk;
  make_robot();
  std::vector<QueuedUrl> urls{{url("/long")}};
  ASSERT_TRUE(queue->add(urls).ok());
  add(40);
  std::vector<SiteFailure> failures;
  options.on_site_failure = [&](const SiteFailure& failure) { failures.push_back(failure); };
  std::optional<NextTry> waits_for;
  options.disk_full_wait = std::chrono::hours(1);
  const auto output = open_output(in_folder("a.warc")).value();
  crawl(*output, nullptr, [&](Crawl& crawl) {
    while (crawl.counts().done < expected.size()) std::this_thread::yield();
    EXPECT_FALSE(crawl.counts().disk_full);
    waits_for = crawl.next_try();
    crawl.stop();
  });
  ASSERT_TRUE(waits_for.has_value());
  EXPECT_EQ(waits_for->url, url("/long"));
  EXPECT_EQ(times("/long"), 1U);
  EXPECT_EQ(told, std::vector<std::string>{}) << "the crawl does not wait";
  ASSERT_EQ(failures.size(), 1U);
  EXPECT_EQ(failures[0].why, "disk-too-small");
  EXPECT_FALSE(failures[0].is_final);
  EXPECT_TRUE(failures[0].next_try_in.has_value());
  EXPECT_NE(failures[0].sentence.find("no room for the body of " + url("/long")), std::string::npos)
      << failures[0].sentence;

  options.disk_full_wait = milliseconds(1);
  crawl(*output, nullptr);
  EXPECT_EQ(times("/long"), 1U + options.max_tries);
  EXPECT_EQ(queue->counts().value().failed, 1U);
  EXPECT_EQ(queue->find("GET", url("/long")).value()->result->why, "disk-too-small");
}

TEST_F(LongBody, BodiesThatFitOneByOneAreTriedOneByOne) {
  spool_folder = disk;
  page("/*", reply(std::string(6'000'000, 'x')));
  make_robot();
  std::vector<QueuedUrl> urls;
  for (const char* site : {"a", "b", "c", "d"}) urls.push_back({url("/x", site)});
  ASSERT_TRUE(queue->add(urls).ok());
  options.disk_full_wait = milliseconds(200);
  const auto output = open_output(in_folder("a.warc")).value();
  crawl(*output, nullptr);
  EXPECT_EQ(queue->counts().value().done, urls.size());
}

TEST_F(LongBody, ItFailsIfOnlyTheOutputHasNoRoomForIt) {
  page("/long", reply(std::string(12'000'000, 'x')));
  spool_folder = folder.path();
  make_robot();
  std::vector<QueuedUrl> urls{{url("/long")}};
  ASSERT_TRUE(queue->add(urls).ok());
  add(5);
  const auto output = open_output(disk + "/a.warc").value();
  crawl(*output, nullptr);
  EXPECT_EQ(queue->counts().value().done, expected.size());
  EXPECT_EQ(queue->find("GET", url("/long")).value()->result->why, "disk-too-small");
  EXPECT_EQ(pages_in(disk + "/a.warc", Packing::none).responses, expected);
  EXPECT_EQ(times("/long"), 1U);
}

TEST_F(LongBody, TheCommandSaysWhyAndWhatToDo) {
  const Ran ran = get({url("/1"), url("/long"), url("/2"), "--output", disk + "/a.warc", "--tries", "1"});
  EXPECT_EQ(ran.status, 3) << ran.err;
  EXPECT_NE(ran.err.find("no room for the body of " + url("/long") + ": the temporary file for a body in " + disk),
            std::string::npos)
      << ran.err;
  EXPECT_NE(ran.err.find("; free some space, or cut long bodies with a smaller --max-size"), std::string::npos)
      << ran.err;
  EXPECT_NE(ran.err.find("1 disk-too-small"), std::string::npos) << ran.err;
  EXPECT_EQ(times("/2"), 1U);
}

TEST_F(SmallDisk, ADatabaseGetsTheResultsLater) {
  make_robot(disk + "/c.db");
  add(300);
  options.output_path = in_folder("a.warc");
  const auto output = open_output(options.output_path).value();
  fill();
  make_room_when_told();
  crawl(*output, nullptr);
  EXPECT_EQ(queue->counts().value().done, expected.size());
  EXPECT_EQ(sorted(pages_in(options.output_path, Packing::none).pages), sorted(expected));
  queue.reset();
  robot.reset();
  EXPECT_EQ(run({"db", disk + "/c.db", "check"}).status, 0);
  ASSERT_FALSE(told.empty());
  EXPECT_NE(told[0].find("the disk is full"), std::string::npos) << told[0];
}

// A page cannot be requested if the store has no room for its visit. That has nothing to do with its URL.
TEST_F(SmallDisk, AStoreWithoutRoomIsNotBlamedOnAURL) {
  make_robot(disk + "/c.db");
  queue = open_url_queue("").value();
  add(600);
  Disk pages;
  fill();
  make_room_when_told();
  crawl(pages, nullptr);
  EXPECT_EQ(queue->counts().value().done, expected.size());
  expect_told_once("The store " + disk + "/c.db");
  EXPECT_TRUE(told[0].starts_with("The store ")) << told[0];
}

// The next run of the same command finds the pages that are in the output and not in the queue.
TEST_F(SmallDisk, TheCommandSaysSoAndASignalEndsTheWait) {
  page("/2", reply(std::string(300'000, 'x')));
  const Words words = line({url("/1"), url("/2"), url("/3"), "--output", disk + "/a.warc", "--log", disk + "/log",
                            "--db", in_folder("c.db")});
  fill();
  Running process(words);
  process.read_err_until("cannot be written: No space left on device; the crawl waits until there is room");
  process.signal(SIGTERM);
  const Ran ran = process.finish();
  EXPECT_EQ(ran.status, 128 + SIGTERM) << ran.err;
  make_room();
  EXPECT_EQ(run(words).status, 0);
  EXPECT_EQ(sorted(pages_in(disk + "/a.warc", Packing::none).pages), (sorted({url("/1"), url("/2"), url("/3")})));
  EXPECT_EQ(json_lines(disk + "/log").size(), 3U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
