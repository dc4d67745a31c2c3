#include "base/host_name.hpp"

#include <algorithm>
#include <cstddef>

#include "base/ascii.hpp"

namespace robotrules::base {

bool begins_with_host_name(std::string_view text) noexcept {
  const std::string_view authority = text.substr(0, text.find_first_of("/?#"));
  const std::size_t colon = authority.find(':');
  const std::string_view host = authority.substr(0, colon);
  if (colon != std::string_view::npos) {
    const std::string_view digits = authority.substr(colon + 1);
    if (digits.empty() || !std::all_of(digits.begin(), digits.end(), is_digit)) return false;
  }
  const auto is_host_letter = [](char c) { return is_letter(c) || static_cast<unsigned char>(c) >= 0x80; };
  const auto is_host_char = [&](char c) { return is_host_letter(c) || is_digit(c) || c == '-' || c == '.'; };
  const std::size_t dot = host.rfind('.');
  return dot != std::string_view::npos && dot > 0 && std::all_of(host.begin(), host.end(), is_host_char) &&
         std::any_of(host.begin() + static_cast<std::ptrdiff_t>(dot), host.end(), is_host_letter);
}

}  // namespace robotrules::base
