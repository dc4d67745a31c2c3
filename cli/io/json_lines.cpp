#include "cli/io/json_lines.hpp"

#include "base/base64.hpp"
#include "base/json_text.hpp"
#include "base/utf8.hpp"

namespace robotrules::cli {
namespace {

std::string written(const nlohmann::ordered_json& value, int indent) {
  return base::harmless_json(value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) + "\n";
}

}  // namespace

std::string json_line(const nlohmann::ordered_json& value) { return written(value, -1); }
std::string json_document(const nlohmann::ordered_json& value) { return written(value, 2); }

void set_bytes(nlohmann::ordered_json& object, const std::string& member, const std::string& bytes) {
  object[member] = bytes;
  if (!base::is_utf8(bytes)) object[member + "_b64"] = base::base64(bytes);
}

}  // namespace robotrules::cli
