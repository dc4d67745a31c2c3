#include "http/spellings.hpp"

#include <string>

#include "base/url_escapes.hpp"

namespace robotrules::agent {

Verdict check_spellings(const Rules& rules, const Url& url) {
  if (url.found.empty()) return rules.check(url.text);
  if (const Verdict verdict = rules.check(url.found); !verdict.allowed()) return verdict;
  // No request carries spaces and bytes outside ASCII, so rules may be written for their escapes.
  if (const std::string escaped = base::needed_escapes(url.found); escaped != url.found) {
    if (const Verdict verdict = rules.check(escaped); !verdict.allowed()) return verdict;
  }
  return rules.check(url.text);
}

}  // namespace robotrules::agent
