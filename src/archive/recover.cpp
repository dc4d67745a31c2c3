#include "archive/recover.hpp"

#include <sys/stat.h>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "archive/append_file.hpp"
#include "archive/digest.hpp"
#include "archive/packed_file.hpp"
#include "archive/page_json.hpp"
#include "archive/recorded_response.hpp"
#include "archive/stored_head.hpp"
#include "archive/warc_fields.hpp"
#include "archive/warc_head.hpp"
#include "archive/warc_record.hpp"
#include "base/escape.hpp"
#include "base/time_text.hpp"

namespace robotrules::archive {
namespace {

using Each = std::function<void(const RecoveredPage&)>;

constexpr std::uint64_t max_metadata = std::uint64_t{64} << 20;

// The result of a scan. `whole` is the end of the last complete record, `pages_end` the end of the last complete page
// or robots.txt exchange.
struct Scan {
  std::uint64_t pages = 0;
  std::uint64_t whole = 0;
  std::uint64_t pages_end = 0;
  int error = 0;
};

// Reads records one by one.
class RecordReader {
 public:
  // `verify`: a block that does not match its digest is damaged. If a machine loses power, a file can have grown
  // without its data.
  RecordReader(PackedFile& file, bool verify, GiveBack give_back)
      : file_(file), verify_(verify), keeps_responses_(give_back == GiveBack::responses) {}

  // Reads the next record. Returns false if it is incomplete or there is none. Keeps the blocks of metadata records,
  // and of responses if they are to be given back.
  bool next() {
    WarcHead head;
    if (!read_warc_head(file_, head)) return false;
    is_metadata_ = head.type == "metadata" && *head.length <= max_metadata;
    is_response_ = keeps_responses_ && head.type == "response" && !head.truncated && *head.length <= max_given_back;
    head_ = std::move(head);
    if (!take_block(*head_.length)) return false;
    if (verify_ && !head_.block_digest.empty() && digester_.end() != head_.block_digest) return false;
    std::string end;
    return file_.take(4, &end) && end == "\r\n\r\n";
  }
  bool is_metadata() const noexcept { return is_metadata_; }
  bool is_response() const noexcept { return is_response_; }
  std::string& block() noexcept { return block_; }
  const WarcHead& head() const noexcept { return head_; }

 private:
  bool take_block(std::uint64_t left) {
    constexpr std::uint64_t piece = 64 << 10;
    block_.clear();
    digester_.begin();
    while (left > 0) {
      if (!is_metadata_ && !is_response_) block_.clear();
      const std::size_t before = block_.size();
      const std::uint64_t part = std::min(left, piece);
      if (!file_.take(part, &block_)) return false;
      digester_.add(std::string_view(block_).substr(before));
      left -= part;
    }
    return true;
  }

  PackedFile& file_;
  bool verify_;
  bool keeps_responses_;
  Digester digester_;
  std::string block_;
  WarcHead head_;
  bool is_metadata_ = false;
  bool is_response_ = false;
};

// A response or revisit record.
struct Stored {
  WarcHead head;
  std::optional<std::string> block;  // of a response that is to be given back
};

// Returns RecoveredPage::response from the response record of its last hop. Null: the body is damaged or too long, or
// the crawl kept less of it.
std::shared_ptr<const Response> read_back(const RecoveredPage& page, const Stored& stored) {
  if (!stored.block) return nullptr;
  RecordedResponse read = read_recorded_response(*stored.block, max_given_back, page.method == "HEAD");
  if (!read.fault.empty() || read.is_cut || read.status != page.status || read.body.size() != page.bytes) {
    return nullptr;
  }
  // The record has the URL of the last hop without userinfo and fragment.
  const std::string& url = archived_url(page.url) == stored.head.target_uri ? page.url : stored.head.target_uri;
  return response_of(page, url, std::move(read.message), sent_headers(read.headers), std::move(read.body));
}

// Returns RecoveredPage::payload from the record of its last hop. A 304 for an empty page has no digest.
std::optional<PayloadRecord> payload_of(const RecoveredPage& page, const WarcHead& head) {
  const bool is_revisit = head.type == "revisit";
  const auto date = base::time_of_text(is_revisit ? head.refers_to_date : head.date);
  if (!date || !page.is_from_server() || page.why == unasked_status) return std::nullopt;
  const bool is_whole = !head.truncated && page.why != body_cut && page.why != end_unknown;
  if (!is_revisit && !is_whole) return std::nullopt;
  return PayloadRecord{is_revisit ? head.refers_to_uri : head.target_uri, *date,
                       head.payload_digest.empty() ? std::string(empty_payload_digest) : head.payload_digest};
}

Scan scan_warc(PackedFile& file, std::uint64_t from, bool verify, GiveBack give_back, const Each& each) {
  Scan scan{.pages = 0, .whole = from, .pages_end = from, .error = 0};
  RecordReader records(file, verify, give_back);
  Stored response;  // the last one. Records of another writer may stand before and after it
  while (records.next()) {
    if (const WarcHead& head = records.head(); head.type == "response" || head.type == "revisit") {
      response.head = head;
      response.block.reset();
      if (records.is_response()) response.block = std::exchange(records.block(), {});
    }
    const auto end = file.boundary();
    if (!end) continue;  // the member has more records, or is incomplete
    scan.whole = *end;
    if (!records.is_metadata()) continue;
    auto page = read_metadata(records.block());
    if (page) {
      page->requested_at = base::time_of_text(records.head().date).value_or(Timestamp{});
      const std::string& id = response.head.record_id;
      if (!id.empty() && records.head().concurrent_to == id) {
        page->payload = payload_of(*page, response.head);
        page->response = read_back(*page, response);
      }
      ++scan.pages;
      each(*page);
    }
    if (page || is_robots_metadata(records.block())) scan.pages_end = *end;
  }
  scan.error = file.error();
  return scan;
}

// Reads a line of NDJSON. Of a long line, keeps only the part before the body, which is the last member. Returns the
// size of the line; null if it is incomplete.
std::optional<std::uint64_t> read_page_text(std::FILE& file, std::string& text, GiveBack give_back) {
  // More than the members before the body need.
  const std::size_t max_text = (std::size_t{8} << 20) + (give_back == GiveBack::responses ? 2 * max_given_back : 0);
  text.clear();
  std::uint64_t size = 0;
  std::string end;  // the last two bytes before the end of the line
  while (true) {
    const int next = getc_unlocked(&file);  // NOLINT(concurrency-mt-unsafe): no other thread has this file
    if (next == EOF) return std::nullopt;
    ++size;
    if (next == '\n') break;
    if (text.size() < max_text) {
      text += static_cast<char>(next);
      continue;
    }
    if (end.size() == 2) end.erase(0, 1);
    end += static_cast<char>(next);
  }
  if (end.empty()) return size;
  // In a JSON string a backslash precedes every quote, so these texts are never found inside a string.
  const std::size_t body = std::min(text.find(",\"body\":\""), text.find(",\"body_b64\":\""));
  if (!(text.substr(text.size() - 1) + end).ends_with("\"}") || body == std::string::npos) return std::nullopt;
  text.resize(body);
  text += '}';
  return size;
}

Result<Scan> scan_lines(const std::string& path, std::uint64_t from, GiveBack give_back, const Each& each) {
  struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rbe"));
  if (file == nullptr) return output_error(path, "cannot be opened", errno);
  Scan scan{.pages = 0, .whole = from, .pages_end = from, .error = 0};
  if (fseeko(file.get(), static_cast<off_t>(from), SEEK_SET) != 0) {
    return output_error(path, "cannot be read", errno);
  }
  std::string text;
  while (const auto size = read_page_text(*file, text, give_back)) {
    const auto page = read_page_line(text, give_back);
    if (!page) break;
    scan.whole += *size;
    scan.pages_end = scan.whole;
    ++scan.pages;
    each(*page);
  }
  if (std::ferror(file.get()) != 0) scan.error = EIO;
  return scan;
}

// The end of a file after its last complete page.
enum class Ending : std::uint8_t {
  cut,       // it is removed
  complete,  // there is none: the next file was begun after a complete page
  unknown,   // the file may belong to another crawl: it ends with a complete record
};

Result<Scan> scan_file(const std::string& name, OutputName what, std::uint64_t begin, bool verify, GiveBack give_back,
                       const Each& each) {
  if (what.kind == OutputKind::ndjson) return scan_lines(name, begin, give_back, each);
  auto file = PackedFile::open(name, what.packing, begin);
  if (!file) return file.error();
  return scan_warc(*file.value(), begin, verify, give_back, each);
}

Result<Recovered> recover_file(const std::string& name, OutputName what, std::uint64_t begin, Ending ending,
                               GiveBack give_back, const Each& each) {
  struct stat there{};
  const bool missing = stat(name.c_str(), &there) != 0;
  if (missing && errno != ENOENT) return output_error(name, "cannot be examined", errno);
  if (!missing && !S_ISREG(there.st_mode)) return Recovered{};
  std::unique_ptr<AppendFile> held;  // the lock: a file that another process writes is not changed
  if (!missing) {
    auto opened = AppendFile::open(name);
    if (!opened) return opened.error();
    held = std::move(opened).value();
  }
  const std::uint64_t size = missing ? 0 : held->position();
  if (begin > size) {
    return Error{"output-shorter",
                 base::printable(name) + (missing ? " is missing" : " has " + std::to_string(size) + " bytes") +
                     ", but " + std::to_string(begin) +
                     " bytes were written, so pages are missing: restore the file, or "
                     "continue the job with another file (get --db PATH --job NAME, with another --output or --log)"};
  }
  if (begin == size) return Recovered{.pages = 0, .position = size, .cut = 0};

  const auto scanned = scan_file(name, what, begin, ending != Ending::unknown, give_back, each);
  if (!scanned) return scanned.error();
  const Scan& scan = scanned.value();
  if (scan.error != 0) return output_error(name, "cannot be read", scan.error);
  const std::uint64_t end = ending == Ending::unknown ? scan.whole : scan.pages_end;
  if (end < size && ending != Ending::cut) {
    return Error{"output-damaged",
                 base::printable(name) + " does not end with a complete record (it is intact up to byte " +
                     std::to_string(end) + " of " + std::to_string(size) + "); repair it or name another file"};
  }
  if (end < size) {
    if (const auto cut = held->cut(end); !cut) return cut.error();
  }
  return Recovered{.pages = scan.pages, .position = end, .cut = size - end};
}

}  // namespace

bool RecoveredPage::is_from_server() const noexcept {
  return why == to_string(ResponseSource::server) || why == to_string(ResponseSource::handler) ||
         why == to_string(ResponseSource::redirect_refused) || std::ranges::find(page_whys, why) != page_whys.end();
}

UrlState state_of(const RecoveredPage& page) noexcept {
  if (page.why == to_string(ResponseSource::robots_denied)) return UrlState::denied;
  if (page.why == to_string(ResponseSource::parked)) return UrlState::parked;
  if (page.why == to_string(ResponseSource::redirect_refused) || page.why == unasked_status) return UrlState::failed;
  if (page.why == body_cut) return UrlState::cut;
  return page.is_from_server() && page.status < 400 ? UrlState::done : UrlState::failed;
}

std::shared_ptr<const Response> response_of(const RecoveredPage& page, std::string final_url, std::string message,
                                            Headers headers, std::string body) {
  if (!page.is_from_server() || page.truncated || page.why == kept_out_by_page || page.why == body_cut) return nullptr;
  auto response = std::make_shared<Response>();
  response->code = page.status;
  response->message = std::move(message);
  response->headers = std::move(headers);
  response->body = std::move(body);
  response->body_size = response->body.size();
  response->method = page.method;
  response->url = std::move(final_url);
  for (const auto source : {ResponseSource::handler, ResponseSource::redirect_refused}) {
    if (page.why == to_string(source)) response->source = source;
  }
  response->end_unknown = page.why == end_unknown;
  response->requested_at = page.requested_at;
  response->received_at = page.at;
  return response;
}

Result<Recovered> recover(const std::string& name, OutputName what, std::optional<std::uint64_t> from, const Each& each,
                          GiveBack give_back) {
  if (what.kind != OutputKind::warc && what.kind != OutputKind::ndjson) return Recovered{};
  return recover_file(name, what, from.value_or(0), from ? Ending::cut : Ending::unknown, give_back, each);
}

Result<Recovered> recover_parts(const std::string& name, Packing packing, std::optional<PartPosition> from,
                                const Each& each, GiveBack give_back) {
  const OutputName what{OutputKind::warc, packing};
  auto parts = existing_parts(name);
  if (!parts) return parts.error();
  std::vector<std::uint32_t> numbers = std::move(parts).value();
  Recovered all;
  if (!from) {
    PartPosition end;
    if (!numbers.empty()) {
      end.part = numbers.back();
      const auto last = recover_file(part_path(name, end.part), what, 0, Ending::unknown, give_back, each);
      if (!last) return last;
      all = last.value();
      end.size = all.position;
    }
    all.position = number_of(end);
    return all;
  }
  std::erase_if(numbers, [&](std::uint32_t part) { return part <= from->part; });
  numbers.insert(numbers.begin(), from->part);
  for (const std::uint32_t part : numbers) {
    const bool is_last = part == numbers.back();
    const auto read = recover_file(part_path(name, part), what, part == from->part ? from->size : 0,
                                   is_last ? Ending::cut : Ending::complete, give_back, each);
    if (!read) return read;
    all.pages += read.value().pages;
    all.position = number_of({part, read.value().position});
    all.cut = read.value().cut;
  }
  return all;
}

}  // namespace robotrules::archive
