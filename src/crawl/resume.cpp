#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <system_error>
#include <unordered_set>
#include <utility>
#include <vector>

#include <robotrules/crawl.hpp>

#include "archive/append_file.hpp"
#include "archive/page_json.hpp"
#include "archive/recover.hpp"
#include "archive/warc_parts.hpp"
#include "crawl/call_back.hpp"
#include "crawl/page_record.hpp"
#include "crawl/page_writer.hpp"

namespace robotrules {
namespace {

using OnPage = std::function<void(const FetchedPage&)>;

// Settles pages that are still pending in the queue.
class Settler {
 public:
  Settler(UrlQueue& queue, const OnPage& on_page) : queue_(queue), on_page_(on_page) {}

  void take(const archive::RecoveredPage& page) {
    if (error_) return;
    const auto item = queue_.find(page.method, page.url);
    if (!item) error_ = item.error();
    if (!item || !item.value() || item.value()->state != UrlState::pending || taken_.contains(item.value()->id)) return;
    if (on_page_ && !give_back(*item.value(), page)) return;
    taken_.insert(item.value()->id);
    add(*item.value(), page);
    if (settled_.size() >= crawl::max_settled || links_.size() >= crawl::max_links) settle(std::nullopt);
  }
  // Settles the rest. Returns the number of all pages that were settled.
  Result<std::uint64_t> finish(const std::optional<OutputPosition>& position) {
    if (!error_ && (!settled_.empty() || count_ > 0)) settle(position);
    return error_ ? Result<std::uint64_t>(*error_) : count_;
  }

 private:
  // Calls on_page. Returns false if the page stays pending.
  bool give_back(const QueueItem& item, const archive::RecoveredPage& page) {
    if (page.response == nullptr) return false;
    FetchedPage fetched{*page.response, page.url, page.method, {}, {}};
    fetched.known = page.status == 304 ? crawl::confirmed_record(item) : crawl::page_record(item);
    if (page.why == unasked_status) fetched.why = unasked_status;
    fetched.links = &links_;
    const auto called = crawl::call_back("on_page", [&] { on_page_(fetched); });
    if (!called) error_ = called.error();
    return called.ok();
  }
  void add(const QueueItem& item, const archive::RecoveredPage& page) {
    const auto& before = item.result;  // a 304 may only confirm this result
    const auto kept = [&](const std::string& now, const std::string UrlResult::* field) {
      if (page.truncated || page.why == unasked_status || page.why == end_unknown) return std::string();
      return now.empty() && page.status == 304 && before ? *before.*field : now;
    };
    UrlResult result{.status = page.is_from_server() ? page.status : 0,
                     .why = page.why,
                     .etag = kept(page.etag, &UrlResult::etag),
                     .last_modified = kept(page.last_modified, &UrlResult::last_modified),
                     .at = page.requested_at != Timestamp{} ? page.requested_at : page.at,
                     .bytes = page.bytes};
    crawl::keep_page_record(result, page.payload, item);
    settled_.push_back({item.id, archive::state_of(page), std::move(result)});
  }
  // The links come first: a page that is done has all of them in the queue.
  void settle(const std::optional<OutputPosition>& position) {
    const auto added = links_.empty() ? Result<QueueAdded>(QueueAdded{}) : queue_.add(links_);
    const auto done = added ? queue_.settle(settled_, position) : added.error();
    if (!done) error_ = done.error();
    count_ += settled_.size();
    settled_.clear();
    taken_.clear();
    links_.clear();
  }

  UrlQueue& queue_;
  const OnPage& on_page_;
  std::vector<FinishedUrl> settled_;
  std::unordered_set<std::int64_t> taken_;  // their ids: an output may have a page twice
  std::vector<QueuedUrl> links_;            // of these pages
  std::uint64_t count_ = 0;
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
                                   bool has_parts, const std::function<void(const archive::RecoveredPage&)>& each,
                                   archive::GiveBack give_back) {
  const auto place = known ? archive::part_position(*known) : std::nullopt;
  const bool had_parts = place.has_value();
  Result<archive::Recovered> found = archive::Recovered{};
  if (known) {
    found = had_parts ? archive::recover_parts(output, what.packing, place, each, give_back)
                      : archive::recover(output, what, known, each, give_back);
    if (!found || had_parts == has_parts) return found;
  }
  const auto ignore = [](const archive::RecoveredPage&) {};  // the pages may belong to another crawl
  const auto next = has_parts ? archive::recover_parts(output, what.packing, std::nullopt, ignore)
                              : archive::recover(output, what, std::nullopt, ignore);
  return next && known ? found : next;
}

}  // namespace

Result<std::uint64_t> resume(UrlQueue& queue, const std::string& output, const std::string& log,
                             const OutputOptions& options, const OnPage& on_page) {
  auto logged = logged_pages(queue, log);
  if (!logged) return logged.error();
  const auto what = output.empty() ? Result<OutputName>(OutputName{}) : read_output_name(output);
  if (!what) return what.error();
  const bool is_file = what.value().kind == OutputKind::warc || what.value().kind == OutputKind::ndjson;
  Settler settler(queue, on_page);
  const auto give_back = on_page ? archive::GiveBack::responses : archive::GiveBack::facts;
  std::optional<OutputPosition> position;
  if (is_file) {
    const auto known = queue.output_position(output);
    if (!known) return known.error();
    std::set<std::pair<std::string, std::string>> has_line;
    for (const archive::RecoveredPage& page : logged.value()) has_line.emplace(page.method, page.url);
    std::vector<archive::RecoveredPage> without_line;
    const bool has_parts = archive::has_parts(what.value(), options);
    const auto take = [&](const archive::RecoveredPage& page) {
      settler.take(page);
      if (has_line.contains({page.method, page.url})) return;
      without_line.push_back(page);
      without_line.back().response.reset();
    };
    const auto found = recover(output, what.value(), known.value(), has_parts, take, give_back);
    if (!found) return found.error();
    if (auto appended = append_lines(log, without_line); !appended) return appended.error();
    position = OutputPosition{output, found.value().position};
  } else {
    for (const archive::RecoveredPage& page : logged.value()) settler.take(page);
  }
  return settler.finish(position);
}

}  // namespace robotrules
