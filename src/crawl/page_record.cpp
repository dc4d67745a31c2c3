#include "crawl/page_record.hpp"

#include <utility>

#include "archive/warc_record.hpp"

namespace robotrules::crawl {
namespace {

bool has_validators(const UrlResult& result) { return !result.etag.empty() || !result.last_modified.empty(); }

}  // namespace

std::optional<PayloadRecord> page_record(const QueueItem& item) {
  if (!item.result || item.result->digest.empty()) return std::nullopt;
  const UrlResult& before = *item.result;
  return PayloadRecord{before.page_url.empty() ? archive::archived_url(item.request.url) : before.page_url,
                       before.page_at.value_or(before.at), before.digest};
}

std::optional<PayloadRecord> confirmed_record(const QueueItem& item) {
  return item.result && has_validators(*item.result) ? page_record(item) : std::nullopt;
}

void keep_page_record(UrlResult& result, const std::optional<PayloadRecord>& written, const QueueItem& item) {
  std::optional<PayloadRecord> record = written;
  if (!record && result.status == 304) record = confirmed_record(item);
  const bool has_page = record && result.status < 400;
  if (!has_page && !has_validators(result)) {
    if (auto before = page_record(item)) record = std::move(before);
  }
  if (!record) return;
  result.digest = record->digest;
  if (record->date != result.at) result.page_at = record->date;
  if (record->url != archive::archived_url(item.request.url)) result.page_url = record->url;
}

}  // namespace robotrules::crawl
