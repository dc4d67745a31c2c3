#include "cli/batch/question.hpp"

#include <array>
#include <new>
#include <utility>

#include "base/ascii.hpp"

namespace robotrules::cli {
namespace {

using simdjson::error_code;
namespace ondemand = simdjson::ondemand;

constexpr std::size_t usual_line = std::size_t{64} << 10;      // the initial capacity of the parser
constexpr std::size_t max_kept_parser = std::size_t{1} << 20;  // a larger parser is replaced
constexpr int max_depth = 200;                                 // of nested arrays and objects

constexpr bool is_json_space(char c) noexcept { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::string_view trim_end(std::string_view text) noexcept {
  while (!text.empty() && is_json_space(text.back())) text.remove_suffix(1);
  return text;
}

// Checks the number grammar of RFC 8259. simdjson would reject numbers beyond 64 bits.
bool is_number(std::string_view text) noexcept {
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t begin = i;
    while (i < text.size() && base::is_digit(text[i])) ++i;
    return i > begin;
  };
  if (i < text.size() && text[i] == '-') ++i;
  if (i < text.size() && text[i] == '0') {
    ++i;
  } else if (!digits()) {
    return false;
  }
  if (i < text.size() && text[i] == '.') {
    ++i;
    if (!digits()) return false;
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    if (!digits()) return false;
  }
  return i == text.size();
}

// Checks the escapes of a string that is copied unchanged. Controls and UTF-8 were checked with the whole line.
bool escapes_are_good(std::string_view text) noexcept {
  std::size_t at = text.find('\\');
  while (at != std::string_view::npos) {
    if (at + 1 >= text.size()) return false;
    const char c = text[at + 1];
    at += 2;
    if (c == 'u') {
      for (int i = 0; i < 4; ++i, ++at) {
        if (at >= text.size() || base::hex_value(text[at]) < 0) return false;
      }
    } else if (std::string_view("\"\\/bfnrt").find(c) == std::string_view::npos) {
      return false;
    }
    at = text.find('\\', at);
  }
  return true;
}

bool is_good(ondemand::value value, int depth);

bool object_is_good(ondemand::object object, int depth) {
  for (auto item : object) {
    ondemand::field field;
    std::string_view name;
    if (std::move(item).get(field) != error_code::SUCCESS || field.unescaped_key().get(name) != error_code::SUCCESS)
      return false;
    if (!is_good(field.value(), depth)) return false;
  }
  return true;
}

bool array_is_good(ondemand::array array, int depth) {
  for (auto item : array) {
    ondemand::value element;
    if (std::move(item).get(element) != error_code::SUCCESS || !is_good(element, depth)) return false;
  }
  return true;
}

// Checks a value that is copied unchanged.
bool is_good(ondemand::value value, int depth) {
  ondemand::json_type type;
  if (depth > max_depth || value.type().get(type) != error_code::SUCCESS) return false;
  switch (type) {
    case ondemand::json_type::object: {
      ondemand::object object;
      return value.get_object().get(object) == error_code::SUCCESS && object_is_good(object, depth + 1);
    }
    case ondemand::json_type::array: {
      ondemand::array array;
      return value.get_array().get(array) == error_code::SUCCESS && array_is_good(array, depth + 1);
    }
    case ondemand::json_type::string: {
      const std::string_view text = trim_end(value.raw_json_token());
      ondemand::raw_json_string raw;
      return text.size() >= 2 && text.back() == '"' && escapes_are_good(text.substr(1, text.size() - 2)) &&
             value.get_raw_json_string().get(raw) == error_code::SUCCESS;
    }
    case ondemand::json_type::number: return is_number(trim_end(value.raw_json_token()));  // simdjson skips it
    case ondemand::json_type::boolean: {
      bool truth;
      return value.get_bool().get(truth) == error_code::SUCCESS;
    }
    case ondemand::json_type::null: {
      bool null = false;
      return value.is_null().get(null) == error_code::SUCCESS && null;
    }
  }
  return false;
}

constexpr std::array<std::string_view, 5> answered{"access", "line", "rule", "rule_b64", "robot"};

std::optional<std::string_view>* member_named(std::string_view name, Question& question) noexcept {
  switch (name.size()) {
    case 3: return name == "url" ? &question.url : nullptr;
    case 4: return name == "host" ? &question.host : nullptr;
    case 5: return name == "agent" ? &question.agent : nullptr;
    case 6: return name == "robots" ? &question.robots : nullptr;
    case 7: return name == "dialect" ? &question.dialect : nullptr;
    case 10: return name == "robots_b64" ? &question.robots_b64 : nullptr;
    default: return nullptr;
  }
}

bool is_answered(std::string_view name) noexcept {
  for (const std::string_view one : answered) {
    if (name == one) return true;
  }
  return false;
}

void make_room(ondemand::parser& parser) {
  parser = ondemand::parser();
  if (parser.allocate(usual_line) != error_code::SUCCESS) throw std::bad_alloc();
}

std::string not_json(error_code error) {
  if (error == error_code::MEMALLOC) throw std::bad_alloc();
  return std::string("the line is not a JSON object (") + simdjson::error_message(error) +
         "); write one object per line";
}

}  // namespace

QuestionReader::QuestionReader() { make_room(parser_); }

std::string QuestionReader::read(std::string_view line, Question& question) {
  question = {};
  members_.clear();
  any_replaced_ = false;
  object_ = trim_end(line);
  while (!object_.empty() && is_json_space(object_.front())) object_.remove_prefix(1);
  if (object_.empty()) return "the line is empty; write one JSON object per line";
  if (object_.front() != '{') return "the line is not a JSON object; write one object per line";
  if (parser_.capacity() > max_kept_parser && object_.size() <= usual_line) make_room(parser_);

  ondemand::document document;
  if (const auto error = parser_.iterate(object_.data(), object_.size(), object_.size() + padding).get(document)) {
    return error == error_code::UTF8_ERROR ? "the line is not UTF-8; put bytes of a file into \"robots_b64\""
                                           : not_json(error);
  }
  ondemand::object object;
  if (const auto error = document.get_object().get(object)) return not_json(error);
  for (auto item : object) {
    ondemand::field field;
    std::string_view name;
    if (const auto error = std::move(item).get(field)) return not_json(error);
    const char* const begin = field.key().raw() - 1;
    if (const auto error = field.unescaped_key().get(name)) return not_json(error);
    const bool replaced = is_answered(name);
    any_replaced_ = any_replaced_ || replaced;
    members_.push_back({begin, replaced});

    std::optional<std::string_view>* const wanted = member_named(name, question);
    ondemand::value value = field.value();
    if (wanted == nullptr) {
      if (!is_good(value, 0)) return "the member \"" + std::string(name) + "\" is not valid JSON; correct it";
      continue;
    }
    ondemand::json_type type;
    if (const auto error = value.type().get(type)) return not_json(error);
    if (type == ondemand::json_type::null && is_good(value, 0)) {
      wanted->reset();
      continue;
    }
    std::string_view text;
    if (type != ondemand::json_type::string)
      return "the member \"" + std::string(name) + "\" must be a string; put it in quotes";
    if (value.get_string().get(text) != error_code::SUCCESS) {
      return "the member \"" + std::string(name) + "\" contains an invalid escape; correct it";
    }
    *wanted = text;
  }
  const char* rest;
  if (document.current_location().get(rest) == error_code::SUCCESS)
    return "the line is not a JSON object: text follows the object; write one object per line";
  object_.remove_suffix(1);
  object_ = trim_end(object_);
  return {};
}

void QuestionReader::append_members(std::string& out) const {
  if (!any_replaced_) {
    out += object_;
    if (!members_.empty()) out += ',';
    return;
  }
  out += '{';
  const char* const end = object_.data() + object_.size();
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (members_[i].replaced) continue;
    const char* const stop = i + 1 < members_.size() ? members_[i + 1].begin : end;
    // The text up to the next member's name is this member, a comma and white space.
    std::string_view text = trim_end({members_[i].begin, static_cast<std::size_t>(stop - members_[i].begin)});
    if (i + 1 < members_.size()) text.remove_suffix(1);
    out += trim_end(text);
    out += ',';
  }
}

}  // namespace robotrules::cli
