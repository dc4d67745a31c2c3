// Any octets as a sitemap in any charset: piece by piece the same text and the same entries, and an XML document in a
// charset gives what it gives in UTF-8.
//
// Input: a byte for the charset, a byte for the options, a line with a Content-Type, the sitemap.
#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

#include <robotrules/sitemap.hpp>

#include "base/utf8.hpp"
#include "charset/named_charset.hpp"
#include "charset/to_utf8.hpp"
#include "charset/utf8_stream.hpp"
#include "input.hpp"

namespace {

using namespace robotrules;
using namespace robotrules::agent;
using namespace robotrules::fuzz;

struct Read {
  std::vector<std::string> urls;
  std::string error;
  SitemapKind kind = SitemapKind::unknown;
  std::size_t left_out = 0;

  bool operator==(const Read&) const = default;
};

Read read(std::string_view bytes, std::string_view content_type, std::size_t piece) {
  Read result;
  SitemapReader reader(
      "https://example.org/sitemap.xml", {}, [&](const SitemapEntry& entry) { result.urls.emplace_back(entry.loc); },
      content_type);
  Result<void> done;
  while (done && !bytes.empty()) {
    done = reader.feed(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
  }
  if (done) done = reader.finish();
  if (!done) result.error = done.error().code;
  result.kind = reader.kind();
  result.left_out = reader.counts().left_out();
  return result;
}

// Of a text file, UTF-8 is passed on as it is.
void look_at_any(std::string_view bytes, std::string_view content_type, std::size_t piece) {
  const Read whole = read(bytes, content_type, bytes.size() + 1);
  require(whole == read(bytes, content_type, piece), "the same entries in pieces");
  if (whole.kind == SitemapKind::text) return;
  for (const std::string& url : whole.urls) require(base::is_utf8(url), "an entry of XML is UTF-8");
}

void look_at_stream(std::string_view bytes, const CharsetLabel& label, std::size_t piece) {
  const auto convert = [&](std::size_t size, bool& replaced) {
    Utf8Stream stream(label);
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += size) stream.write(bytes.substr(at, size), text);
    stream.finish(text);
    replaced = stream.has_replaced();
    return text;
  };
  bool replaced = false;
  bool replaced_in_pieces = false;
  const std::string whole = convert(bytes.size() + 1, replaced);
  require(whole == convert(piece, replaced_in_pieces), "the same text in pieces");
  require(replaced == replaced_in_pieces, "the same bytes are replaced");
  require(label.name == "utf-8" || base::is_utf8(whole), "text is UTF-8");
}

// The document in UTF-8 judges the one in the charset, if it can be written in it.
void look_at_document(std::string_view inner, const CharsetLabel& label, std::uint8_t choice, std::size_t piece) {
  if (!base::is_utf8(inner)) return;
  const bool is_declared = (choice & 1) != 0;
  const std::string name(label.label);
  const std::string text = "<?xml version='1.0' encoding='" + (is_declared ? name : "utf-8") +
                           "'?><urlset><url><loc>http://h/" + std::string(inner) + "</loc></url></urlset>";
  Converter converter(label.iconv_name, "UTF-8");
  std::string bytes;
  std::string_view rest = text;
  while (!rest.empty()) {
    const int stopped = converter.convert(rest, bytes);
    if (stopped != 0 && stopped != E2BIG) return;
  }
  converter.convert(rest, bytes);
  if (to_utf8(bytes, label.label).text != text) return;
  const bool is_named = !is_declared && !is_wide(label.name);
  const Read expected = read(text, "text/xml; charset=utf-8", text.size());
  require(expected == read(bytes, is_named ? "text/xml; charset=" + name : "text/xml", piece), "the same entries");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const auto labels = charset_labels();
  const CharsetLabel& label = labels[input.byte() % labels.size()];
  const std::uint8_t choice = input.byte();
  const std::size_t piece = std::size_t{1} + (choice >> 4);
  const std::string_view content_type = input.line();
  const std::string_view bytes = input.rest();
  look_at_any(bytes, content_type, piece);
  look_at_stream(bytes, label, piece);
  look_at_document(bytes, label, choice, piece);
  return 0;
}
