#include "http/spellings.hpp"

#include <string>
#include <string_view>

#include "base/url_escapes.hpp"

namespace robotrules::agent {

Verdict check_spellings(const Rules& rules, const Url& url) {
  if (url.found.empty()) return rules.check(url.text);
  // No request carries spaces, bytes outside ASCII and an empty query, so rules may be written for the URL without
  // them.
  std::string_view found = url.found;
  const bool has_empty_query = found.ends_with('?') && url.text.find('?') == std::string::npos;
  for (const std::string_view spelling : {found, found.substr(0, found.size() - (has_empty_query ? 1 : 0))}) {
    if (const Verdict verdict = rules.check(spelling); !verdict.allowed()) return verdict;
    if (const std::string escaped = base::needed_escapes(spelling); escaped != spelling) {
      if (const Verdict verdict = rules.check(escaped); !verdict.allowed()) return verdict;
    }
    if (!has_empty_query) break;
  }
  return rules.check(url.text);
}

}  // namespace robotrules::agent
