// The entries that the parsers of a sitemap find: checked, counted and given to the callback.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <robotrules/origin.hpp>
#include <robotrules/sitemap.hpp>

namespace robotrules::agent {

// An entry as written.
struct RawEntry {
  std::string loc;
  std::string lastmod;
  std::string changefreq;
  std::string priority;
  bool loc_too_long = false;

  void clear() noexcept;
};

// The entries of one sitemap.
class Entries {
 public:
  Entries(std::string_view url, const SitemapOptions& options, SitemapReader::Callback callback);

  // Adds an entry. Returns false if there are too many.
  bool add(const RawEntry& raw, bool is_sitemap);

  const SitemapOptions& options() const noexcept { return options_; }
  SitemapCounts counts;

 private:
  bool wanted(std::string_view loc);

  SitemapOptions options_;
  std::optional<Origin> own_;
  SitemapReader::Callback callback_;
};

}  // namespace robotrules::agent
