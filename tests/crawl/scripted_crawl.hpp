// A crawl whose robot, network and clock are scripted: hours pass in no time.
//
//   RobotRig rig;
//   rig.site("http://a.test", "");
//   ScriptedCrawl crawl(rig, {"http://a.test/1", "http://a.test/2"});
//   crawl.run();
//   EXPECT_EQ(crawl.counts().done, 2U);
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <robotrules/crawl.hpp>

#include "support/agent/robot_rig.hpp"

namespace robotrules::test {

// Keeps what is written.
class PageList final : public PageOutput {
 public:
  struct Line {
    std::string url;
    std::string reason;  // FetchedPage::reason(); empty: a page of the server
    unsigned tries;
    int code;
    std::string warning;
  };
  Result<void> write(const FetchedPage& page) override;
  Result<void> flush() override { return {}; }
  std::uint64_t position() const noexcept override { return lines_.size(); }
  PageNeeds needs() const noexcept override { return {}; }
  const std::vector<Line>& lines() const noexcept { return lines_; }
  // The line of a URL; throws where there is not exactly one.
  const Line& of(const std::string& url) const;

 private:
  std::vector<Line> lines_;
};

class ScriptedCrawl {
 public:
  ScriptedCrawl(RobotRig& rig, const std::vector<std::string>& urls, CrawlOptions options = {});
  // Over a queue that exists.
  ScriptedCrawl(RobotRig& rig, UrlQueue& queue, CrawlOptions options = {});

  // Time passes until the crawl has ended, or for `most`. Returns true if it has ended.
  bool run(std::chrono::microseconds most = std::chrono::hours(24 * 30));
  void stop() { crawl_->stop(); }

  CrawlCounts counts() const { return crawl_->counts(); }
  std::optional<NextTry> next_try() const { return crawl_->next_try(); }
  QueueCounts urls() const { return queue_->counts().value(); }
  const PageList& pages() const noexcept { return pages_; }
  const std::vector<SiteFailure>& failures() const noexcept { return failures_; }
  // What on_network_failed got.
  const std::vector<std::string>& network() const noexcept { return network_; }

 private:
  ScriptedCrawl(RobotRig& rig, std::unique_ptr<UrlQueue> owned, UrlQueue* queue, CrawlOptions options);

  RobotRig& rig_;
  std::unique_ptr<UrlQueue> owned_;
  UrlQueue* queue_;
  PageList pages_;
  std::vector<SiteFailure> failures_;
  std::vector<std::string> network_;
  std::unique_ptr<Crawl> crawl_;
};

std::unique_ptr<UrlQueue> queue_of(const std::vector<std::string>& urls);
// "http://a.test/0", "http://a.test/1" ...
std::vector<std::string> urls_of(const std::string& origin, int count);

}  // namespace robotrules::test
