#include "sitemap/xml_reader.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "base/ascii.hpp"

namespace robotrules::agent {
namespace {

constexpr int max_depth = 64;
constexpr std::size_t piece = std::size_t{16} << 10;
// The parser reads an unfinished token again with each piece, so pieces are not smaller than this.
constexpr std::size_t min_piece = std::size_t{4} << 10;
constexpr long long max_token = 256LL << 10;
constexpr std::size_t max_field = 128;  // of fields that are not URLs

std::string_view local_name(std::string_view name) noexcept { return name.substr(name.find(':') + 1); }

const char* attribute(const char** attributes, std::string_view wanted) noexcept {
  for (; *attributes != nullptr; attributes += 2) {
    if (attributes[0] == wanted) return attributes[1];
  }
  return nullptr;
}

bool is_end_of_input(XML_Error code) noexcept {
  return code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN || code == XML_ERROR_PARTIAL_CHAR ||
         code == XML_ERROR_UNCLOSED_CDATA_SECTION;
}

}  // namespace

XmlReader::XmlReader(Entries& entries) : entries_(entries), parser_(nullptr, XML_ParserFree) {
  const ChargeTo charge(memory_);
  parser_.reset(XML_ParserCreate_MM("UTF-8", &charged_memory(), nullptr));
  if (!parser_) throw std::bad_alloc();
  XML_SetUserData(parser_.get(), this);
  XML_SetElementHandler(parser_.get(), on_begin, on_end);
  XML_SetCharacterDataHandler(parser_.get(), on_text);
  XML_SetEntityDeclHandler(parser_.get(), on_entity);
}

template <class F>
void XmlReader::guarded(void* self, F body) noexcept {
  auto& reader = *static_cast<XmlReader*>(self);
  if (reader.error_ || reader.thrown_) return;
  try {
    body(reader);
  } catch (...) {
    reader.thrown_ = std::current_exception();
  }
  if (reader.error_ || reader.thrown_) XML_StopParser(reader.parser_.get(), XML_FALSE);
}

void XmlReader::on_begin(void* self, const char* name, const char** attributes) noexcept {
  guarded(self, [&](XmlReader& reader) { reader.begin(name, attributes); });
}

void XmlReader::on_end(void* self, const char*) noexcept {
  guarded(self, [](XmlReader& reader) { reader.end(); });
}

void XmlReader::on_text(void* self, const char* bytes, int size) noexcept {
  guarded(self, [&](XmlReader& reader) { reader.text({bytes, static_cast<std::size_t>(size)}); });
}

void XmlReader::on_entity(void* self, const char*, int, const char*, int, const char*, const char*, const char*,
                          const char*) noexcept {
  guarded(self, [](XmlReader& reader) {
    reader.stop("sitemap-entities", "The sitemap declares entities; write the characters themselves.");
  });
}

void XmlReader::stop(std::string_view code, std::string_view message) { error_ = Error{code, std::string(message)}; }

void XmlReader::begin_root(std::string_view local) noexcept {
  entry_depth_ = 2;
  if (local == "urlset") {
    kind_ = SitemapKind::urlset;
  } else if (local == "sitemapindex") {
    kind_ = SitemapKind::index;
  } else if (local == "feed") {
    kind_ = SitemapKind::atom;
  } else if (local == "rss") {
    kind_ = SitemapKind::rss;
    entry_depth_ = 3;
  } else if (local == "RDF") {  // RSS 1.0
    kind_ = SitemapKind::rss;
  }
}

void XmlReader::begin(std::string_view name, const char** attributes) {
  const std::string_view local = local_name(name);
  if (++depth_ > max_depth) {
    return stop("sitemap-too-complex", "The document nests more than 64 elements, so it is not a sitemap.");
  }
  const char* base = depth_ <= entry_depth_ + 1 ? attribute(attributes, "xml:base") : nullptr;
  if (base != nullptr) begin_base(base);
  if (depth_ == 1) {
    begin_root(local);
    if (kind_ == SitemapKind::unknown) {
      stop("sitemap-unknown-format", "The document is XML, but not a sitemap, sitemap index, RSS or Atom feed.");
    }
    return;
  }
  const std::string_view prefix = name.substr(0, name.size() - local.size());
  if (depth_ == entry_depth_) {
    in_entry_ = begin_entry(local, prefix);
    if (in_entry_ && base::equals_ignore_case(local, "loc")) begin_loc();
  } else if (in_entry_ && depth_ == entry_depth_ + 1 && prefix == prefix_) {
    begin_field(local, attributes);
  }
}

// XML Base, section 4.1: a base is relative to the one around it.
void XmlReader::begin_base(const char* value) {
  if (++base_count_ > entries_.options().max_entries) {
    return stop("sitemap-too-complex", "The document has more xml:base than entries are permitted.");
  }
  const Url& around = bases_.empty() ? entries_.base() : *bases_.back().url;
  Result<Url> read = resolve_url(around, value, entries_.options().max_url_bytes);
  if (read) bases_.push_back({depth_, std::make_shared<const Url>(std::move(read).value())});
}

// Returns false if the element is not an entry.
bool XmlReader::begin_entry(std::string_view local, std::string_view prefix) {
  const bool is_feed = kind_ == SitemapKind::rss || kind_ == SitemapKind::atom;
  const std::string_view own = kind_ == SitemapKind::urlset  ? "url"
                               : kind_ == SitemapKind::index ? "sitemap"
                               : kind_ == SitemapKind::rss   ? "item"
                                                             : "entry";
  const bool is_own = base::equals_ignore_case(local, own);
  const bool is_sitemap = base::equals_ignore_case(local, "sitemap");
  const bool is_other = !is_feed && (is_sitemap || base::equals_ignore_case(local, "url"));
  const bool is_loc = !is_feed && base::equals_ignore_case(local, "loc");
  if (!is_own && !is_other && !is_loc) return false;
  entry_.clear();
  clear_spare();
  entry_.is_sitemap = is_loc ? kind_ == SitemapKind::index : is_sitemap;
  entry_.is_misplaced = local != own;
  prefix_ = prefix;
  return true;
}

void XmlReader::begin_field(std::string_view local, const char** attributes) {
  const auto is = [local](std::string_view name) { return base::equals_ignore_case(local, name); };
  if (kind_ == SitemapKind::atom) {
    if (is("updated") || (is("published") && entry_.lastmod.empty())) begin_text(entry_.lastmod, max_field);
    const char* relation = attribute(attributes, "rel");
    const char* target = attribute(attributes, "href");
    const bool alternate = relation == nullptr || std::string_view(relation) == "alternate";
    if (is("link") && alternate && target != nullptr && entry_.loc.empty()) {
      begin_loc();
      text(target);
      field_ = nullptr;
    }
  } else if (kind_ == SitemapKind::rss) {
    const char* permanent = attribute(attributes, "isPermaLink");
    if (is("link")) begin_loc();
    if (is("pubDate")) begin_text(entry_.lastmod, max_field);
    if (is("guid") && (permanent == nullptr || std::string_view(permanent) != "false")) {
      clear_spare();
      begin_text(spare_, max_written_bytes(entries_.options().max_url_bytes));
    }
  } else {
    if (is("loc")) {
      begin_loc();
      if (local != "loc") entry_.is_misplaced = true;
    }
    if (is("lastmod")) begin_text(entry_.lastmod, max_field);
    if (is("changefreq")) begin_text(entry_.changefreq, max_field);
    if (is("priority")) begin_text(entry_.priority, max_field);
  }
}

// A second URL in an entry is an entry of its own.
void XmlReader::begin_loc() {
  if (!entry_.loc.empty() || entry_.loc_too_long) {
    whole_.push_back(entry_);
    entry_.is_misplaced = true;
  }
  entry_.loc_too_long = false;
  entry_.base = bases_.empty() ? nullptr : bases_.back().url;
  begin_text(entry_.loc, max_written_bytes(entries_.options().max_url_bytes));
}

void XmlReader::begin_text(std::string& field, std::size_t limit) {
  field_ = &field;
  field_limit_ = limit;
  field_depth_ = depth_;
  field.clear();
}

void XmlReader::text(std::string_view bytes) {
  std::string* field = depth_ == field_depth_ ? field_ : nullptr;
  const bool is_sitemap = kind_ == SitemapKind::urlset || kind_ == SitemapKind::index;
  if (in_entry_ && depth_ == entry_depth_ && field_ == nullptr && is_sitemap) {
    field = &spare_;
    field_limit_ = max_written_bytes(entries_.options().max_url_bytes);
  }
  if (field == nullptr) return;
  if (field->empty()) {
    while (!bytes.empty() && base::is_space(bytes.front())) bytes.remove_prefix(1);
  }
  // Text beyond the limit may be white space. Other fields than URLs are simply cut there, because they have no valid
  // values that long.
  const std::size_t room = field_limit_ - std::min(field->size(), field_limit_);
  const std::string_view beyond = bytes.substr(std::min(room, bytes.size()));
  field->append(bytes.substr(0, room));
  if (base::trimmed(beyond).empty()) return;
  if (field == &entry_.loc) entry_.loc_too_long = true;
  if (field == &spare_) spare_too_long_ = true;
}

void XmlReader::clear_spare() {
  spare_.clear();
  spare_too_long_ = false;
}

void XmlReader::end() {
  if (field_ != nullptr && depth_ == field_depth_) field_ = nullptr;
  if (in_entry_ && depth_ == entry_depth_) end_entry();
  while (!bases_.empty() && bases_.back().depth == depth_) bases_.pop_back();
  --depth_;
}

void XmlReader::end_entry() {
  in_entry_ = false;
  if (base::trimmed(entry_.loc).empty() && !spare_.empty()) {
    entry_.loc = std::move(spare_);
    entry_.loc_too_long = spare_too_long_;
    entry_.base = bases_.empty() ? nullptr : bases_.back().url;
    entry_.place = EntryPlace::text;
    entry_.is_misplaced = true;
  }
  whole_.push_back(std::move(entry_));
}

// Gives complete entries to the callback, outside the parser, so the callback may throw.
Result<void> XmlReader::give_entries() {
  for (const RawEntry& one : whole_) {
    if (Result<void> added = entries_.add(one); !added) return added;
  }
  whole_.clear();
  return {};
}

Result<void> XmlReader::parse(std::string_view bytes, bool last) {
  const XML_Status status = [&] {
    const ChargeTo charge(memory_);
    return XML_Parse(parser_.get(), bytes.data(), static_cast<int>(bytes.size()), last);
  }();
  if (thrown_) std::rethrow_exception(thrown_);
  if (Result<void> given = give_entries(); !given) return given;
  if (error_) return *error_;
  if (status != XML_STATUS_ERROR) {
    fed_ += static_cast<long long>(bytes.size());
    if (!last && fed_ - XML_GetCurrentByteIndex(parser_.get()) > max_token) {
      return Error{"sitemap-too-complex", "The document has a tag longer than 256 KiB, so it is not a sitemap."};
    }
    return {};
  }
  const XML_Error code = XML_GetErrorCode(parser_.get());
  if (memory_.exceeded) {
    return Error{"sitemap-too-complex", "The names in the document need more than 4 MiB, so it is not a sitemap."};
  }
  if (code == XML_ERROR_NO_MEMORY) throw std::bad_alloc();
  if (last && is_end_of_input(code)) {
    return Error{"sitemap-truncated", "The sitemap ends inside an element; fetch it again."};
  }
  return Error{"sitemap-malformed", "The sitemap is not well-formed XML at line " +
                                        std::to_string(XML_GetCurrentLineNumber(parser_.get())) + ": " +
                                        XML_ErrorString(code) + "."};
}

Result<void> XmlReader::feed(std::string_view bytes) {
  pending_ += bytes.substr(0, min_piece);
  bytes.remove_prefix(std::min(bytes.size(), min_piece));
  if (pending_.size() < min_piece) return {};
  if (Result<void> flushed = flush(); !flushed) return flushed;
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, piece);
    bytes.remove_prefix(part.size());
    if (part.size() < min_piece) {
      pending_ = part;
    } else if (Result<void> parsed = parse(part, false); !parsed) {
      return parsed;
    }
  }
  return {};
}

Result<void> XmlReader::flush() {
  if (pending_.empty()) return {};
  return parse(std::exchange(pending_, {}), false);
}

Result<void> XmlReader::finish() {
  if (Result<void> flushed = flush(); !flushed) return flushed;
  return parse({}, true);
}

}  // namespace robotrules::agent
