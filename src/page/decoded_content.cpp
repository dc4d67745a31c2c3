#include <robotrules/message.hpp>

#include "charset/to_utf8.hpp"
#include "fields/content_type.hpp"
#include "page/find_charset.hpp"

namespace robotrules {

std::string Response::decoded_content() const {
  const agent::ContentType type = agent::parse_content_type(headers.get("Content-Type").value_or(""));
  const bool is_text = type.type.starts_with("text/") || type.is_xml() || type.is_html() ||
                       type.type == "application/json" || type.type.ends_with("+json");
  return is_text ? agent::to_utf8(body, agent::find_charset(body, type)).text : body;
}

}  // namespace robotrules
