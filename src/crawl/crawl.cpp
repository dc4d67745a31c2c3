#include <robotrules/crawl.hpp>

#include <utility>

#include "crawl/crawl_loop.hpp"

namespace robotrules {

Crawl::Crawl(RobotUA& robot, UrlQueue& queue, PageOutput& output, PageOutput* log, CrawlOptions options)
    : loop_(std::make_unique<crawl::CrawlLoop>(robot, queue, output, log, std::move(options))) {}
Crawl::Crawl(RobotUA& robot, UrlQueue& queue, PageOutput& output, CrawlOptions options)
    : Crawl(robot, queue, output, nullptr, std::move(options)) {}
Crawl::~Crawl() = default;

void Crawl::urls_added(bool more_will_come) { loop_->urls_added(more_will_come); }
Result<void> Crawl::settle(std::uint64_t page, std::span<const QueuedUrl> links) { return loop_->settle(page, links); }
void Crawl::stop() { loop_->stop(); }
void Crawl::cancel() { loop_->cancel(); }
void Crawl::reopen_log() { loop_->reopen_log(); }
bool Crawl::wait_for(std::chrono::milliseconds time) { return loop_->wait_for(time); }
std::optional<std::chrono::steady_clock::time_point> Crawl::next_work() { return loop_->next_work(); }
Result<void> Crawl::result() const { return loop_->result(); }
CrawlCounts Crawl::counts() const { return loop_->counts(); }
FailureCounts Crawl::failures() const { return loop_->failures(); }
std::optional<NextTry> Crawl::next_try() const { return loop_->next_try(); }
std::chrono::milliseconds Crawl::slowest() const { return loop_->slowest(); }
std::vector<SiteCounts> Crawl::busiest(std::size_t count) const { return loop_->busiest(count); }
std::vector<SiteCounts> Crawl::most_delayed(std::size_t count) const { return loop_->most_delayed(count); }

}  // namespace robotrules
