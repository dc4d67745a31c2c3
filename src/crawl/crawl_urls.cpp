#include <robotrules/crawl_urls.hpp>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/escape.hpp"

namespace robotrules {
namespace {

Result<std::vector<QueuedUrl>> read_urls(const std::vector<std::string>& lines) {
  std::vector<QueuedUrl> urls;
  urls.reserve(lines.size());
  for (const std::string& line : lines) {
    auto url = read_url_line(line);
    if (!url) return Error{url.error().code, "\"" + base::excerpt(line) + "\": " + url.error().message};
    urls.push_back(std::move(url).value());
  }
  return urls;
}

// Returns the path under which the queue keeps the position of the output, whatever the working folder is. Empty for a
// stream of bodies, which has no position.
Result<std::string> path_of(const std::string& output) {
  const auto name = read_output_name(output);
  if (!name) return name.error();
  if (name->kind == OutputKind::bodies) return std::string();
  std::error_code failed;
  const auto path = std::filesystem::absolute(output, failed).lexically_normal();
  return failed ? output : path.string();
}

OutputOptions described(OutputOptions options, const RobotUA& robot) {
  if (options.agent.empty()) options.agent = robot.agent();
  if (options.from.empty()) options.from = robot.options().from;
  if (options.policy.empty()) options.policy = robot.policy().name;
  return options;
}

}  // namespace

Result<CrawlCounts> crawl_urls(RobotUA& robot, const std::vector<std::string>& urls, const std::string& output,
                               CrawlUrlsOptions options) {
  const auto read = read_urls(urls);
  if (!read) return read.error();
  if (const auto checked = check_page_headers(options.crawl.headers); !checked) return checked.error();
  auto path = path_of(output);
  if (!path) return path.error();
  options.crawl.output_path = std::move(path).value();
  options.crawl.log_path.clear();
  options.crawl.settle_later = false;
  const OutputOptions how = described(std::move(options.output), robot);

  const auto queue = open_url_queue(options.queue, options.job);
  if (!queue) return queue.error();
  if (const auto claimed = queue.value()->claim(); !claimed) return claimed.error();  // before the output changes
  const auto resumed = resume(*queue.value(), options.crawl.output_path, "", how, options.crawl.on_page);
  if (!resumed) return resumed.error();
  const auto opened = open_output(output, how);
  if (!opened) return opened.error();
  if (const auto added = queue.value()->add(*read); !added) return added.error();

  Crawl crawl(robot, *queue.value(), *opened.value(), std::move(options.crawl));
  crawl.urls_added(false);
  const auto interval = std::max(options.progress_interval, std::chrono::milliseconds(1));
  while (!crawl.wait_for(interval)) {
    if (options.on_progress && !options.on_progress(crawl.counts())) crawl.stop();
  }
  if (const auto ended = crawl.result(); !ended) return ended.error();
  if (const auto complete = opened.value()->complete(); !complete) return complete.error();
  const CrawlCounts counts = crawl.counts();
  if (options.on_progress) options.on_progress(counts);
  return counts;
}

}  // namespace robotrules
