#include <robotrules/url.hpp>

#include <utility>

#include "http/curl/url.hpp"

namespace robotrules {

Result<std::string> plain_url(std::string_view url, std::size_t longest) {
  auto read = agent::read_url(url, longest);
  if (!read) return read.error();
  return std::move(read).value().text;
}

}  // namespace robotrules
