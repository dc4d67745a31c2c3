#include "crawl/crawl_totals.hpp"

#include <algorithm>

namespace robotrules::crawl {

void CrawlTotals::count_responses(const Response& last) {
  for (const Response* one = &last; one != nullptr; one = one->previous.get()) {
    if (one->is_synthetic() || one->source == ResponseSource::handler) continue;
    const int hundreds = one->code / 100;
    ++counts_.responses[hundreds >= 1 && hundreds <= 5 ? static_cast<std::size_t>(hundreds) : 0];
    // The clock may have been set back meanwhile.
    const auto time =
        std::max<std::chrono::microseconds>(one->received_at - one->requested_at, std::chrono::microseconds(0));
    const auto bound = std::ranges::find_if(
        ResponseTimes::bounds_ms, [time](std::int64_t most) { return time <= std::chrono::milliseconds(most); });
    ++counts_.times.counts[static_cast<std::size_t>(bound - ResponseTimes::bounds_ms.begin())];
    counts_.times.sum += time;
  }
}

void CrawlTotals::count_site(std::int64_t id) {
  constexpr std::size_t max_ids = std::size_t{1} << 30;
  const auto at = static_cast<std::size_t>(id);
  if (id < 0 || at >= max_ids) return;
  if (at >= seen_.size()) seen_.resize(std::max(at + 1, std::min(seen_.size() * 2, max_ids)));
  if (!seen_[at]) ++counts_.sites_seen;
  seen_[at] = true;
}

void CrawlTotals::note_left_out(std::optional<Timestamp> until) {
  if (until) counts_.left_out_until = std::min(counts_.left_out_until.value_or(*until), *until);
}

void CrawlTotals::count_written(const PageWriter::Written& written) {
  const CrawlCounts& more = written.more;
  counts_.done += more.done;
  counts_.denied += more.denied;
  counts_.failed += more.failed;
  counts_.cut += more.cut;
  counts_.parked += more.parked;
  counts_.bytes += more.bytes;
  counts_.kept_out += more.kept_out;
  for (std::size_t i = 0; i < more.by_class.size(); ++i) counts_.by_class[i] += more.by_class[i];
  for (const auto& [why, number] : written.failures) failures_[why] += number;
  unsettled_ += written.unsettled;
}

void CrawlTotals::settled(std::uint64_t pages) noexcept { unsettled_ -= std::min(unsettled_, pages); }

CrawlCounts CrawlTotals::counts(std::uint64_t pending) const {
  CrawlCounts counts = counts_;
  counts.pending = pending - std::min(pending, unsettled_);
  return counts;
}

}  // namespace robotrules::crawl
