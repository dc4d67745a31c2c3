#include <robotrules/sitemap.hpp>

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "base/visibility.hpp"
#include "codec/decompress_stream.hpp"
#include "sitemap/entries.hpp"
#include "sitemap/text_reader.hpp"
#include "sitemap/utf8_input.hpp"
#include "sitemap/xml_reader.hpp"

namespace robotrules {

using namespace agent;

// The first two bytes tell whether a sitemap is gzip. Its bytes then become UTF-8. The first character that is not
// white space tells whether it is XML or text.
class ROBOTRULES_HIDDEN SitemapReader::Impl {
 public:
  Impl(std::string_view url, const SitemapOptions& options, Callback callback, std::string_view content_type)
      : entries_(url, options, std::move(callback)), utf8_(content_type), text_(entries_) {}

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
    if (Result<void> read = utf8_.write(bytes, pass_on_); !read) return read;
    if (too_large) return Error{"sitemap-too-large", "The sitemap is larger than the limit; the rest is left out."};
    return {};
  }

  // White space before an XML declaration, a common error, is removed.
  Result<void> pass_on(std::string_view text) {
    if (xml_) return xml_->feed(text);
    if (is_text_) return text_.feed(text);
    while (!text.empty() && base::is_space(text.front())) text.remove_prefix(1);
    if (text.empty()) return {};
    if (text.front() == '<') return xml_.emplace(entries_).feed(text);
    is_text_ = true;
    return text_.feed(text);
  }

  Result<void> end() {
    if (!looked_) {
      if (Result<void> decided = decide(); !decided) return decided;
    }
    if (gunzip_ && !gunzip_->is_whole()) {
      return Error{"sitemap-truncated", "The compressed data of the sitemap is incomplete; fetch it again."};
    }
    if (Result<void> read = utf8_.finish(pass_on_); !read) return read;
    if (xml_) return xml_->finish();
    return is_text_ ? text_.finish() : Result<void>();
  }

  Entries entries_;
  Utf8Input utf8_;
  const Utf8Input::Each pass_on_ = [this](std::string_view text) { return pass_on(text); };
  TextReader text_;
  std::optional<XmlReader> xml_;
  std::optional<codec::DecompressStream> gunzip_;
  bool is_text_ = false;
  bool looked_ = false;
  bool finished_ = false;
  std::string head_;  // bytes until the decision about gzip
  std::optional<Error> error_;
};

SitemapReader::SitemapReader(std::string_view url, const SitemapOptions& options, Callback callback,
                             std::string_view content_type)
    : impl_(std::make_unique<Impl>(url, options, std::move(callback), content_type)) {}
SitemapReader::~SitemapReader() = default;
SitemapReader::SitemapReader(SitemapReader&&) noexcept = default;
SitemapReader& SitemapReader::operator=(SitemapReader&&) noexcept = default;

Result<void> SitemapReader::feed(std::string_view bytes) { return impl_->feed(bytes); }
Result<void> SitemapReader::finish() { return impl_->finish(); }
SitemapKind SitemapReader::kind() const noexcept { return impl_->kind(); }
const SitemapCounts& SitemapReader::counts() const noexcept { return impl_->counts(); }

}  // namespace robotrules
