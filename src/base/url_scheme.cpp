#include "base/url_scheme.hpp"

#include <cstddef>

#include "base/ascii.hpp"

namespace robotrules::base {
namespace {

// Returns true for the text after a colon if it is a port, as in "8080" and "8080/x". Then the text before the colon is
// a host and not a scheme.
bool is_port(std::string_view text) {
  const std::string_view digits = text.substr(0, text.find_first_of("/?#"));
  return !digits.empty() && digits.size() <= 5 && digits.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::string scheme_of(std::string_view url) {
  const std::size_t colon = url.find(':');
  if (colon == std::string_view::npos || colon == 0 || !is_letter(url.front())) return {};
  std::string scheme;
  for (const char c : url.substr(0, colon)) {
    const bool known = is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.';
    if (!known) return {};
    scheme += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  }
  return is_port(url.substr(colon + 1)) ? std::string() : scheme;
}

}  // namespace robotrules::base
