#include "fields/content_type.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "fields/field_reader.hpp"

namespace robotrules::agent {
namespace {

bool is_media_type(std::string_view text) noexcept {
  const std::size_t slash = text.find('/');
  if (slash == 0 || slash == std::string_view::npos || slash + 1 == text.size()) return false;
  const auto is_token = [](std::string_view part) {
    return std::all_of(part.begin(), part.end(), base::is_token_octet);
  };
  return is_token(text.substr(0, slash)) && is_token(text.substr(slash + 1));
}

}  // namespace

ContentType parse_content_type(std::string_view field) {
  FieldReader reader(field);
  ContentType result;
  const std::string_view type = reader.until(";,");
  if (is_media_type(type)) result.type = base::lower_case(type);
  const std::vector<Parameter> parameters = read_parameters(reader, ",");
  if (const std::string* charset = find_parameter(parameters, "charset"))
    result.charset = base::lower_case(base::trimmed(*charset));
  // Single quotes are not quotes in HTTP, but "charset='utf-8'" is common.
  if (result.charset.size() > 2 && result.charset.front() == '\'' && result.charset.back() == '\'') {
    result.charset = result.charset.substr(1, result.charset.size() - 2);
  }
  return result;
}

}  // namespace robotrules::agent
