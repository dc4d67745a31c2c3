#include "page/head_markup.hpp"

#include <algorithm>
#include <array>

#include "base/ascii.hpp"

namespace robotrules::agent {
namespace {

constexpr bool is_html_space(char c) noexcept { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r'; }

constexpr std::size_t npos = std::string_view::npos;

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& names) noexcept {
  return std::any_of(names.begin(), names.end(),
                     [name](std::string_view one) { return base::equals_ignore_case(name, one); });
}

constexpr std::array<std::string_view, 3> kept = {"meta", "base", "link"};
// Elements of a head whose text contains no markup. Only the title is kept.
constexpr std::array<std::string_view, 4> raw = {"title", "style", "script", "noframes"};
constexpr std::array<std::string_view, 6> passed = {"html", "head", "noscript", "basefont", "bgsound", "command"};
constexpr std::array<std::string_view, 3> enders = {"body", "html", "br"};

// A tokenizer by HTML section 13.2.5, as far as a head needs it.
class HeadScanner {
 public:
  HeadScanner(std::string_view html, const HeadLimits& limits)
      : html_(html.substr(0, limits.document)), limits_(limits) {}

  std::string run() {
    if (html_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    while (at_ < html_.size() && kept_ < limits_.tags && step()) {
    }
    return std::move(found_);
  }

 private:
  struct Tag {
    std::string_view name;
    std::size_t attributes = 0;
    bool closed = false;  // its ">" was found
  };

  bool step();
  bool start_tag();
  bool end_tag();
  void comment();
  void bogus_comment() { skip_behind(">"); }
  void raw_text(std::string_view name);
  std::size_t end_of_raw_text(std::string_view name) const noexcept;
  Tag read_tag();
  void read_attribute_value();

  bool inside_template() const noexcept { return templates_ > 0; }
  bool lenient() const noexcept { return inside_template() || in_noscript_; }
  std::string_view rest() const noexcept { return html_.substr(at_); }
  char at(std::size_t i) const noexcept { return i < html_.size() ? html_[i] : '\0'; }
  void skip_behind(std::string_view mark) noexcept {
    const std::size_t found = html_.find(mark, at_);
    at_ = found == npos ? html_.size() : found + mark.size();
  }
  void skip_space() noexcept {
    while (at_ < html_.size() && is_html_space(html_[at_])) ++at_;
  }

  std::string_view html_;
  const HeadLimits& limits_;
  std::size_t at_ = 0;
  std::size_t kept_ = 0;
  std::size_t templates_ = 0;
  bool in_noscript_ = false;
  std::string found_;
};

// Returns false if the head ends here.
bool HeadScanner::step() {
  const char c = html_[at_];
  if (c != '<') {
    if (!is_html_space(c) && !lenient()) return false;
    ++at_;
    return true;
  }
  const char next = at(at_ + 1);
  if (base::is_letter(next)) return start_tag();
  if (next == '/' && base::is_letter(at(at_ + 2))) return end_tag();
  if (rest().starts_with("<!--")) {
    comment();
  } else if (next == '!' || next == '?' || (next == '/' && at_ + 2 < html_.size())) {
    bogus_comment();
  } else {
    ++at_;  // a "<" that starts no tag is text
    return lenient();
  }
  return true;
}

void HeadScanner::comment() {
  at_ += 4;
  if (rest().starts_with(">")) {
    ++at_;
    return;
  }
  if (rest().starts_with("->")) {
    at_ += 2;
    return;
  }
  // A comment ends with "-->" or "--!>".
  while (at_ < html_.size()) {
    skip_behind("--");
    if (rest().starts_with(">") || rest().starts_with("!>")) {
      at_ += at(at_) == '>' ? 1 : 2;
      return;
    }
    if (at_ < html_.size()) --at_;  // "--->"
  }
}

HeadScanner::Tag HeadScanner::read_tag() {
  Tag tag;
  const std::size_t begin = at_;
  while (at_ < html_.size() && !is_html_space(html_[at_]) && html_[at_] != '/' && html_[at_] != '>') ++at_;
  tag.name = html_.substr(begin, at_ - begin);
  while (at_ < html_.size()) {
    if (is_html_space(html_[at_]) || html_[at_] == '/') {
      ++at_;
      continue;
    }
    if (html_[at_] == '>') {
      ++at_;
      tag.closed = true;
      break;
    }
    ++tag.attributes;
    ++at_;  // a name may even start with "="
    while (at_ < html_.size() && !is_html_space(html_[at_]) && html_[at_] != '/' && html_[at_] != '>' &&
           html_[at_] != '=') {
      ++at_;
    }
    skip_space();
    if (at(at_) == '=') {
      ++at_;
      read_attribute_value();
    }
  }
  return tag;
}

void HeadScanner::read_attribute_value() {
  skip_space();
  const char quote = at(at_);
  if (quote == '"' || quote == '\'') {
    ++at_;
    skip_behind(std::string_view(&quote, 1));
    return;
  }
  while (at_ < html_.size() && !is_html_space(html_[at_]) && html_[at_] != '>') ++at_;
}

bool HeadScanner::start_tag() {
  const std::size_t begin = at_;
  ++at_;
  const Tag tag = read_tag();
  if (!tag.closed) return false;
  const bool keep = !inside_template() && tag.attributes <= limits_.attributes;
  if (is_one_of(tag.name, kept)) {
    if (keep) {
      found_ += html_.substr(begin, at_ - begin);
      ++kept_;
    }
    return true;
  }
  if (is_one_of(tag.name, raw)) {
    const bool title = keep && !in_noscript_ && base::equals_ignore_case(tag.name, "title");
    raw_text(tag.name);
    if (title) {
      found_ += html_.substr(begin, at_ - begin);
      ++kept_;
    }
    return true;
  }
  if (base::equals_ignore_case(tag.name, "template")) {
    ++templates_;
    return true;
  }
  if (base::equals_ignore_case(tag.name, "noscript")) in_noscript_ = true;
  return is_one_of(tag.name, passed) || lenient();
}

bool HeadScanner::end_tag() {
  at_ += 2;
  const Tag tag = read_tag();
  if (!tag.closed) return false;
  if (base::equals_ignore_case(tag.name, "template") && inside_template()) --templates_;
  if (base::equals_ignore_case(tag.name, "noscript") && !inside_template()) in_noscript_ = false;
  return inside_template() || !is_one_of(tag.name, enders);
}

// Skips the text of the element and its end tag, or everything if there is no end tag.
void HeadScanner::raw_text(std::string_view name) {
  const std::size_t end = end_of_raw_text(name);
  at_ = end;
  if (end < html_.size()) {
    at_ += 2;
    read_tag();
  }
}

// Returns the position of the "</name" that ends the element. In a script, "<!--" hides "<script>...</script>" up to
// "-->" (sections 13.2.5.18 to 31).
std::size_t HeadScanner::end_of_raw_text(std::string_view name) const noexcept {
  const bool script = base::equals_ignore_case(name, "script");
  bool escaped = false;
  bool double_escaped = false;
  const auto tag_at = [&](std::size_t at) {
    if (!base::starts_with_ignore_case(html_.substr(at), name)) return false;
    const std::size_t behind = at + name.size();
    return behind < html_.size() && (is_html_space(html_[behind]) || html_[behind] == '/' || html_[behind] == '>');
  };
  for (std::size_t i = html_.find_first_of("<-", at_); i != npos; i = html_.find_first_of("<-", i + 1)) {
    const std::string_view here = html_.substr(i);
    if (script && !escaped && here.starts_with("<!--")) {
      escaped = true;
      ++i;  // so that the two dashes of "<!-->" end it
    } else if (escaped && here.starts_with("-->")) {
      escaped = double_escaped = false;
    } else if (here.starts_with("</") && tag_at(i + 2)) {
      if (!double_escaped) return i;
      double_escaped = false;
    } else if (escaped && here.starts_with("<") && tag_at(i + 1)) {
      double_escaped = true;
    }
  }
  return html_.size();
}

}  // namespace

std::string head_markup(std::string_view html, const HeadLimits& limits) { return HeadScanner(html, limits).run(); }

}  // namespace robotrules::agent
