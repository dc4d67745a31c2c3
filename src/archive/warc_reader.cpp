#include "archive/warc_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "archive/recorded_response.hpp"
#include "archive/warc_head.hpp"

namespace robotrules::archive {
namespace {

bool is_robots_txt(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return false;
  const std::size_t path = url.find('/', scheme + 3);
  return path != std::string_view::npos && url.substr(path) == "/robots.txt";
}

}  // namespace

WarcReader::WarcReader(const std::string& path) : path_(path) {
  std::error_code ignored;
  size_ = std::filesystem::file_size(path, ignored);
  if (ignored) size_ = 0;
  auto opened = PackedFile::open_any(path);
  if (opened)
    file_ = std::move(opened).value();
  else
    error_ = "cannot be opened";
}

std::uint64_t WarcReader::bytes_read() const {
  return file_ == nullptr ? 0 : std::min(file_->packed_bytes_used(), size_);
}

bool WarcReader::fail(const std::string& what) {
  error_ = what + " in record " + std::to_string(records_ + 1);
  if (const std::string fault = file_->fault(); !fault.empty()) error_ += " (" + path_ + ": " + fault + ")";
  return false;
}

bool WarcReader::next(WarcRobots& found) {
  if (file_ == nullptr || !error_.empty()) return false;
  std::string line;
  while (true) {
    do {
      if (!read_head_line(*file_, line)) {
        const bool is_at_end = line.empty() && file_->fault().empty();
        return is_at_end ? false : fail("the file ends early or contains no WARC record");
      }
    } while (line.empty());
    if (!line.starts_with("WARC/")) return fail("the line \"WARC/...\" is missing");
    found = {};
    WarcHead head;
    if (!read_warc_fields(*file_, head)) return fail("the head is incomplete or too long");
    if (!head.length) return fail("the head has no Content-Length");
    const std::uint64_t length = *head.length;
    found.exchange.request.url = std::move(head.target_uri);
    found.date = std::move(head.date);
    const bool wanted = head.type == "response" && is_robots_txt(found.exchange.request.url);
    const std::uint64_t kept = wanted ? std::min(length, max_block) : 0;
    std::string block;
    if (!file_->take(kept, &block) || !file_->take(length - kept, nullptr)) return fail("the file ends early");
    ++records_;
    if (on_record_) on_record_();
    if (!wanted) continue;
    RecordedResponse response = read_recorded_response(block, max_body);
    RobotsExchange& exchange = found.exchange;
    const bool success = response.status >= 200 && response.status < 300;
    if (response.has_odd_line) response.fault = "the head has a line that is not a field";
    if (head.truncated || kept < length) {
      response.is_cut = true;
      if (response.fault.empty() && success && response.body.size() < max_body) {
        response.fault = "the record was cut when it was written";
      }
    }
    exchange.end = response.fault.empty() ? RobotsEnd::answered : RobotsEnd::failed;
    exchange.failure = std::move(response.fault);
    exchange.status = response.status;
    exchange.headers = std::move(response.headers);
    exchange.body = std::move(response.body);
    exchange.is_cut = response.is_cut;
    return true;
  }
}

}  // namespace robotrules::archive

namespace robotrules {

Result<void> read_warc_robots(const std::string& path, const std::function<bool(WarcRobots robots)>& on_robots,
                              const std::function<void(std::uint64_t done, std::uint64_t all)>& on_progress) {
  archive::WarcReader reader(path);
  if (on_progress) reader.on_record([&] { on_progress(reader.bytes_read(), reader.bytes_in_all()); });
  WarcRobots found;
  while (reader.next(found)) {
    if (!on_robots(std::exchange(found, {}))) return {};
  }
  return reader.error().empty() ? Result<void>() : Error{"warc-damaged", reader.error()};
}

}  // namespace robotrules
