#include "archive/warc_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "archive/warc_head.hpp"
#include "base/ascii.hpp"

namespace robotrules::archive {
namespace {

constexpr std::size_t longest_line = 16 * 1024;

bool is_robots_txt(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return false;
  const std::size_t path = url.find('/', scheme + 3);
  return path != std::string_view::npos && url.substr(path) == "/robots.txt";
}

// False where the chunks are not whole.
bool join_chunks(std::string_view chunked, std::string& out) {
  while (true) {
    const std::size_t end = chunked.find('\n');
    if (end == std::string_view::npos) return false;
    const std::string_view line = base::trimmed(chunked.substr(0, end));
    const auto size = whole_number(line.substr(0, line.find(';')), 16);
    chunked.remove_prefix(end + 1);
    if (!size || *size > chunked.size()) return false;
    if (*size == 0) return true;
    out.append(chunked, 0, static_cast<std::size_t>(*size));
    chunked.remove_prefix(static_cast<std::size_t>(*size));
    if (chunked.starts_with("\r\n"))
      chunked.remove_prefix(2);
    else if (chunked.starts_with("\n"))
      chunked.remove_prefix(1);
    else
      return false;
  }
}

bool begins_a_chunk(std::string_view body) {
  const std::string_view line = base::trimmed(body.substr(0, body.find('\n')));
  const std::string_view size = line.substr(0, line.find(';'));
  return !size.empty() && whole_number(size, 16).has_value();
}

// gzip or deflate; stops at `limit`. False where the stream is broken or has no end within the limit.
bool unpack(std::string_view packed, std::size_t limit, std::string& out) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 32) != Z_OK) return false;
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  char piece[16 * 1024];
  int code = Z_OK;
  while (code == Z_OK && out.size() < limit) {
    stream.next_out = reinterpret_cast<Bytef*>(piece);
    stream.avail_out = sizeof piece;
    code = inflate(&stream, Z_NO_FLUSH);
    out.append(piece, std::min(sizeof piece - stream.avail_out, limit - out.size()));
  }
  inflateEnd(&stream);
  return code == Z_STREAM_END || out.size() == limit;
}

}  // namespace

void read_recorded_response(std::string_view block, WarcRobots& into) {
  into.status = 0;
  into.body.clear();
  into.fault.clear();
  std::size_t end = block.find('\n');
  const std::string_view first = base::trimmed(block.substr(0, end));
  const std::size_t blank = first.find(' ');
  const std::uint64_t status =
      blank == std::string_view::npos ? 0 : whole_number(first.substr(blank + 1, 3)).value_or(0);
  if (!first.starts_with("HTTP/") || status < 100) {
    into.fault = "the record holds no HTTP response";
    return;
  }
  into.status = static_cast<int>(status);
  bool chunked = false;
  std::string coding;
  std::optional<std::uint64_t> length;
  while (true) {
    if (end == std::string_view::npos) {
      into.fault = "the record ends within the response's head";
      return;
    }
    block.remove_prefix(end + 1);
    end = block.find('\n');
    const std::string_view line = base::trimmed(block.substr(0, end));
    if (line.empty()) break;
    const auto [name, value] = named_value(line);
    if (name == "transfer-encoding") chunked = base::lower_case(value).ends_with("chunked");
    if (name == "content-encoding") coding = base::lower_case(value);
    if (name == "content-length") length = whole_number(value);
  }
  if (end == std::string_view::npos) {
    into.fault = "the record ends within the response's head";
    return;
  }
  block.remove_prefix(end + 1);

  std::string joined;
  std::string_view body = block;
  if (chunked && begins_a_chunk(block)) {  // else the recorder took the chunks off and left the word
    if (!join_chunks(block, joined)) {
      into.fault = "the chunks of the body are not whole";
      return;
    }
    body = joined;
  } else if (length && coding.empty() && body.size() < *length) {
    into.fault = "the body is shorter than its Content-Length";
    return;
  }
  if (coding.empty() || coding == "identity") {
    into.body = body.substr(0, WarcReader::longest_body);
  } else if (coding == "gzip" || coding == "x-gzip" || coding == "deflate") {
    const bool packed = body.empty() || body.starts_with("\x1f\x8b") || coding == "deflate";
    if (!packed)
      into.body = body.substr(0, WarcReader::longest_body);  // the coding was taken off by the recorder
    else if (!unpack(body, WarcReader::longest_body, into.body))
      into.fault = "the body's " + coding + " coding is broken";
  } else {
    into.fault = "the body has a coding that is not known here";
  }
}

WarcReader::WarcReader(const std::string& path) {
  std::error_code ignored;
  size_ = std::filesystem::file_size(path, ignored);
  if (ignored) size_ = 0;
  file_.reset(gzopen(path.c_str(), "rbe"));
  if (file_ == nullptr) {
    error_ = "can't be opened";
    return;
  }
  gzbuffer(file_.get(), 256 * 1024);
}

std::uint64_t WarcReader::octets_read() const {
  const auto at = file_ == nullptr ? 0 : gzoffset(file_.get());
  return at < 0 ? 0 : std::min(static_cast<std::uint64_t>(at), size_);
}

bool WarcReader::fail(const std::string& what) {
  int code = Z_OK;
  const char* words = file_ == nullptr ? "" : gzerror(file_.get(), &code);
  error_ = what + " in record " + std::to_string(records_ + 1);
  if (code != Z_OK && code != Z_STREAM_END) error_ += std::string(" (") + words + ")";
  return false;
}

bool WarcReader::read_line(std::string& line) {
  return read_head_line([this] { return gzgetc(file_.get()); }, longest_line, line);
}

bool WarcReader::read(std::string& into, std::uint64_t size) {
  into.resize(static_cast<std::size_t>(size));
  return size == 0 || gzread(file_.get(), into.data(), static_cast<unsigned>(size)) == static_cast<int>(size);
}

bool WarcReader::skip(std::uint64_t size) {
  char piece[64 * 1024];
  while (size > 0) {
    const auto part = static_cast<unsigned>(std::min<std::uint64_t>(size, sizeof piece));
    if (gzread(file_.get(), piece, part) != static_cast<int>(part)) return false;
    size -= part;
  }
  return true;
}

bool WarcReader::next(WarcRobots& found) {
  if (file_ == nullptr || !error_.empty()) return false;
  std::string line;
  while (true) {
    do {
      if (!read_line(line)) {
        int code = Z_OK;
        gzerror(file_.get(), &code);
        const bool at_end = gzeof(file_.get()) != 0 && line.empty() && (code == Z_OK || code == Z_STREAM_END);
        return at_end ? false : fail("the file breaks off or holds no WARC record");
      }
    } while (line.empty());
    if (!line.starts_with("WARC/")) return fail("no WARC record begins where one should");
    found = {};
    WarcHead head;
    for (std::size_t fields = 0;; ++fields) {
      if (!read_line(line) || fields > WarcHead::most_fields) return fail("the head is not whole");
      if (line.empty()) break;
      head.take(line);
    }
    if (!head.length) return fail("the head has no Content-Length");
    const std::uint64_t length = *head.length;
    found.url = std::move(head.target_uri);
    found.date = std::move(head.date);
    const bool wanted = head.type == "response" && is_robots_txt(found.url);
    const std::uint64_t kept = wanted ? std::min<std::uint64_t>(length, 2 * longest_body) : 0;
    std::string block;
    if (!read(block, kept) || !skip(length - kept)) return fail("the file breaks off");
    ++records_;
    if (on_record_) on_record_();
    if (!wanted) continue;
    read_recorded_response(block, found);
    if (found.fault.empty() && (head.truncated || kept < length))
      found.fault = "the record was cut when it was written";
    return true;
  }
}

}  // namespace robotrules::archive

namespace robotrules {

Result<void> read_warc_robots(const std::string& path, const std::function<bool(WarcRobots robots)>& on_robots,
                              const std::function<void(std::uint64_t done, std::uint64_t all)>& on_progress) {
  archive::WarcReader reader(path);
  if (on_progress) reader.on_record([&] { on_progress(reader.octets_read(), reader.octets_in_all()); });
  WarcRobots found;
  while (reader.next(found)) {
    if (!on_robots(std::exchange(found, {}))) return {};
  }
  return reader.error().empty() ? Result<void>() : Error{"warc-damaged", reader.error()};
}

}  // namespace robotrules
