#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include <robotrules/crawl.hpp>

#include "archive/append_file.hpp"
#include "archive/page_json.hpp"
#include "archive/recover.hpp"
#include "archive/warc_parts.hpp"
#include "crawl/page_writer.hpp"

namespace robotrules {
namespace {

// Collects the results of pages that are still pending in the queue.
class Finder {
 public:
  explicit Finder(const UrlQueue& queue) : queue_(queue) {}

  void take(const archive::RecoveredPage& page) {
    if (error_) return;
    const auto item = queue_.find(page.method, page.url);
    if (!item) error_ = item.error();
    if (!item || !item.value() || item.value()->state != UrlState::pending) return;
    const auto& before = item.value()->result;  // a 304 may only confirm this result
    const auto kept = [&](const std::string& now, const std::string UrlResult::* field) {
      if (page.truncated || page.why == unasked_status) return std::string();
      return now.empty() && page.status == 304 && before ? *before.*field : now;
    };
    UrlResult result{.status = page.is_from_server() ? page.status : 0,
                     .why = page.why,
                     .etag = kept(page.etag, &UrlResult::etag),
                     .last_modified = kept(page.last_modified, &UrlResult::last_modified),
                     .at = page.requested_at != Timestamp{} ? page.requested_at : page.at,
                     .bytes = page.bytes};
    if (result.status == 304) result.page_at = crawl::page_time(before);
    settled_.push_back({item.value()->id, archive::state_of(page), std::move(result)});
  }
  const std::vector<FinishedUrl>& settled() const noexcept { return settled_; }
  const std::optional<Error>& error() const noexcept { return error_; }

 private:
  const UrlQueue& queue_;
  std::vector<FinishedUrl> settled_;
  std::optional<Error> error_;
};

// Returns the pages in the log after the position that the queue knows, and removes incomplete lines after them.
// Returns none if there is no log, or if it was closed or moved away since.
Result<std::vector<archive::RecoveredPage>> logged_pages(const UrlQueue& queue, const std::string& log) {
  std::vector<archive::RecoveredPage> pages;
  if (log.empty()) return pages;
  const auto known = queue.output_position(log);
  if (!known) return known.error();
  std::error_code missing;
  const std::uintmax_t size = std::filesystem::file_size(log, missing);
  if (!known.value() || missing || *known.value() > size) return pages;
  const auto found = archive::recover(log, {OutputKind::ndjson, Packing::none}, known.value(),
                                      [&pages](const archive::RecoveredPage& page) { pages.push_back(page); });
  if (!found) return found.error();
  return pages;
}

Result<void> append_lines(const std::string& log, const std::vector<archive::RecoveredPage>& pages) {
  if (log.empty() || pages.empty()) return {};
  auto file = archive::AppendFile::open(log);
  if (!file) return file.error();
  for (const archive::RecoveredPage& page : pages) {
    if (auto added = file.value()->add(archive::recovered_line(page)); !added) return added;
  }
  return file.value()->commit();
}

// Reads the file or the parts that the queue knows. Also checks those that are written next, if they are others: a
// crawl may have parts only from now on, or no longer.
Result<archive::Recovered> recover(const std::string& output, OutputName what, std::optional<std::uint64_t> known,
                                   bool has_parts, const std::function<void(const archive::RecoveredPage&)>& each) {
  const auto place = known ? archive::part_position(*known) : std::nullopt;
  const bool had_parts = place.has_value();
  Result<archive::Recovered> found = archive::Recovered{};
  if (known) {
    found = had_parts ? archive::recover_parts(output, what.packing, place, each)
                      : archive::recover(output, what, known, each);
    if (!found || had_parts == has_parts) return found;
  }
  const auto ignore = [](const archive::RecoveredPage&) {};  // the pages may belong to another crawl
  const auto next = has_parts ? archive::recover_parts(output, what.packing, std::nullopt, ignore)
                              : archive::recover(output, what, std::nullopt, ignore);
  return next && known ? found : next;
}

}  // namespace

Result<std::uint64_t> resume(UrlQueue& queue, const std::string& output, const std::string& log,
                             const OutputOptions& options, UnsettledPages unsettled) {
  auto logged = logged_pages(queue, log);
  if (!logged) return logged.error();
  const auto what = output.empty() ? Result<OutputName>(OutputName{}) : read_output_name(output);
  if (!what) return what.error();
  const bool is_file = what.value().kind == OutputKind::warc || what.value().kind == OutputKind::ndjson;
  Finder finder(queue);
  std::optional<OutputPosition> position;
  if (is_file) {
    const auto known = queue.output_position(output);
    if (!known) return known.error();
    std::set<std::pair<std::string, std::string>> has_line;
    for (const archive::RecoveredPage& page : logged.value()) has_line.emplace(page.method, page.url);
    std::vector<archive::RecoveredPage> without_line;
    const bool has_parts = archive::has_parts(what.value(), options);
    const auto found = recover(output, what.value(), known.value(), has_parts, [&](const archive::RecoveredPage& page) {
      finder.take(page);
      if (!has_line.contains({page.method, page.url})) without_line.push_back(page);
    });
    if (!found) return found.error();
    if (auto appended = append_lines(log, without_line); !appended) return appended.error();
    position = OutputPosition{output, found.value().position};
  } else {
    for (const archive::RecoveredPage& page : logged.value()) finder.take(page);
  }
  if (finder.error()) return *finder.error();
  if (unsettled == UnsettledPages::fetch_again) return std::uint64_t{0};
  if (!finder.settled().empty()) {
    if (auto done = queue.settle(finder.settled(), position); !done) return done.error();
  }
  return finder.settled().size();
}

}  // namespace robotrules
