// The list of known crawlers as the build has made it of data/crawlers.json (crawler_table.cmake).
#pragma once

#include <span>
#include <string_view>

#include <robotrules/crawlers.hpp>

namespace robotrules::advice {

struct KindRow {
  std::string_view name;
  std::string_view means;
};

struct CrawlerRow {
  std::string_view name;
  std::string_view operated_by;
  std::string_view kind;
  std::string_view tokens;  // one a line; empty: the name
  bool ignores_star = false;
  Obeys obeys = Obeys::not_stated;
  std::string_view source;
  std::string_view seen;
};

struct CrawlerTable {
  std::string_view updated;
  std::span<const KindRow> kinds;
  std::span<const CrawlerRow> crawlers;
};

// Returns the table, which is always valid.
const CrawlerTable& crawler_table() noexcept;

}  // namespace robotrules::advice
