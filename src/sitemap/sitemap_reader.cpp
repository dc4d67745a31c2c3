#include <robotrules/sitemap.hpp>

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "base/visibility.hpp"
#include "codec/decompress_stream.hpp"
#include "sitemap/entries.hpp"
#include "sitemap/text_reader.hpp"
#include "sitemap/xml_reader.hpp"

namespace robotrules {

using namespace agent;

// The first two bytes tell whether a sitemap is gzip. The first byte that is not white space tells whether it is XML or
// text.
class ROBOTRULES_HIDDEN SitemapReader::Impl {
 public:
  Impl(std::string_view url, const SitemapOptions& options, Callback callback)
      : entries_(url, options, std::move(callback)), text_(entries_) {}

  Result<void> feed(std::string_view bytes) {
    if (!error_) keep(look(bytes));
    return answer();
  }

  Result<void> finish() {
    if (!error_ && !finished_) {
      finished_ = true;
      keep(end());
    }
    return answer();
  }

  SitemapKind kind() const noexcept {
    if (xml_) return xml_->kind();
    return is_text_ ? SitemapKind::text : SitemapKind::unknown;
  }
  const SitemapCounts& counts() const noexcept { return entries_.counts; }

 private:
  void keep(const Result<void>& result) {
    if (result) return;
    error_ = result.error();
    // Entries that were complete before the error count.
    if (xml_) static_cast<void>(xml_->flush());
  }
  Result<void> answer() const { return error_ ? Result<void>(*error_) : Result<void>(); }

  Result<void> look(std::string_view bytes) {
    if (!looked_) {
      head_ += bytes;
      if (head_.size() < 2) return {};
      return decide();
    }
    return gunzip_ ? unpack(bytes) : decoded(bytes);
  }

  Result<void> decide() {
    looked_ = true;
    const std::string head = std::exchange(head_, {});
    if (head.starts_with("\x1F\x8B")) {
      gunzip_.emplace(codec::Format::gzip);
      return unpack(head);
    }
    return decoded(head);
  }

  Result<void> unpack(std::string_view bytes) {
    Result<void> read;
    const auto outcome = gunzip_->write(bytes, [&](std::string_view piece) {
      read = decoded(piece);
      return read.ok();
    });
    if (outcome == codec::DecompressStream::Outcome::damaged) {
      return Error{"sitemap-malformed", "The sitemap starts like gzip but is damaged; fetch it again."};
    }
    return read;
  }

  Result<void> decoded(std::string_view bytes) {
    const std::size_t room =
        entries_.options().max_bytes - std::min(entries_.counts.bytes, entries_.options().max_bytes);
    const bool too_large = bytes.size() > room;
    bytes = bytes.substr(0, room);
    entries_.counts.bytes += bytes.size();
    if (Result<void> read = pass_on(bytes); !read) return read;
    if (too_large) return Error{"sitemap-too-large", "The sitemap is larger than the limit; the rest is left out."};
    return {};
  }

  Result<void> pass_on(std::string_view bytes) {
    if (xml_) return xml_->feed(bytes);
    if (is_text_) return text_.feed(bytes);
    // A byte order mark may arrive in pieces. White space before an XML declaration, a common error, is removed.
    start_ += bytes;
    std::string_view start = start_;
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    if (first_ && start.size() < mark.size() && mark.starts_with(start)) return {};
    if (first_ && start.starts_with(mark)) {
      marked_ = true;
      start.remove_prefix(mark.size());
    }
    first_ = false;
    while (!start.empty() && base::is_space(start.front())) start.remove_prefix(1);
    start_ = std::string(start);
    if (start_.empty() || (start_.size() == 1 && is_half_mark(start_.front()))) return {};
    return choose(std::exchange(start_, {}));
  }

  static bool is_half_mark(char c) noexcept { return c == '\xFE' || c == '\xFF'; }

  Result<void> choose(const std::string& start) {
    const bool wide = start.starts_with("\xFE\xFF") || start.starts_with("\xFF\xFE") || start.front() == '\0';
    if (start.front() == '<' || (wide && !marked_)) {
      xml_.emplace(entries_);
      return xml_->feed(start);
    }
    is_text_ = true;
    return text_.feed(start);
  }

  Result<void> end() {
    if (!looked_) {
      if (Result<void> decided = decide(); !decided) return decided;
    }
    if (gunzip_ && !gunzip_->is_whole()) {
      return Error{"sitemap-truncated", "The compressed data of the sitemap is incomplete; fetch it again."};
    }
    if (xml_) return xml_->finish();
    if (is_text_) return text_.finish();
    if (!start_.empty()) return Error{"sitemap-unknown-format", "The document is neither XML nor a list of URLs."};
    return {};
  }

  Entries entries_;
  TextReader text_;
  std::optional<XmlReader> xml_;
  std::optional<codec::DecompressStream> gunzip_;
  bool is_text_ = false;
  bool first_ = true;    // nothing has been decoded yet
  bool marked_ = false;  // there was a byte order mark of UTF-8
  bool looked_ = false;
  bool finished_ = false;
  std::string head_;   // bytes until the decision about gzip
  std::string start_;  // bytes until the decision between XML and text
  std::optional<Error> error_;
};

SitemapReader::SitemapReader(std::string_view url, const SitemapOptions& options, Callback callback)
    : impl_(std::make_unique<Impl>(url, options, std::move(callback))) {}
SitemapReader::~SitemapReader() = default;
SitemapReader::SitemapReader(SitemapReader&&) noexcept = default;
SitemapReader& SitemapReader::operator=(SitemapReader&&) noexcept = default;

Result<void> SitemapReader::feed(std::string_view bytes) { return impl_->feed(bytes); }
Result<void> SitemapReader::finish() { return impl_->finish(); }
SitemapKind SitemapReader::kind() const noexcept { return impl_->kind(); }
const SitemapCounts& SitemapReader::counts() const noexcept { return impl_->counts(); }

}  // namespace robotrules
