#include <robotrules/crawl_urls.hpp>
#include <robotrules/open_store.hpp>

#include <filesystem>
#include <system_error>
#include <utility>

namespace robotrules {
namespace {

Result<std::vector<QueuedUrl>> read_urls(const std::vector<std::string>& urls) {
  std::vector<QueuedUrl> read;
  read.reserve(urls.size());
  for (const std::string& text : urls) {
    auto url = read_url_line(text);
    if (!url) return url.error();
    read.push_back(std::move(url).value());
  }
  return read;
}

// Returns the name under which the queue keeps the position of the output; empty: it keeps none.
Result<std::string> kept_name(const std::string& output) {
  const auto kind = read_output_name(output);
  if (!kind) return kind.error();
  if (kind.value().kind == OutputKind::bodies) return std::string();
  std::error_code failed;
  const std::filesystem::path whole = std::filesystem::absolute(output, failed).lexically_normal();
  if (failed) return Error{"output-failed", "the folder of " + output + " is not known: " + failed.message()};
  return whole.string();
}

void describe(const RobotUA& robot, OutputOptions& output) {
  const UserAgentOptions http = robot.options();
  if (output.agent.empty()) output.agent = http.agent;
  if (output.from.empty()) output.from = http.from;
  if (output.policy.empty()) output.policy = robot.policy().name;
}

}  // namespace

Result<CrawlCounts> crawl_urls(RobotUA& robot, const std::vector<std::string>& urls, const std::string& output,
                               CrawlUrlsOptions options) {
  const auto read = read_urls(urls);
  if (!read) return read.error();
  auto path = kept_name(output);
  if (!path) return path.error();
  describe(robot, options.output);

  const auto queue = open_url_queue(options.queue, options.job);
  if (!queue) return queue.error();
  if (auto claimed = queue.value()->claim(); !claimed) return claimed.error();
  const auto& on_page = options.crawl.on_page;
  if (auto resumed = resume(*queue.value(), path.value(), {}, options.output, on_page); !resumed)
    return resumed.error();
  const auto opened = open_output(output, options.output);
  if (!opened) return opened.error();
  if (auto added = queue.value()->add(read.value()); !added) return added.error();

  options.crawl.output_path = std::move(path).value();
  options.crawl.log_path.clear();
  options.crawl.settle_later = false;
  const auto tell = [&](const CrawlCounts& counts) { return !options.on_progress || options.on_progress(counts); };
  Crawl crawl(robot, *queue.value(), *opened.value(), std::move(options.crawl));
  crawl.urls_added(false);
  do {
    if (!tell(crawl.counts())) crawl.stop();
  } while (!crawl.wait_for(options.progress_interval));
  if (auto ended = crawl.result(); !ended) return ended.error();
  if (auto written = opened.value()->flush(); !written) return written.error();
  const CrawlCounts counts = crawl.counts();
  tell(counts);
  return counts;
}

}  // namespace robotrules
