// A program that follows links, and is killed: in the end it has found every page of the sites.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cli/crawl_rig.hpp"
#include "support/folder.hpp"

namespace robotrules::test {
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

enum class Step : std::uint8_t { before_write, written, page_begun, links_added, settling, settled };

// Kills the process when it reaches the step for the nth time.
struct Killer {
  Step step = Step::before_write;
  int left = 0;  // 0: never
  void reach(Step now) {
    if (now == step && left > 0 && --left == 0) ::kill(::getpid(), SIGKILL);
  }
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
};

class FollowsLinks : public ::testing::TestWithParam<Kind> {
 protected:
  struct Paths {
    std::string database;
    std::string output;
    std::string log;
    std::string seen;  // a line for each call of on_page that returned
  };
  static Paths paths_in(const TemporaryFolder& folder) {
    const std::string root = folder.path() + "/";
    return {root + "crawl.db", GetParam().output == "-" ? "-" : root + GetParam().output, root + "log", root + "seen"};
  }

  // Does one run in this process, which has no other thread. Returns its exit status.
  static int run(const Paths& paths, Killer killer) {
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
      return HandlerAnswer{.go_on = true, .response = page, .request = {}};
    });
    auto queue = open_url_queue(paths.database);
    if (!queue || !queue.value()->claim()) return 5;
    const auto resumed =
        resume(*queue.value(), paths.output, paths.log, GetParam().options, UnsettledPages::fetch_again);
    if (!resumed) return 6;
    auto opened = open_output(paths.output, GetParam().options);
    auto log = open_log(paths.log);
    if (!opened || !log || !queue.value()->add({{url_of(0)}})) return 7;
    SeenOutput output(std::move(opened).value(), killer);
    CrawlOptions options{.output_path = paths.output, .log_path = paths.log};
    std::ofstream seen(paths.seen, std::ios::app);
    options.on_page = [&](const FetchedPage& page) {
      killer.reach(Step::page_begun);
      if (!page.add(links_of_page(page.url))) throw std::runtime_error("refused");
      seen << page.url << std::endl;
      killer.reach(Step::links_added);
    };
    Crawl crawl(robot.value(), *queue.value(), output, log.value().get(), options);
    crawl.urls_added(false);
    while (!crawl.wait_for(std::chrono::seconds(1))) {
    }
    return crawl.result() ? 0 : 8;
  }

  // Returns true if the run was killed.
  static bool run_in_child(const Paths& paths, Killer killer) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(run(paths, killer));
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
  }
};

TEST_P(FollowsLinks, FindsEveryPageHoweverOftenItIsKilledAtAnyStep) {
  const int kills_wanted = std::getenv("ROBOTRULES_SOAK") == nullptr ? 4 : 100;
  constexpr int kills_per_crawl = 4;
  std::mt19937 random(7);
  const bool is_one_file = GetParam().output != "-" && !GetParam().output.ends_with('/');
  std::map<Step, int> kills;
  for (const Step step :
       {Step::before_write, Step::written, Step::page_begun, Step::links_added, Step::settling, Step::settled}) {
    if (!is_one_file && step >= Step::settling) continue;  // such an output is not synced
    while (kills[step] < kills_wanted && !HasFailure()) {
      const TemporaryFolder folder;
      const Paths paths = paths_in(folder);
      for (int kill = 0; kill < kills_per_crawl; ++kill) {
        const int most = step >= Step::settling ? 2 : pages / 2;
        if (run_in_child(paths, {step, 1 + static_cast<int>(random() % static_cast<unsigned>(most))})) ++kills[step];
      }
      EXPECT_FALSE(run_in_child(paths, {}));
      expect_all_found(paths);
    }
  }
  for (const auto& [step, number] : kills) RecordProperty("kills_" + std::to_string(static_cast<int>(step)), number);
}

INSTANTIATE_TEST_SUITE_P(Outputs, FollowsLinks,
                         ::testing::Values(Kind{"Warc", "pages.warc.gz"},
                                           Kind{"WarcParts", "parts.warc.gz", {.max_file_size = 4'000}},
                                           Kind{"Ndjson", "pages.ndjson"},
                                           Kind{"NdjsonWithoutBodies", "bare.ndjson", {.bodies = false}},
                                           Kind{"Tree", "tree/"}, Kind{"StandardOutput", "-"}),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace robotrules::test
