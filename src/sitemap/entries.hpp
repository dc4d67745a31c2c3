// What a sitemap's parsers hand their finds to: it checks, counts and gives them on.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <robotrules/origin.hpp>
#include <robotrules/sitemap.hpp>

namespace robotrules::agent {

// An entry as it was written.
struct RawEntry {
  std::string loc;
  std::string lastmod;
  std::string changefreq;
  std::string priority;
  bool loc_too_long = false;

  void clear() noexcept;
};

class Entries {
 public:
  Entries(std::string_view url, const SitemapOptions& options, SitemapReader::Callback callback);

  // False where there are too many.
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
