#include "store/printable.hpp"

namespace robotrules::store {

std::string printable(std::string_view octets) {
  constexpr std::size_t shown = 200;
  std::string text;
  for (const char c : octets.substr(0, shown)) text += c >= 32 && c < 127 ? c : '?';
  if (octets.size() > shown) text += "...";
  return text;
}

}  // namespace robotrules::store
