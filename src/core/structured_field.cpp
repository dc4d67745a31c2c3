#include "core/structured_field.hpp"

#include "base/ascii.hpp"

namespace robotrules::core {
namespace {

constexpr bool is_lower(char c) noexcept { return c >= 'a' && c <= 'z'; }
constexpr bool is_visible(char c) noexcept { return c >= 0x20 && c <= 0x7E; }

constexpr bool is_key_byte(char c) noexcept {
  return is_lower(c) || base::is_digit(c) || c == '_' || c == '-' || c == '.' || c == '*';
}

constexpr bool is_token_octet(char c) noexcept {
  return base::is_letter(c) || base::is_digit(c) ||
         (c != '\0' && std::string_view("!#$%&'*+-.^_`|~:/").find(c) != std::string_view::npos);
}

constexpr bool is_lower_hex(char c) noexcept { return base::is_digit(c) || (c >= 'a' && c <= 'f'); }

constexpr bool is_base64(char c) noexcept {
  return base::is_letter(c) || base::is_digit(c) || c == '+' || c == '/' || c == '=';
}

}  // namespace

DictionaryReader::DictionaryReader(std::string_view text) noexcept : text_(text) { skip_spaces(); }

bool DictionaryReader::fail() noexcept {
  failed_ = true;
  return false;
}

bool DictionaryReader::take(char c) noexcept {
  if (!peek(c)) return false;
  ++at_;
  return true;
}

void DictionaryReader::skip_spaces() noexcept {
  while (peek(' ')) ++at_;
}

void DictionaryReader::skip_blanks() noexcept {
  while (peek(' ') || peek('\t')) ++at_;
}

bool DictionaryReader::next(DictionaryMember& member) noexcept {
  if (failed_) return false;
  if (!first_) {
    skip_blanks();
    if (at_ == text_.size()) return false;
    if (!take(',')) return fail();
    skip_blanks();
    if (at_ == text_.size()) return fail();  // nothing follows the comma
  } else if (at_ == text_.size()) {
    return false;
  }
  first_ = false;
  if (!key(member.key)) return fail();
  member.value = {};
  if (take('=')) {
    const std::size_t begin = at_;
    if (!item_or_list()) return fail();
    member.value = text_.substr(begin, at_ - begin);
  }
  return parameters() || fail();
}

bool DictionaryReader::key(std::string_view& key) noexcept {
  const std::size_t begin = at_;
  if (at_ == text_.size() || !(is_lower(text_[at_]) || text_[at_] == '*')) return false;
  while (at_ < text_.size() && is_key_byte(text_[at_])) ++at_;
  key = text_.substr(begin, at_ - begin);
  return true;
}

bool DictionaryReader::parameters() noexcept {
  std::string_view name;
  while (take(';')) {
    skip_spaces();
    if (!key(name)) return false;
    if (take('=') && !bare_item()) return false;
  }
  return true;
}

bool DictionaryReader::item_or_list() noexcept { return peek('(') ? inner_list() : bare_item(); }

// Inner lists do not nest, so there is no recursion.
bool DictionaryReader::inner_list() noexcept {
  take('(');
  while (at_ < text_.size()) {
    skip_spaces();
    if (take(')')) return true;
    if (!bare_item() || !parameters()) return false;
    if (!peek(' ') && !peek(')')) return false;
  }
  return false;
}

bool DictionaryReader::bare_item() noexcept {
  if (at_ == text_.size()) return false;
  const char c = text_[at_];
  if (c == '-' || base::is_digit(c)) return number();
  if (c == '"') return quoted();
  if (c == ':') return binary();
  if (c == '?') return boolean();
  if (c == '%') return display_string();
  if (c == '@') {
    ++at_;
    const std::size_t begin = at_;
    return number() && text_.substr(begin, at_ - begin).find('.') == std::string_view::npos;
  }
  return token();
}

bool DictionaryReader::number() noexcept {
  take('-');
  const std::size_t begin = at_;
  while (at_ < text_.size() && base::is_digit(text_[at_])) ++at_;
  const std::size_t whole = at_ - begin;
  if (whole == 0 || whole > 15) return false;
  if (!take('.')) return true;
  const std::size_t dot = at_;
  while (at_ < text_.size() && base::is_digit(text_[at_])) ++at_;
  const std::size_t places = at_ - dot;
  return whole <= 12 && places >= 1 && places <= 3;
}

bool DictionaryReader::quoted() noexcept {
  take('"');
  while (at_ < text_.size()) {
    const char c = text_[at_++];
    if (c == '"') return true;
    if (!is_visible(c)) return false;
    if (c == '\\' && !take('"') && !take('\\')) return false;
  }
  return false;
}

bool DictionaryReader::token() noexcept {
  if (!base::is_letter(text_[at_]) && text_[at_] != '*') return false;
  while (at_ < text_.size() && is_token_octet(text_[at_])) ++at_;
  return true;
}

bool DictionaryReader::binary() noexcept {
  take(':');
  while (at_ < text_.size() && is_base64(text_[at_])) ++at_;
  return take(':');
}

bool DictionaryReader::boolean() noexcept {
  take('?');
  return take('0') || take('1');
}

// Does not check that the bytes are UTF-8, because no preference is a display string.
bool DictionaryReader::display_string() noexcept {
  take('%');
  if (!take('"')) return false;
  while (at_ < text_.size()) {
    const char c = text_[at_++];
    if (c == '"') return true;
    if (!is_visible(c)) return false;
    if (c == '%') {
      if (text_.size() - at_ < 2 || !is_lower_hex(text_[at_]) || !is_lower_hex(text_[at_ + 1])) return false;
      at_ += 2;
    }
  }
  return false;
}

}  // namespace robotrules::core
