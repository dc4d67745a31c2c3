// The entries that the parsers of a sitemap find: checked, counted and given to the callback.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <robotrules/sitemap.hpp>

#include "sitemap/entry_url.hpp"

namespace robotrules::agent {

// An entry as written.
struct RawEntry {
  std::string loc;
  std::string lastmod;
  std::string changefreq;
  std::string priority;
  std::shared_ptr<const Url> base;  // that `loc` is relative to; null: the URL of the sitemap
  EntryPlace place = EntryPlace::field;
  bool is_sitemap = false;
  bool is_misplaced = false;  // it is not where the format wants it
  bool loc_too_long = false;  // `loc` is only the beginning

  void clear() { *this = {}; }
};

// The entries of one sitemap.
class Entries {
 public:
  Entries(std::string_view url, const SitemapOptions& options, SitemapReader::Callback callback);

  // Adds an entry. Fails as SitemapReader::feed() does if there are too many.
  Result<void> add(const RawEntry& raw);

  const SitemapOptions& options() const noexcept { return options_; }
  const Url& base() const noexcept { return base_; }
  SitemapCounts counts;

 private:
  SitemapOptions options_;
  Url base_;  // without a host if the sitemap's URL is not valid
  SitemapReader::Callback callback_;
  std::size_t resolved_bytes_ = 0;  // of the URLs that were resolved against another one
};

}  // namespace robotrules::agent
