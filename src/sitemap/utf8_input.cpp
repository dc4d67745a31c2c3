#include "sitemap/utf8_input.hpp"

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "charset/named_charset.hpp"
#include "charset/to_utf8.hpp"
#include "fields/content_type.hpp"

namespace robotrules::agent {
namespace {

constexpr std::size_t max_mark = 4;
constexpr std::string_view declaration = "<?xml";
constexpr std::size_t max_step = std::size_t{16} << 10;

std::size_t mark_size(std::string_view charset) noexcept {
  if (charset == "utf-8") return 3;
  return charset.starts_with("utf-32") ? 4 : 2;
}

// Returns false if the bytes may still become an XML declaration.
bool has_whole_declaration(std::string_view head) noexcept {
  const auto begin = std::find_if_not(head.begin(), head.end(), base::is_space);
  const std::string_view rest = head.substr(static_cast<std::size_t>(begin - head.begin()));
  if (head.size() >= max_prescan) return true;
  if (rest.size() < declaration.size()) return !declaration.starts_with(rest);
  return !rest.starts_with(declaration) || rest.find("?>") != std::string_view::npos;
}

}  // namespace

Utf8Input::Utf8Input(std::string_view content_type) : named_(known_charset(parse_content_type(content_type).charset)) {
  if (is_wide(named_)) named_ = {};
}

Result<void> Utf8Input::write(std::string_view bytes, const Each& each) {
  if (!decided_) {
    const std::string_view first = bytes.substr(0, max_prescan - head_.size());
    head_ += first;
    bytes.remove_prefix(first.size());
    decide(false);
    if (!decided_) return {};
    if (Result<void> taken = convert(std::exchange(head_, {}), each); !taken) return taken;
  }
  return convert(bytes, each);
}

Result<void> Utf8Input::finish(const Each& each) {
  if (!decided_) {
    decide(true);
    if (Result<void> rest = convert(std::exchange(head_, {}), each); !rest) return rest;
  }
  if (!stream_) return {};
  std::string text;
  stream_->finish(text);
  return text.empty() ? Result<void>() : each(text);
}

void Utf8Input::decide(bool at_end) {
  if (head_.size() < max_mark && !at_end) return;
  if (const std::string_view marked = charset_of_mark(head_); !marked.empty()) return use(marked, mark_size(marked));
  if (const std::string_view wide = charset_of_zeros(head_); !wide.empty()) return use(wide, 0);
  if (!named_.empty()) return use(named_, 0);
  if (!at_end && !has_whole_declaration(head_)) return;
  const std::string_view declared = charset_of_declaration(head_);
  use(declared.empty() ? std::string_view("utf-8") : declared, 0);
}

void Utf8Input::use(std::string_view charset, std::size_t mark) {
  decided_ = true;
  head_.erase(0, mark);
  if (charset != "utf-8") stream_.emplace(*find_charset_label(charset));
}

// In steps, so that the memory does not grow with the piece that arrives.
Result<void> Utf8Input::convert(std::string_view bytes, const Each& each) {
  if (!stream_) return bytes.empty() ? Result<void>() : each(bytes);
  std::string text;
  while (!bytes.empty()) {
    text.clear();
    stream_->write(bytes.substr(0, max_step), text);
    bytes.remove_prefix(std::min(max_step, bytes.size()));
    if (text.empty()) continue;
    if (Result<void> taken = each(text); !taken) return taken;
  }
  return {};
}

}  // namespace robotrules::agent
