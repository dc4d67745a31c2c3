#include "archive/cdx_file.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

#include "archive/packed_file.hpp"
#include "archive/sort_lines.hpp"
#include "archive/warc_head.hpp"

namespace robotrules::archive {
namespace {

// A replay shows a record in place of the page. A HEAD exchange has no body, although its head gives a length. A record
// with the head of a 304 has none either: a replay program would show an empty page instead of the earlier record,
// which it finds without the line. A revisit record without a block (of a 304) has a line: the program shows the record
// that it names.
bool can_be_replayed(const CdxRecord& record) { return !record.answers_head && record.status != "304"; }

// A record of a WARC file, with the beginning of its block.
struct StoredRecord {
  WarcHead head;
  std::string block;  // empty for records that are not requests, responses or revisits

  bool is_response() const { return head.type == "response" || head.type == "revisit"; }
  bool is_head_request() const { return head.type == "request" && block.starts_with("HEAD "); }
};

// Returns false if the next record is incomplete or there is none.
bool read_record(PackedFile& file, StoredRecord& record) {
  constexpr std::uint64_t max_block = std::uint64_t{1} << 20;
  record = {};
  if (!read_warc_head(file, record.head)) return false;
  const std::uint64_t length = *record.head.length;
  const std::uint64_t kept = record.is_response() || record.head.type == "request" ? std::min(length, max_block) : 0;
  return file.take(kept, &record.block) && file.take(length - kept, nullptr) && file.take(4, nullptr);
}

CdxRecord cdx_record_of(StoredRecord& stored) {
  CdxRecord record;
  record.url = std::move(stored.head.target_uri);
  record.date = std::move(stored.head.date);
  record.digest = std::move(stored.head.payload_digest);
  record.revisit = stored.head.type == "revisit";
  read_head_for_cdx(stored.block, record);
  return record;
}

}  // namespace

std::string cdx_path_of(const std::string& warc) { return warc.substr(0, warc.rfind(".warc")) + ".cdxj"; }

Result<std::unique_ptr<CdxFile>> CdxFile::open(const std::string& warc, Packing packing, std::uint64_t size) {
  std::unique_ptr<CdxFile> opened(new CdxFile(cdx_path_of(warc), warc.substr(warc.rfind('/') + 1)));
  const auto known = opened->keep_sound_lines(size);
  if (!known) return known.error();
  auto file = AppendFile::open(opened->path_);
  if (!file) return file.error();
  opened->file_ = std::move(file).value();
  if (auto added = opened->add_missing(warc, packing, known.value(), size); !added) return added.error();
  return opened;
}

// The lines in memory at the end of a killed process are missing, but none before them: sort_lines() puts a sorted
// index on the disk before it counts. If the machine lost power, any later line may be lost, and then the file has
// bytes that are not lines.
Result<std::uint64_t> CdxFile::keep_sound_lines(std::uint64_t size) {
  std::ifstream lines(path_, std::ios::binary);
  if (!lines) return std::uint64_t{0};
  std::uint64_t known = 0;
  bool complete = true;
  bool sound = true;
  for (std::string line; sound && std::getline(lines, line);) {
    const auto end = end_in_cdx_line(line, warc_);
    const bool cut = lines.eof();  // without LF: only the last line can be incomplete
    if (!cut && is_foreign_cdx_line(line, warc_)) {
      return Error{"output-failed",
                   path_ + " has lines of other WARC files: move it away, or give the output another name"};
    }
    complete = complete && !cut && end && *end <= size;
    sound = end.has_value() || cut;
    if (end && !cut && *end <= size) known = std::max(known, *end);
  }
  if (sound && complete) return known;
  if (!sound) known = 0;
  lines.clear();
  lines.seekg(0);
  const auto written = replace_file(path_, [&](AppendFile& into) -> Result<void> {
    for (std::string line; sound && std::getline(lines, line);) {
      const auto end = end_in_cdx_line(line, warc_);
      if (!end || *end > size || lines.eof()) continue;
      if (auto added = into.add(line + '\n'); !added) return added;
    }
    return {};
  });
  if (!written) return written.error();
  return known;
}

Result<void> CdxFile::add_missing(const std::string& warc, Packing packing, std::uint64_t from, std::uint64_t size) {
  if (from >= size) return {};
  auto file = PackedFile::open(warc, packing, from);
  if (!file) return file.error();
  StoredRecord stored;
  std::optional<CdxRecord> response;  // the last one; the next record may be its request
  std::string response_id;
  const auto add_response = [&]() -> Result<void> {
    const auto last = std::exchange(response, std::nullopt);
    return last && can_be_replayed(*last) ? file_->add(cdx_line(*last, warc_)) : Result<void>();
  };
  std::uint64_t begin = from;
  while (begin < size && read_record(*file.value(), stored)) {
    if (response && stored.is_head_request() && stored.head.concurrent_to == response_id) response->answers_head = true;
    const auto end = file.value()->boundary();
    if (!end) continue;  // a member with several records has no line: it cannot be read from its middle
    if (auto added = add_response(); !added) return added;
    if (stored.is_response()) {
      response_id = stored.head.record_id;
      response = cdx_record_of(stored);
      response->offset = begin;
      response->length = *end - begin;
    }
    begin = *end;
  }
  if (file.value()->error() != 0) return output_error(warc, "cannot be read", file.value()->error());
  if (auto added = add_response(); !added) return added;
  return file_->commit();
}

void CdxFile::add(CdxRecord record) {
  if (can_be_replayed(record)) added_.push_back(std::move(record));
}

void CdxFile::commit() {
  for (const CdxRecord& record : added_) {
    if (state_) state_ = file_->add(cdx_line(record, warc_));
  }
  added_.clear();
}

Result<void> CdxFile::complete() {
  if (state_) state_ = file_->commit();
  return state_ ? sort_lines(path_) : state_;
}

}  // namespace robotrules::archive
