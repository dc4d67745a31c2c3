// JSON in the command's format.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <robotrules/compare.hpp>

namespace robotrules::cli {

// Returns `value` as one line with a line end. Bytes that are not UTF-8 become U+FFFD; the text is harmless for a
// terminal.
std::string json_line(const nlohmann::ordered_json& value);
// Returns the same, indented on many lines.
std::string json_document(const nlohmann::ordered_json& value);

// Sets a member to a string. If the string is not UTF-8, sets MEMBER_b64 to its bytes in Base64 too.
void set_bytes(nlohmann::ordered_json& object, const std::string& member, const std::string& bytes);

class ReportNames {
 public:
  static constexpr std::size_t max_bytes = std::size_t{64} << 20;

  // Add the names to those of the report. Return false if they are more than a report may have.
  bool add(std::string_view name) noexcept {
    bytes_ += name.size() + bytes_per_name;
    return fits();
  }
  bool add(const std::vector<UncomparedSetting>& settings) noexcept;

  bool fits() const noexcept { return bytes_ <= max_bytes; }

 private:
  static constexpr std::size_t bytes_per_name = 16;  // indent, quotes, comma and line end
  std::size_t bytes_ = 0;
};

// The sentence for a report that is not printed, because its names do not fit.
inline constexpr std::string_view too_many_names =
    "the report would have more than 64 MiB of names, because each setting has the names of its robots; without --json "
    "only the first of them are printed";

// Returns an array of objects with the members line, name, agents and value (and value_b64). Precondition: the names of
// `settings` fit into a report (ReportNames).
nlohmann::ordered_json settings_json(const std::vector<UncomparedSetting>& settings);

}  // namespace robotrules::cli
