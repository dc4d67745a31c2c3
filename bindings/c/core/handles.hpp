// The handles of the core: what their owners keep alive.
#pragma once

#include <robotrules.h>

#include <string>
#include <vector>

#include <robotrules/compare.hpp>
#include <robotrules/crawlers.hpp>
#include <robotrules/diagnose.hpp>
#include <robotrules/robots_txt.hpp>
#include <robotrules/rules.hpp>

struct robotrules_rules {
  robotrules::Rules rules;
};

struct robotrules_file {
  robotrules::RobotsTxt file;
};

namespace robotrules::c_abi {

struct SitemapList {
  RobotsTxt file;  // keeps the views of the sitemaps valid
  std::vector<Sitemap> sitemaps;
};

// One finding with its edits as texts.
struct Finding {
  struct Edit {
    std::uint32_t line = 0;
    std::size_t line_count = 0;
    std::string text;
  };
  Diagnostic found;
  std::vector<Edit> edits;
};

struct Comparison {
  Difference difference;  // with the sets of robots merged
  std::vector<UncomparedSetting> added;
  std::vector<UncomparedSetting> removed;
};

struct CrawlerList {
  RobotsTxt file;
  CrawlerSurvey survey;
};

}  // namespace robotrules::c_abi

struct robotrules_sitemaps {
  robotrules::c_abi::SitemapList list;
};

struct robotrules_findings {
  std::vector<robotrules::c_abi::Finding> findings;
};

struct robotrules_fixed {
  robotrules::Fixed fixed;
};

struct robotrules_difference {
  robotrules::c_abi::Comparison comparison;
};

struct robotrules_crawlers {
  robotrules::c_abi::CrawlerList list;
};

namespace robotrules::c_abi {

// Returns the sitemap, or an empty one for null.
robotrules_sitemap sitemap_of(const Sitemap* sitemap) noexcept;

}  // namespace robotrules::c_abi
