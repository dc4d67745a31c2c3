// Any octets as a sitemap: in one piece or many, packed or not, the same entries, counts and error, within the limits.
//
// Input: a byte for the options, the sitemap.
#include <string>
#include <vector>

#include <robotrules/sitemap.hpp>
#include <robotrules/url.hpp>

#include "gzip.hpp"
#include "input.hpp"

namespace {

using namespace robotrules;
using namespace robotrules::fuzz;

struct Read {
  std::vector<std::string> urls;
  std::string error;
  SitemapCounts counts;
};

Read read(std::string_view text, const SitemapOptions& options, std::size_t piece) {
  Read result;
  SitemapReader reader("https://example.org/sitemap.xml", options, [&](const SitemapEntry& entry) {
    require(Origin::of(entry.loc).has_value(), "an entry is a URL");
    require(entry.loc.size() <= options.max_url_bytes, "of that length");
    require(!entry.priority || (*entry.priority >= 0 && *entry.priority <= 1), "its priority is one");
    result.urls.emplace_back(entry.loc);
  });
  Result<void> done;
  while (done && !text.empty()) {
    done = reader.feed(text.substr(0, piece));
    text.remove_prefix(std::min(piece, text.size()));
  }
  if (done) done = reader.finish();
  if (!done) result.error = done.error().code;
  result.counts = reader.counts();
  return result;
}

void same(const Read& a, const Read& b) {
  require(a.urls == b.urls, "the same entries");
  require(a.error == b.error, "the same error");
  require(a.counts.entries == b.counts.entries && a.counts.no_url == b.counts.no_url, "the same counts");
  require(a.counts.repairs == b.counts.repairs, "the same repairs");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const std::uint8_t choice = input.byte();
  SitemapOptions options;
  if ((choice & 1) != 0) options.max_entries = 3;
  if ((choice & 2) != 0) options.max_bytes = 1000;
  if ((choice & 4) != 0) options.max_url_bytes = 30;
  options.own_host = (choice & 8) != 0;
  const std::string_view text = input.rest();

  const Read whole = read(text, options, text.size() + 1);
  const SitemapCounts& counts = whole.counts;
  require(counts.entries <= options.max_entries && counts.bytes <= options.max_bytes, "limits hold");
  require(counts.given == whole.urls.size(), "what was given is counted");
  require(counts.repaired() <= counts.given && counts.of(SitemapRepair::none) == 0, "and what was repaired");
  require(counts.entries == counts.given + counts.no_url + counts.too_long + counts.other_host, "and everything else");
  same(whole, read(text, options, std::size_t{1} + (choice >> 4)));
  if (!text.starts_with("\x1F\x8B") && (choice & 16) != 0) same(whole, read(gzip(text), options, 100));
  return 0;
}
