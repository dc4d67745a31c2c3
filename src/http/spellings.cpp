#include "http/spellings.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "base/url_escapes.hpp"

namespace robotrules::agent {
namespace {

// Returns the spellings of a URL in which it may stand in rules, beside the one that is sent. No request carries
// spaces, bytes outside ASCII and an empty query, so rules may be written for the URL without them, and with escapes in
// small or in capital letters.
std::vector<std::string> found_spellings(const Url& url) {
  std::vector<std::string> spellings{url.found};
  const bool has_empty_query = url.found.ends_with('?') && url.text.find('?') == std::string::npos;
  if (has_empty_query) spellings.push_back(url.found.substr(0, url.found.size() - 1));
  for (std::size_t i = 0, written = spellings.size(); i < written; ++i) {
    std::string small = base::needed_escapes(spellings[i]);
    if (small == spellings[i]) continue;
    spellings.push_back(base::needed_escapes(spellings[i], base::HexDigits::capital));
    spellings.push_back(std::move(small));
  }
  return spellings;
}

}  // namespace

Verdict check_spellings(const Rules& rules, const Url& url) {
  if (!url.found.empty()) {
    for (const std::string& spelling : found_spellings(url)) {
      if (const Verdict verdict = rules.check(spelling); !verdict.allowed()) return verdict;
    }
  }
  return rules.check(url.text);
}

}  // namespace robotrules::agent
