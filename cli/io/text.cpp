#include "cli/io/text.hpp"

#include <algorithm>
#include <system_error>

#include "base/ascii.hpp"
#include "base/escape.hpp"
#include "base/host_name.hpp"
#include "base/store_name.hpp"
#include "base/userinfo.hpp"
#include "cli/io/colours.hpp"

namespace robotrules::cli {

std::string printable_url(std::string_view url) {
  return base::printable(base::is_store_address(url) ? base::without_store_password(url) : base::without_userinfo(url));
}

std::string printable_operand(std::string_view operand) {
  const bool is_page =
      base::starts_with_ignore_case(operand, "http://") || base::starts_with_ignore_case(operand, "https://");
  return is_page ? printable_url(operand) : base::printable(base::without_store_password(operand));
}

std::string counted(std::size_t number, std::string_view what) {
  return std::to_string(number) + " " + std::string(what) + (number == 1 ? "" : "s");
}

std::vector<std::string_view> comma_parts(std::string_view list) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string_view part = base::trimmed(list.substr(begin, end - begin));
    if (!part.empty()) parts.push_back(part);
    begin = end + 1;
  }
  return parts;
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view plain = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz%+,-./:=@_";
  if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos) return std::string(text);
  std::string word = "'";
  for (const char c : text) c == '\'' ? word += "'\\''" : word += c;
  return word + "'";
}

std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent, std::size_t at) {
  std::string out;
  bool has_word = false;  // in the last line
  for (bool first = true;; first = false) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const std::size_t width = plain_size(word);
    if (has_word && at + 1 + width > columns) {
      out.append("\n").append(indent, ' ');
      at = indent;
    } else if (!first) {
      out += ' ';
      ++at;
    }
    out += word;
    at += width;
    has_word = has_word || width > 0;
    if (end == text.size()) return out;
    text.remove_prefix(end + 1);
  }
}

std::string error_text(int error) { return std::generic_category().message(error); }

std::string read_url(std::string_view text) {
  return (base::begins_with_host_name(text) ? "https://" : "") + std::string(text);
}

std::string read_url_or_path(std::string_view text) {
  const std::size_t end = text.find_first_of("/?#");
  const bool has_colon = text.substr(0, end).find(':') != std::string_view::npos;
  const bool has_path = end != std::string_view::npos && text[end] == '/';
  if ((has_colon || has_path) && base::begins_with_host_name(text)) return "https://" + std::string(text);
  const bool is_complete = text.empty() || text.front() == '/' || has_colon;
  return (is_complete ? "" : "/") + std::string(text);
}

StoreWord store_word(std::string_view name, std::string_view variable) {
  const base::ShownStore shown = base::shown_store(name);
  const bool is_postgres = shown.command.starts_with("postgres");
  if (shown.command.empty() || (shown.has_password && !is_postgres)) {
    return {"\"$" + std::string(variable) + "\"",
            std::string(variable) + " is the name of the store with its password"};
  }
  return {shell_word(shown.command), shown.has_password ? "the password comes from ~/.pgpass or PGPASSWORD" : ""};
}

}  // namespace robotrules::cli
