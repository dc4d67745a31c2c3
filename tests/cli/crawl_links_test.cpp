// A program that follows links, and is killed: in the end it has found every page of the sites.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <robotrules/open_store.hpp>

#include "archive/recover.hpp"
#include "cli/crawl_rig.hpp"
#include "support/folder.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

constexpr int pages = 40;
constexpr int sites = 3;

// Page N links to 2N+1 and 2N+2, on another site, and to page 0.
std::string url_of(int page) { return "http://s" + std::to_string(page % sites) + ".test/" + std::to_string(page); }

std::vector<QueuedUrl> links_of_page(std::string_view url) {
  const int page = std::stoi(std::string(url.substr(url.rfind('/') + 1)));
  std::vector<QueuedUrl> links{{url_of(0)}};
  for (const int next : {2 * page + 1, 2 * page + 2}) {
    if (next < pages) links.push_back({url_of(next)});
  }
  return links;
}

std::set<std::string> all_pages() {
  std::set<std::string> all;
  for (int page = 0; page < pages; ++page) all.insert(url_of(page));
  return all;
}

// `parsing`: another thread has the page.
enum class Step : std::uint8_t { before_write, written, page_begun, parsing, links_added, settling, settled };

// Kills the process when it reaches the step for the nth time.
class Killer {
 public:
  Killer(Step step, int left) : step_(step), left_(left) {}
  void reach(Step now) {
    if (now == step_ && --left_ == 0) ::kill(::getpid(), SIGKILL);
  }

 private:
  const Step step_;
  std::atomic<int> left_;  // 0: never
};

// Parses pages on a thread of its own.
class Parser {
 public:
  using Parse = std::function<void(std::uint64_t id, const std::string& url)>;
  explicit Parser(Parse parse) : parse_(std::move(parse)) {}
  ~Parser() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }
  void take(std::uint64_t id, std::string url) {
    {
      const std::lock_guard lock(mutex_);
      pages_.emplace_back(id, std::move(url));
    }
    changed_.notify_one();
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return ended_ || !pages_.empty(); });
      if (pages_.empty()) return;
      const auto [id, url] = std::move(pages_.front());
      pages_.pop_front();
      lock.unlock();
      parse_(id, url);
      lock.lock();
    }
  }

  Parse parse_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::pair<std::uint64_t, std::string>> pages_;
  bool ended_ = false;
  std::thread thread_{[this] { work(); }};
};

// An output whose steps are seen. The crawl settles pages directly after flush(), so the next write finds them settled.
class SeenOutput final : public PageOutput {
 public:
  SeenOutput(std::unique_ptr<PageOutput> output, Killer& killer) : output_(std::move(output)), killer_(killer) {}
  Result<void> write(const FetchedPage& page) override {
    killer_.reach(Step::before_write);
    if (std::exchange(has_settled_, false)) killer_.reach(Step::settled);
    auto done = output_->write(page);
    killer_.reach(Step::written);
    return done;
  }
  Result<void> flush() override {
    auto done = output_->flush();
    killer_.reach(Step::settling);
    has_settled_ = true;
    return done;
  }
  std::uint64_t position() const noexcept override { return output_->position(); }
  PageNeeds needs() const noexcept override { return output_->needs(); }
  std::string_view last_file() const noexcept override { return output_->last_file(); }

 private:
  std::unique_ptr<PageOutput> output_;
  Killer& killer_;
  bool has_settled_ = false;
};

struct Kind {
  std::string name;
  std::string output;  // in the folder, or "-"
  OutputOptions options{};
  bool gives_back = true;  // the body of a page
};

// `later`: another thread parses the pages, and settles them.
class FollowsLinks : public ::testing::TestWithParam<std::tuple<Kind, bool>> {
 protected:
  static const Kind& kind() { return std::get<0>(GetParam()); }
  static bool later() { return std::get<1>(GetParam()); }
  struct Paths {
    std::string database;
    std::string output;
    std::string log;
    std::string seen;  // a line for each call of on_page that returned
  };
  static Paths paths_in(const TemporaryFolder& folder) {
    const std::string root = folder.path() + "/";
    return {root + "crawl.db", kind().output == "-" ? "-" : root + kind().output, root + "log", root + "seen"};
  }

  // Does one run in this process, which has no other thread. Returns its exit status.
  static int run(const Paths& paths, Killer& killer) {
    const int null = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (null < 0 || ::dup2(null, STDOUT_FILENO) < 0) return 2;
    auto rules = std::make_shared<RobotRules>("TestBot");
    for (int site = 0; site < sites; ++site) {
      const std::string robots = "http://s" + std::to_string(site) + ".test/robots.txt";
      if (!rules->parse(robots, "User-agent: *\nDisallow:\n")) return 3;
    }
    auto robot = RobotUA::make("TestBot/1.0", "me@example.org", rules);
    if (!robot) return 4;
    robot.value().delay(std::chrono::milliseconds(0));
    robot.value().add_handler(Phase::request_send, [](HandlerCall& call) {
      Response page;
      page.code = 200;
      page.headers.set("Content-Type", "text/plain");
      page.body = call.request->url;
      page.body_size = page.body.size();
      Recording recording;
      recording.request_head =
          "GET /" + call.request->url.substr(call.request->url.rfind('/') + 1) + " HTTP/1.1\r\n\r\n";
      recording.response_head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n";
      recording.body_is_plain = true;
      page.recording = std::make_shared<const Recording>(recording);
      return HandlerAnswer{.go_on = true, .response = page, .request = {}};
    });
    auto queue = open_url_queue(paths.database);
    if (!queue || !queue.value()->claim()) return 5;
    std::ofstream seen(paths.seen, std::ios::app);
    const auto follow = [&](const FetchedPage& page) {
      killer.reach(Step::page_begun);
      if (page.response.body != page.url) throw std::runtime_error("another body");
      if (!page.add(links_of_page(page.url))) throw std::runtime_error("refused");
      seen << page.url << std::endl;
      killer.reach(Step::links_added);
    };
    if (!resume(*queue.value(), paths.output, paths.log, kind().options, follow)) return 6;
    auto opened = open_output(paths.output, kind().options);
    auto log = open_log(paths.log);
    if (!opened || !log || !queue.value()->add({{url_of(0)}})) return 7;
    SeenOutput output(std::move(opened).value(), killer);
    CrawlOptions options{.keep_body = true, .output_path = paths.output, .log_path = paths.log, .on_page = follow};
    std::atomic<Crawl*> running = nullptr;
    std::optional<Parser> parser;
    if (later()) {
      parser.emplace([&](std::uint64_t id, const std::string& url) {
        killer.reach(Step::parsing);
        running.wait(nullptr);
        seen << url << std::endl;
        if (!running.load()->settle(id, links_of_page(url))) std::abort();
        killer.reach(Step::links_added);
      });
      options.settle_later = true;
      options.max_unsettled = 5;
      options.on_page = [&](const FetchedPage& page) {
        killer.reach(Step::page_begun);
        parser->take(page.id, std::string(page.url));
      };
    }
    Crawl crawl(robot.value(), *queue.value(), output, log.value().get(), options);
    running = &crawl;
    running.notify_all();
    crawl.urls_added(false);
    while (!crawl.wait_for(std::chrono::seconds(1))) {
    }
    return crawl.result() ? 0 : 8;
  }

  // Returns true if the run was killed.
  static bool run_in_child(const Paths& paths, Step step, int nth) {
    const pid_t child = ::fork();
    if (child == 0) {
      Killer killer(step, nth);
      ::_exit(run(paths, killer));
    }
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) return true;
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    return false;
  }

  static std::set<std::string> lines_of(const std::string& path) {
    std::ifstream file(path);
    std::set<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.insert(line);
    return lines;
  }

  static void expect_all_found(const Paths& paths) {
    auto queue = open_url_queue(paths.database).value();
    std::set<std::string> done;
    ASSERT_TRUE(queue->for_each(UrlState::done, [&](const QueueItem& item) {
      done.insert(item.request.url);
      return true;
    }));
    EXPECT_EQ(done, all_pages());
    EXPECT_EQ(lines_of(paths.seen), all_pages()) << "on_page came for each";
    if (kind().gives_back) {
      EXPECT_EQ(pages_in(paths.output), pages) << "no page is fetched again that is in the file";
    }
  }
  static int pages_in(const std::string& output) {
    int number = 0;
    const auto count = [&number](const archive::RecoveredPage&) { ++number; };
    const OutputName what = read_output_name(output).value();
    const auto read = kind().options.max_file_size > 0
                          ? archive::recover_parts(output, what.packing, archive::PartPosition{}, count)
                          : archive::recover(output, what, 0, count);
    EXPECT_TRUE(read.ok());
    return number;
  }
};

TEST_P(FollowsLinks, FindsEveryPageHoweverOftenItIsKilledAtAnyStep) {
  const int kills_wanted = std::getenv("ROBOTRULES_SOAK") == nullptr ? 4 : 100;
  constexpr int kills_per_crawl = 4;
  std::mt19937 random(7);
  const bool is_one_file = kind().output != "-" && !kind().output.ends_with('/');
  std::map<Step, int> kills;
  for (const Step step : {Step::before_write, Step::written, Step::page_begun, Step::parsing, Step::links_added,
                          Step::settling, Step::settled}) {
    if (!is_one_file && step >= Step::settling) continue;  // such an output is not synced
    if (!later() && step == Step::parsing) continue;
    while (kills[step] < kills_wanted && !HasFailure()) {
      const TemporaryFolder folder;
      const Paths paths = paths_in(folder);
      for (int kill = 0; kill < kills_per_crawl; ++kill) {
        const int most = step >= Step::settling ? 2 : pages / 2;
        if (run_in_child(paths, step, 1 + static_cast<int>(random() % static_cast<unsigned>(most)))) ++kills[step];
      }
      EXPECT_FALSE(run_in_child(paths, step, 0));
      expect_all_found(paths);
    }
  }
  for (const auto& [step, number] : kills) RecordProperty("kills_" + std::to_string(static_cast<int>(step)), number);
}

INSTANTIATE_TEST_SUITE_P(
    Outputs, FollowsLinks,
    ::testing::Combine(::testing::Values(Kind{"Warc", "pages.warc.gz"},
                                         Kind{"WarcParts", "parts.warc.gz", {.max_file_size = 4'000}},
                                         Kind{"Ndjson", "pages.ndjson"},
                                         Kind{"NdjsonWithoutBodies", "bare.ndjson", {.bodies = false}, false},
                                         Kind{"Tree", "tree/", {}, false}, Kind{"StandardOutput", "-", {}, false}),
                       ::testing::Bool()),
    [](const auto& each) { return std::get<0>(each.param).name + (std::get<1>(each.param) ? "Later" : ""); });

}  // namespace
}  // namespace robotrules::test::THIS_FILE
