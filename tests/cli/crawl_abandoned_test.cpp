// A crawl in which something throws: it ends with a sentence, in every thread and at every step, and the next run does
// what is left. Nothing is lost.
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <new>
#include <set>
#include <string>
#include <system_error>

#include <robotrules/open_store.hpp>

#include "cli/batch/pipeline.hpp"
#include "cli/crawl_rig.hpp"
#include "support/queue_decorator.hpp"
#include "support/sanitized.hpp"

namespace {

std::atomic<int> threads_left{-1};  // those that may still start; negative: any number

}  // namespace

// Replaces the function for this program: std::thread calls it. A sanitizer has one of its own.
#ifndef ROBOTRULES_TEST_SANITIZED
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*),
                              void* argument) {
  using Function = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "pthread_create"));
  if (threads_left >= 0 && threads_left-- <= 0) return EAGAIN;
  return next(thread, attributes, work, argument);
}
#endif

namespace robotrules::test::THIS_FILE {
namespace {

// Throws at one of its calls.
class Fuse {
 public:
  explicit Fuse(int blows_at) : left_(blows_at) {}
  void burn() {
    if (--left_ != 0) return;
    has_blown_ = true;
    throw std::bad_alloc();
  }
  void remove() { left_ = 0; }
  bool has_blown() const noexcept { return has_blown_; }

 private:
  std::atomic<int> left_;
  std::atomic<bool> has_blown_{false};
};

class FusedQueue final : public QueueDecorator {
 public:
  FusedQueue(UrlQueue& queue, Fuse& fuse) : QueueDecorator(queue), fuse_(fuse) {}
  Result<QueueClaim> claim() override {
    return burned([&] { return queue_.claim(); });
  }
  Result<std::vector<QueueSite>> claim_sites(const QueueClaim& claim, std::size_t count) override {
    return burned([&] { return queue_.claim_sites(claim, count); });
  }
  Result<std::vector<QueueItem>> take(const QueueClaim& claim, std::int64_t site, std::optional<QueuePlace> after,
                                      std::size_t count) override {
    return burned([&] { return queue_.take(claim, site, after, count); });
  }
  using QueueDecorator::settle;
  Result<void> settle(const QueueClaim& claim, std::span<const FinishedUrl> settled,
                      const std::optional<OutputPosition>& output, std::span<const QueuedUrl> links) override {
    return burned([&] { return queue_.settle(claim, settled, output, links); });
  }
  Result<void> release(const QueueClaim& claim, std::span<const std::int64_t> sites) override {
    return burned([&] { return queue_.release(claim, sites); });
  }

 private:
  template <class Call>
  auto burned(Call call) -> decltype(call()) {
    fuse_.burn();
    return call();
  }
  Fuse& fuse_;
};

class FusedOutput final : public PageOutput {
 public:
  explicit FusedOutput(Fuse& fuse) : fuse_(fuse) {}
  Result<void> write(const FetchedPage& page) override {
    fuse_.burn();
    urls_.emplace(page.url);
    return {};
  }
  Result<void> flush() override {
    fuse_.burn();
    return {};
  }
  std::uint64_t position() const noexcept override { return urls_.size(); }
  PageNeeds needs() const noexcept override { return {}; }
  const std::set<std::string>& urls() const noexcept { return urls_; }

 private:
  Fuse& fuse_;
  std::set<std::string> urls_;
};

class CrawlAbandoned : public CrawlRig {
 protected:
  static constexpr std::array<const char*, 3> sites{"a", "b", "c"};

  std::set<std::string> all_urls() const {
    std::set<std::string> all;
    for (const char* site : sites) {
      for (const char* path : {"/1", "/2", "/3"}) all.insert(url(path, site));
    }
    return all;
  }
  std::unique_ptr<UrlQueue> filled_queue() const {
    auto queue = open_url_queue("").value();
    std::vector<QueuedUrl> urls;
    for (const std::string& one : all_urls()) urls.push_back({one});
    EXPECT_TRUE(queue->add(urls).ok());
    return queue;
  }
  static Result<void> crawl(RobotUA& robot, UrlQueue& queue, PageOutput& output) {
    Crawl crawl(robot, queue, output, {.output_path = "/nowhere/pages"});
    crawl.urls_added(false);
    wait(crawl);
    return crawl.result();
  }
};

TEST_F(CrawlAbandoned, EndsAtEveryCallOfQueueAndOutputThatThrowsAndTheNextRunDoesTheRest) {
  RobotUA robot = make_robot();
  int ends = 0;
  for (int call = 1;; ++call) {
    const auto queue = filled_queue();
    Fuse fuse(call);
    FusedQueue fused(*queue, fuse);
    FusedOutput output(fuse);
    const Result<void> ended = crawl(robot, fused, output);
    if (!fuse.has_blown()) {
      EXPECT_TRUE(ended.ok());
      break;
    }
    ++ends;
    ASSERT_FALSE(ended.ok()) << call;
    EXPECT_EQ(ended.error().code, "out-of-memory") << call;
    EXPECT_FALSE(ended.error().message.empty()) << call;
    EXPECT_TRUE(crawl(robot, *queue, output).ok()) << call;
    EXPECT_EQ(queue->counts()->done, 9U) << call;
    EXPECT_EQ(output.urls(), all_urls()) << call;
  }
  EXPECT_GT(ends, 12);  // three sites are claimed, read and released, nine pages are written and settled
}

TEST_F(CrawlAbandoned, StopsThoughACallThrowsWhileItEnds) {
  RobotUA robot = make_robot();
  for (int call = 1; call <= 20; ++call) {
    const auto queue = filled_queue();
    Fuse fuse(call);
    FusedQueue fused(*queue, fuse);
    FusedOutput output(fuse);
    {
      Crawl stopped(robot, fused, output, {.output_path = "/nowhere/pages"});
      stopped.stop();
      wait(stopped);
    }
    fuse.remove();
    EXPECT_TRUE(crawl(robot, *queue, output).ok()) << call;
    EXPECT_EQ(output.urls(), all_urls()) << call;
  }
}

TEST_F(CrawlAbandoned, CannotBeginWithoutAThreadAndLeavesTheRobotAsItWas) {
  if (test::sanitized) GTEST_SKIP() << "the sanitizer has its own pthread_create()";
  RobotUA robot = make_robot();
  const auto queue = filled_queue();
  Fuse none(0);
  FusedOutput output(none);
  threads_left = 0;
  EXPECT_THROW(Crawl(robot, *queue, output), std::system_error);
  threads_left = -1;
  EXPECT_TRUE(crawl(robot, *queue, output).ok());
  EXPECT_EQ(output.urls(), all_urls());
}

TEST(BatchThreads, OneIsEnough) {
  if (test::sanitized) GTEST_SKIP() << "the sanitizer has its own pthread_create()";
  std::array<int, 2> in{}, out{};
  ASSERT_EQ(pipe(in.data()), 0);
  ASSERT_EQ(pipe(out.data()), 0);
  const std::string question = "{\"url\":\"/a\",\"robots\":\"User-agent: *\\nDisallow: /\"}\n";
  ASSERT_EQ(write(in[1], question.data(), question.size()), static_cast<ssize_t>(question.size()));
  close(in[1]);
  const cli::BatchDefaults defaults{.agent = "FooBot", .header = "FooBot", .dialect = &Dialect::rfc9309()};
  cli::Library library(cli::Library::Names::none, {}, std::size_t{1} << 20);
  cli::Pipeline pipeline(defaults, library, 4);
  threads_left = 1;
  const auto outcome = pipeline.run(in[0], out[1]);
  threads_left = -1;
  close(out[1]);
  close(in[0]);
  std::string answer(4'096, '\0');
  answer.resize(static_cast<std::size_t>(std::max<ssize_t>(read(out[0], answer.data(), answer.size()), 0)));
  close(out[0]);
  EXPECT_EQ(outcome.lines, 1U);
  EXPECT_NE(answer.find("\"disallowed\""), std::string::npos) << answer;
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
