#include <algorithm>
#include <optional>
#include <utility>

#include <robotrules/crawl.hpp>
#include <robotrules/crawl_urls.hpp>

#include "base/ascii.hpp"
#include "codec/decompress_stream.hpp"

namespace robotrules {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool is_utf16(std::string_view head) { return head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF"); }

Error invalid(std::string sentence) { return Error{"invalid-list", std::move(sentence)}; }

}  // namespace

struct UrlListReader::State {
  std::string head;  // the first bytes, while it is unknown how they are compressed
  bool is_begun = false;
  std::optional<codec::DecompressStream> stream;
  std::string_view format;  // "gzip"
  std::string rest;         // the beginning of a line
  std::uint64_t lines = 0;  // that are complete
  bool is_stopped = false;
  bool is_too_long = false;

  Result<void> begin(const OnLine& on_line) {
    is_begun = true;
    const std::string first = std::exchange(head, {});
    if (is_utf16(first)) return invalid("the list is UTF-16; convert it to UTF-8, for example with iconv");
    if (const auto found = codec::format_of(first)) {
      stream.emplace(*found);
      format = *found == codec::Format::gzip ? "gzip" : "zstd";
    }
    return decode(first, on_line);
  }

  Result<void> decode(std::string_view bytes, const OnLine& on_line) {
    if (!stream) {
      split(bytes, on_line);
    } else if (stream->write(bytes, [&](std::string_view text) { return split(text, on_line); }) ==
               codec::DecompressStream::Outcome::damaged) {
      return invalid("the " + std::string(format) + " data is damaged after line " + std::to_string(lines) + " (" +
                     stream->damage() + "); get an undamaged copy");
    }
    if (is_too_long) {
      return invalid("line " + std::to_string(lines + 1) + " is longer than 16 MiB; write one URL per line");
    }
    if (stream && stream->is_past_end()) {
      return invalid("bytes that are not " + std::string(format) + " follow the " + std::string(format) +
                     " data, after line " + std::to_string(lines) + "; compress the whole list");
    }
    return {};
  }

  // Returns false to end the decompression.
  bool split(std::string_view text, const OnLine& on_line) {
    while (!is_stopped) {
      const std::size_t end = text.find('\n');
      is_too_long = rest.size() + std::min(end, text.size()) > max_line_bytes;
      if (is_too_long) return false;
      if (end == text.npos) {
        rest += text;
        return true;
      }
      if (rest.empty()) {
        pass_on(text.substr(0, end), on_line);
      } else {
        rest += text.substr(0, end);
        pass_on(rest, on_line);
        rest.clear();
      }
      text.remove_prefix(end + 1);
    }
    return false;
  }

  void pass_on(std::string_view line, const OnLine& on_line) {
    ++lines;
    if (line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
    line = base::trimmed(line);
    if (!line.empty() && line.front() != '#') is_stopped = !on_line(line, lines);
  }
};

UrlListReader::UrlListReader() : state_(std::make_unique<State>()) {}
UrlListReader::~UrlListReader() = default;
UrlListReader::UrlListReader(UrlListReader&&) noexcept = default;
UrlListReader& UrlListReader::operator=(UrlListReader&&) noexcept = default;

Result<void> UrlListReader::write(std::string_view bytes, const OnLine& on_line) {
  State& state = *state_;
  if (state.is_stopped) return {};
  if (!state.is_begun) {
    const std::string_view first = bytes.substr(0, codec::max_magic_size - state.head.size());
    state.head += first;
    bytes.remove_prefix(first.size());
    if (state.head.size() < codec::max_magic_size) return {};
    if (auto begun = state.begin(on_line); !begun || state.is_stopped) return begun;
  }
  return state.decode(bytes, on_line);
}

Result<void> UrlListReader::finish(const OnLine& on_line) {
  State& state = *state_;
  if (!state.is_begun && !state.is_stopped) {
    if (auto begun = state.begin(on_line); !begun) return begun;
  }
  if (state.is_stopped) return {};
  if (state.stream && !state.stream->is_whole()) {  // the last line may be a part of a URL
    return invalid("the " + std::string(state.format) + " data ends too early, after line " +
                   std::to_string(state.lines) + "; get the whole file");
  }
  if (!state.rest.empty()) state.pass_on(state.rest, on_line);
  return {};
}

}  // namespace robotrules
