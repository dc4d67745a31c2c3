#include "charset/extended_value.hpp"

#include <utility>

#include "base/ascii.hpp"
#include "charset/to_utf8.hpp"
#include "fields/field_reader.hpp"

namespace robotrules::agent {

std::optional<std::string> decode_extended(std::string_view value) {
  const std::size_t first = value.find('\'');
  const std::size_t second = first == std::string_view::npos ? first : value.find('\'', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const std::string_view charset = base::trimmed(value.substr(0, first));
  if (!base::equals_ignore_case(charset, "UTF-8") && !base::equals_ignore_case(charset, "ISO-8859-1"))
    return std::nullopt;
  Utf8Text text = to_utf8(percent_decoded(value.substr(second + 1)), charset);
  if (text.replaced) return std::nullopt;
  return std::move(text.text);
}

}  // namespace robotrules::agent
