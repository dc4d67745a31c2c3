// Repairs of faulty values: the values that their writers probably meant.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace robotrules::advice {

// The hosts that a robots.txt probably belongs to: that of its URL, else those of its sitemaps. "www." makes no
// difference.
class OwnHosts {
 public:
  // `url`: an absolute URL; others are ignored.
  void add(std::string_view url);
  bool contains(std::string_view host) const;

 private:
  std::set<std::string, std::less<>> hosts_;  // without "www."
};

// A repaired path and the sentence that proposes it. `path` is empty if nothing sensible can be proposed.
struct PathRepair {
  std::string path;
  std::string remedy;
  bool asks_host = false;  // the remedy proposes a path if the host of the rule is that of the site
};

// Returns true if `value` begins with a quote of any form.
bool begins_with_quote(std::string_view value) noexcept;

// `delete_line`: the advice for a rule that is not needed, such as "delete the line".

// Returns the repair of a rule's value that begins with neither "/" nor "*". Precondition: it is not empty and not a
// whole URL.
PathRepair repair_path(std::string_view value, const OwnHosts& site, std::string_view delete_line);

// Returns the repair of a rule's value that is a whole URL. Only a rule for a host of `site` is rewritten, and never to
// one that closes the whole site.
PathRepair repair_url_rule(std::string_view url, const OwnHosts& site, std::string_view delete_line);

// Returns true if a rule with this path matches every path of a site.
bool matches_everything(std::string_view path) noexcept;

// Returns true if `value` has signs of regular expressions that no path has: "^" in front, "(a|b)", "\d", "[0-9]".
bool looks_like_regular_expression(std::string_view value) noexcept;

// Returns the repair of such a value.
PathRepair repair_regular_expression(std::string_view value);

// Returns true for an absolute http or https URL, and false for "https://https://a.example".
bool is_sitemap_url(std::string_view text);

// Returns the absolute URLs that a Sitemap line probably means, or nothing. `robots_url`: the URL of the file; may be
// empty.
std::vector<std::string> repair_sitemap(std::string_view value, std::string_view robots_url);

}  // namespace robotrules::advice
