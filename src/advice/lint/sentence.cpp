#include "advice/lint/sentence.hpp"

#include "advice/lint/findings.hpp"
#include "base/escape.hpp"
#include "base/utf8.hpp"

namespace robotrules::advice {
namespace {

constexpr std::size_t most_of_a_fragment = 80;

// Characters that draw nothing or turn the line around.
constexpr bool is_hidden(std::uint32_t c) noexcept { return c < 0x20 || (c >= 0x7F && c <= 0x9F) || is_deceptive(c); }

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  std::size_t at = 0;
  while (at < text.size() && at < most_of_a_fragment) {
    const base::Utf8Character c = base::utf8_at(text, at);
    if (at + c.size > most_of_a_fragment) break;
    const std::string_view bytes = text.substr(at, c.size);
    if (!c.valid || is_hidden(c.value)) {
      base::append_escaped(out, bytes);
    } else {
      if (c.value == '"' || c.value == '\\') out += '\\';
      out += bytes;
    }
    at += c.size;
  }
  out += at < text.size() ? "...\"" : "\"";
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out;
}

void Part::append_to(std::string& out) const {
  switch (kind_) {
    case Kind::text: out.append(data_, number_); return;
    case Kind::quote: return append_quoted(out, {data_, number_});
    case Kind::number: out += std::to_string(number_);
  }
}

std::string filled(const Sentence& sentence) {
  std::string out;
  std::string_view rest = sentence.pattern();
  out.reserve(rest.size() + 32 * sentence.parts().size());
  for (const Part& part : sentence.parts()) {
    const std::size_t place = rest.find("{}");
    out += rest.substr(0, place);
    part.append_to(out);
    rest.remove_prefix(place + 2);
  }
  out += rest;
  return out;
}

}  // namespace robotrules::advice
