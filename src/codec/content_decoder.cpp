#include "codec/content_decoder.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/ascii.hpp"

namespace robotrules::codec {
namespace {

constexpr Limits content_limits{.max_zstd_window_log = 23};  // RFC 9659: 8 MB for a content coding

std::optional<Format> format_named(std::string_view coding) {
  if (coding == "gzip" || coding == "x-gzip") return Format::gzip;
  if (coding == "deflate") return Format::deflate;
  if (coding == "br") return Format::brotli;
  if (coding == "zstd") return Format::zstd;
  return std::nullopt;
}

// Returns true for what servers send there although it changes nothing: "identity", and names of charsets and of the
// codings of mail.
bool is_no_coding(std::string_view coding) {
  constexpr std::array<std::string_view, 9> known = {"",     "identity", "none", "binary",    "7bit",
                                                     "8bit", "utf-8",    "utf8", "iso-8859-1"};
  return std::ranges::find(known, coding) != known.end();
}

}  // namespace

Codings codings_of(const std::vector<std::string_view>& content_encoding) {
  Codings codings;
  for (const std::string_view field : content_encoding) {
    std::string_view rest = field;
    while (true) {
      const std::size_t comma = rest.find(',');
      const std::string name = base::lower_case(base::trimmed(rest.substr(0, comma)));
      if (const auto format = format_named(name)) {
        codings.formats.push_back(*format);
      } else if (!is_no_coding(name)) {
        codings.known = false;
      }
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
  }
  std::reverse(codings.formats.begin(), codings.formats.end());
  return codings;
}

ContentDecoder::ContentDecoder(const std::vector<Format>& codings) {
  for (const Format format : codings) streams_.emplace_back(format, content_limits);
}

bool ContentDecoder::whole() const {
  return std::all_of(streams_.begin(), streams_.end(), [](const auto& stream) { return stream.is_whole(); });
}

std::size_t ContentDecoder::memory_bytes() const {
  std::size_t bytes = 0;
  for (const auto& stream : streams_) bytes += stream.memory_bytes();
  return bytes;
}

// Recursive: one level for each coding, so at most two.
ContentDecoder::Outcome ContentDecoder::write(std::size_t stream, std::string_view bytes, const Sink& sink) {
  if (stream + 1 == streams_.size()) return streams_[stream].write(bytes, sink);
  Outcome below = Outcome::taken;
  const Outcome own = streams_[stream].write(bytes, [&](std::string_view decoded) {
    below = write(stream + 1, decoded, sink);
    return below == Outcome::taken;
  });
  return own == Outcome::stopped ? below : own;
}

Decoded decode_body(const std::vector<Format>& codings, std::string_view body, std::size_t limit, std::string& to) {
  ContentDecoder decoder(codings);
  bool is_cut = false;
  const ContentDecoder::Outcome outcome = decoder.write(body, [&](std::string_view piece) {
    is_cut = piece.size() > limit - to.size();
    to.append(piece, 0, limit - to.size());
    return !is_cut;
  });
  if (is_cut) return Decoded::cut;
  if (outcome == ContentDecoder::Outcome::damaged) return Decoded::damaged;
  return decoder.whole() ? Decoded::whole : Decoded::unfinished;
}

}  // namespace robotrules::codec
