#include "crawl/page_writer.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <robotrules/page.hpp>

#include "crawl/call_back.hpp"
#include "crawl/crawl_clock.hpp"
#include "crawl/page_headers.hpp"
#include "crawl/page_record.hpp"
#include "crawl/site_sentence.hpp"
#include "http/synthetic.hpp"

namespace robotrules::crawl {
namespace {

constexpr std::chrono::milliseconds min_settle_every{100};

// A 304 answers a conditional request, a 206 a request for a range. No condition is sent on to another URL, and no
// range to another origin.
bool is_unasked(const Response& response, const QueueItem& item, const CrawlOptions& options, const PageNeeds& needs) {
  if (response.is_synthetic() || (response.code != 304 && response.code != 206)) return false;
  const Headers sent = page_headers(item, options, needs);
  if (response.code == 304) {
    return response.was_redirected() || !(sent.has("If-None-Match") || sent.has("If-Modified-Since"));
  }
  const auto origin = Origin::of(item.request.url);
  const auto hops = response.redirects();
  const bool stayed = Origin::of(response.url) == origin && std::all_of(hops.begin(), hops.end(), [&](const auto& hop) {
                        return Origin::of(hop->url) == origin;
                      });
  return !stayed || !sent.has("Range");
}

// Returns true if a URL failed because it is too early to ask for a robots.txt again. The cause is that of the earlier
// attempt, which the store does not keep.
bool not_asked_again(const Response& response) {
  return response.source == ResponseSource::robots_unreachable && response.robots != nullptr &&
         response.robots->status == 0 && response.robots->warning.empty();
}

void count(UrlState state, const Response& response, const FetchedPage& fetched, PageWriter::Written& written) {
  CrawlCounts& more = written.more;
  const bool has_status = !response.is_synthetic() && fetched.why != unasked_status;
  switch (state) {
    case UrlState::denied: ++more.denied; break;
    case UrlState::failed:
      ++more.failed;
      ++written.failures[has_status ? std::to_string(response.code) : std::string(fetched.reason())];
      break;
    case UrlState::parked: ++more.parked; break;
    case UrlState::cut: ++more.cut; break;
    default: ++more.done; ++more.by_class[static_cast<std::size_t>(std::clamp(response.code / 100, 0, 5))];
  }
  more.bytes += response.bytes_received;
}

}  // namespace

UrlState state_of(const Response& response) noexcept {
  switch (response.source) {
    case ResponseSource::server:
    case ResponseSource::handler: return response.code < 400 ? UrlState::done : UrlState::failed;
    case ResponseSource::robots_denied: return UrlState::denied;
    case ResponseSource::parked: return UrlState::parked;
    default: return UrlState::failed;
  }
}

PageWriter::PageWriter(PageOutput& output, PageOutput* log, UrlQueue& queue, const CrawlOptions& options,
                       std::string token, UnsettledPages* unsettled)
    : output_(output),
      log_(log),
      queue_(queue),
      options_(options),
      token_(std::move(token)),
      unsettled_(unsettled),
      settle_every_(min_settle_every),
      output_end_(output.position()),
      log_end_(log == nullptr ? 0 : log->position()) {}

bool PageWriter::is_due(Clock::time_point now) const noexcept {
  return settled_.size() >= max_settled || links_.size() >= max_links || (!settled_.empty() && now >= settle_at());
}

// A page that has not changed since it was kept out is kept out again, whatever the few fields of a 304 say.
bool PageWriter::is_kept_out(const Page& page, Timestamp now) const {
  if (!options_.obey_page || page.response.is_synthetic()) return false;
  const auto& before = page.item.result;
  if (page.response.code == 304 && before && before->why == kept_out_by_page) return true;
  const PageRules rules = page_rules_of(page.response, token_);
  return rules.noarchive || !rules.index_allowed(now);
}

UrlResult PageWriter::result_of(const Page& page, const FetchedPage& fetched, UrlState state, Timestamp now) const {
  const Response& response = page.response;
  UrlResult result;
  result.status = response.is_synthetic() ? 0 : response.code;
  result.why = fetched.reason();
  if (state == UrlState::failed || state == UrlState::parked) result.warning = response.warning;
  if (page.item.result && not_asked_again(response)) {
    result.why = page.item.result->why;
    result.warning = page.item.result->warning;
  }
  result.at = response.requested_at != Timestamp{} ? response.requested_at : now;
  result.bytes = response.is_synthetic() ? 0 : response.body_size;
  const auto& before = page.item.result;
  if (response.source == ResponseSource::parked && before && before->why == result.why) {  // it was not requested again
    result.status = before->status;
    result.at = before->at;
    result.bytes = before->bytes;
  }
  // Such validators are not those of the whole page: with them, a later request would get 304 and never the rest. Those
  // of another URL say nothing about this one.
  if (response.is_synthetic() || response.truncated || response.end_unknown || response.was_redirected() ||
      fetched.why == unasked_status || page.parks_site) {
    return result;
  }
  const auto field = [&](const char* name, const std::string UrlResult::* member) {
    if (const auto value = response.headers.get(name)) return std::string(*value);
    return response.code == 304 && page.item.result ? *page.item.result.*member : std::string();
  };
  result.etag = field("ETag", &UrlResult::etag);
  result.last_modified = field("Last-Modified", &UrlResult::last_modified);
  return result;
}

Result<void> PageWriter::write(const Page& page, Timestamp now, Written& written) {
  const Response& response = page.response;
  // output_end_ stays: if the log lacks a page, recover() must still find that page after output_end_.
  if (page.is_robots_txt) return output_.write_robots_txt(response);
  if (response.source == ResponseSource::store) return Error{"store-failed", without_url(response)};
  FetchedPage fetched{response, page.item.request.url, page.item.request.method, {}, {}};
  const bool not_modified = response.code == 304 && !response.is_synthetic();
  fetched.known = not_modified ? confirmed_record(page.item) : page_record(page.item);
  fetched.tries = page.tries;
  UrlState state = state_of(response);
  if (is_unasked(response, page.item, options_, output_.needs())) {
    fetched.why = unasked_status;
    state = UrlState::failed;
  } else if (page.parks_site) {
    fetched.why = to_string(ResponseSource::parked);
    state = UrlState::parked;
  } else if (is_kept_out(page, now)) {
    fetched.kept_out = true;
    fetched.why = kept_out_by_page;
  } else if (response.truncated && state == UrlState::done) {
    fetched.why = body_cut;
    state = UrlState::cut;
  } else if (response.end_unknown && state == UrlState::done) {
    fetched.why = end_unknown;
  }
  if (only_log_missing_ != page.item.id) {
    if (auto done = output_.write(fetched); !done) return done;
  }
  // If only the log fails, the page is in the file after output_end_, where recover() finds it.
  if (log_ != nullptr) {
    fetched.file = output_.last_file();
    only_log_missing_ = page.item.id;
    if (auto done = log_->write(fetched); !done) return done;
  }
  only_log_missing_ = 0;
  std::vector<QueuedUrl> links;
  fetched.links = &links;
  if (unsettled_ != nullptr) fetched.id = unsettled_->add();
  if (options_.on_page) {
    if (auto called = call_back("on_page", [&] { options_.on_page(fetched); }); !called) {
      if (unsettled_ != nullptr) unsettled_->remove(fetched.id);
      failed_ = called.error();  // the page stays pending: its links are not in the queue
      return called;
    }
  }
  FinishedUrl result{page.item.id, state, result_of(page, fetched, state, now)};
  keep_page_record(result.result, page.parks_site ? std::nullopt : output_.last_payload(), page.item);
  if (unsettled_ == nullptr) {
    add_to_settled(std::move(result), std::move(links));
  } else {
    unfinished_.emplace(fetched.id,
                        Unfinished{page.item.site, std::move(result), std::move(links), output_end_, log_end_});
  }
  if (log_ != nullptr) log_end_ = log_->position();
  output_end_ = output_.position();
  ++written.unsettled;
  if (fetched.kept_out) ++written.more.kept_out;
  count(state, response, fetched, written);
  return {};
}

void PageWriter::add_to_settled(FinishedUrl result, std::vector<QueuedUrl> links) {
  if (settled_.empty()) unsettled_since_ = now_of(options_);
  settled_.push_back(std::move(result));
  std::move(links.begin(), links.end(), std::back_inserter(links_));
}

std::optional<std::int64_t> PageWriter::finish(UnsettledPages::Settled page) {
  auto found = unfinished_.extract(page.page);
  if (found.empty()) return std::nullopt;
  Unfinished& one = found.mapped();
  std::move(page.links.begin(), page.links.end(), std::back_inserter(one.links));
  add_to_settled(std::move(one.result), std::move(one.links));
  return one.site;
}

// Called when the output had no room for a page. After max_tries calls for a page with a long body, writes it as a
// failed one, without its body. Returns false if the page is to be written later: there is no room for that either.
bool PageWriter::write_as_too_long(const Page& page, Timestamp now, Written& written) {
  const Recording* recording = page.response.recording.get();
  const bool is_long = page.response.body_rest != nullptr || (recording != nullptr && recording->body_rest != nullptr);
  if (!is_long || only_log_missing_ == page.item.id) return false;
  if (std::exchange(too_long_, page.item.id) != page.item.id) too_long_tries_ = 0;
  if (++too_long_tries_ < options_.max_tries) return false;
  Page failed{page.item,
              agent::synthetic_response(ResponseSource::disk_too_small, page.response.method, page.response.url,
                                        page.response.url + ": the output has no room for " +
                                            std::to_string(page.response.body_size) + " bytes")};
  failed.tries = page.tries;
  failed.response.robots = page.response.robots;
  failed.response.requested_at = page.response.requested_at;
  failed.response.received_at = page.response.received_at;
  return write(failed, now, written).ok();
}

PageWriter::Written PageWriter::write(std::deque<Page> pages, Timestamp now) {
  Written written;
  for (; !pages.empty() && !failed_; pages.pop_front()) {  // frees the memory of each page after writing it
    if (auto done = write(pages.front(), now, written); !done) {
      if (done.error().code == disk_full_code && write_as_too_long(pages.front(), now, written)) continue;
      if (done.error().code != disk_full_code) failed_ = done.error();
      if (failed_) break;
      written.error = done.error();
      written.left = std::move(pages);
      break;
    }
  }
  if (failed_) written.error = *failed_;
  return written;
}

std::optional<OutputPosition> PageWriter::position() const {
  if (options_.output_path.empty()) return std::nullopt;
  return OutputPosition{options_.output_path,
                        unfinished_.empty() ? output_end_ : unfinished_.begin()->second.output_begin};
}

Result<void> PageWriter::settle(const QueueClaim& claim) {
  const auto begun = Clock::now();
  Result<void> settled = flush_output();
  settle_every_ = std::clamp<Clock::duration>(10 * (Clock::now() - begun), min_settle_every, min_settle_every * 50);
  if (settled) settled = queue_.settle(claim, settled_, position(), links_);
  // A transaction of its own: pages after this position may be settled already.
  return settled ? keep_log_position() : settled;
}

std::size_t PageWriter::give_up_unfinished() noexcept {
  const std::size_t count = unfinished_.size();
  unfinished_.clear();
  return count;
}

Result<void> PageWriter::flush_output() {
  return options_.output_path.empty() || output_end_ == 0 ? Result<void>() : output_.flush();
}

Result<void> PageWriter::keep_positions() {
  if (auto flushed = flush_output(); !flushed) return flushed;
  if (const auto output = position()) {
    if (auto kept = queue_.settle({}, output); !kept) return kept;
  }
  return keep_log_position();
}

Result<void> PageWriter::keep_log_position() {
  if (log_ == nullptr || options_.log_path.empty()) return {};
  const std::uint64_t end = unfinished_.empty() ? log_end_ : unfinished_.begin()->second.log_begin;
  return queue_.settle({}, OutputPosition{options_.log_path, end});
}

Result<void> PageWriter::reopen_log() {
  if (auto reopened = log_->reopen(); !reopened) return reopened;
  log_end_ = log_->position();
  for (auto& [id, one] : unfinished_) one.log_begin = log_end_;
  return {};
}

std::vector<std::int64_t> PageWriter::take_settled() {
  std::vector<std::int64_t> ids;
  ids.reserve(settled_.size());
  links_.clear();
  for (const FinishedUrl& one : std::exchange(settled_, {})) ids.push_back(one.id);
  return ids;
}

}  // namespace robotrules::crawl
