#include <robotrules/url.hpp>

#include <utility>

#include "http/spellings.hpp"
#include "url/url.hpp"

namespace robotrules {

Result<std::string> plain_url(std::string_view url, std::size_t max_bytes) {
  auto read = agent::read_url(url, max_bytes);
  if (!read) return read.error();
  return std::move(read).value().text;
}

Verdict check_as_sent(const Rules& rules, std::string_view url) {
  const auto read = agent::read_url(url, std::string_view::npos);
  return read ? agent::check_spellings(rules, read.value()) : rules.check(url);
}

}  // namespace robotrules
