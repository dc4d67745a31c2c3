#include "fields/field_reader.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace robotrules::agent {

void FieldReader::skip_blanks() noexcept {
  while (!at_end() && base::is_space(text_[at_])) ++at_;
}

bool FieldReader::take(char c) noexcept {
  if (at_end() || text_[at_] != c) return false;
  ++at_;
  return true;
}

std::string_view FieldReader::until(std::string_view stops) noexcept {
  const std::size_t begin = at_;
  at_ = std::min(text_.find_first_of(stops, at_), text_.size());
  return base::trimmed(text_.substr(begin, at_ - begin));
}

std::string FieldReader::quoted() {
  std::string result;
  take('"');
  while (!at_end()) {
    const char c = text_[at_++];
    if (c == '"') break;
    if (c != '\\') {
      result += c;
    } else if (!at_end()) {
      result += text_[at_++];
    }
  }
  return result;
}

std::string FieldReader::value(std::string_view stops) {
  if (peek() != '"') return std::string(until(stops));
  std::string result = quoted();
  until(stops);  // text between the quote and the next stop is ignored
  return result;
}

std::string_view FieldReader::segment(char c) noexcept {
  const std::size_t begin = at_;
  bool in_quotes = false;
  for (; !at_end() && (in_quotes || text_[at_] != c); ++at_) {
    if (text_[at_] == '"') in_quotes = !in_quotes;
    if (in_quotes && text_[at_] == '\\') ++at_;
  }
  at_ = std::min(at_, text_.size());
  return base::trimmed(text_.substr(begin, at_ - begin));
}

std::vector<Parameter> read_parameters(FieldReader& reader, std::string_view stops) {
  const std::string value_stops = std::string(";") += stops;
  const std::string name_stops = std::string("=;") += stops;
  std::vector<Parameter> found;
  reader.until(value_stops);
  while (reader.take(';')) {
    reader.skip_blanks();
    Parameter parameter{base::lower_case(reader.until(name_stops)), std::nullopt};
    if (reader.take('=')) {
      reader.skip_blanks();
      parameter.value = reader.value(value_stops);
    }
    if (!parameter.name.empty() && found.size() < max_parameters) found.push_back(std::move(parameter));
  }
  return found;
}

const std::string* find_parameter(const std::vector<Parameter>& parameters, std::string_view name) noexcept {
  for (const Parameter& one : parameters) {
    if (one.name == name && one.value) return &*one.value;
  }
  return nullptr;
}

std::string percent_decoded(std::string_view text, char sign) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == sign && text.size() - i > 2 && base::hex_value(text[i + 1]) >= 0 &&
                        base::hex_value(text[i + 2]) >= 0;
    result += escape ? static_cast<char>(base::hex_value(text[i + 1]) * 16 + base::hex_value(text[i + 2])) : text[i];
    if (escape) i += 2;
  }
  return result;
}

}  // namespace robotrules::agent
