#include "advice/lint/lint_names.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/ascii.hpp"
#include "base/slips.hpp"
#include "core/line/lexer.hpp"

namespace robotrules::advice {
namespace {

// Names without hyphens, because most slips are in hyphens, blanks and stray bytes.
struct Target {
  std::string_view letters;
  DirectiveKind kind;
  bool as_prefix;  // Google's parser accepts longer names that begin with it
};

constexpr std::array targets = {
    Target{"useragent", DirectiveKind::user_agent, true},
    Target{"disallow", DirectiveKind::disallow, true},
    Target{"allow", DirectiveKind::allow, true},
    Target{"sitemap", DirectiveKind::sitemap, true},
    Target{"crawldelay", DirectiveKind::crawl_delay, false},
    Target{"requestrate", DirectiveKind::request_rate, false},
    Target{"visittime", DirectiveKind::visit_time, false},
    Target{"cleanparam", DirectiveKind::clean_param, false},
    Target{"noindex", DirectiveKind::noindex, false},
    Target{"contentsignal", DirectiveKind::content_signal, false},
    Target{"contentusage", DirectiveKind::content_usage, false},
};

// Returns the offset of the directive whose name ends at the ":" at `colon`, right after a path or a robot's name, as
// if a line end was lost: "/User-agent: FooBot", "*Disallow: /". Returns npos if there is none.
std::size_t find_glued_name(std::string_view value, std::size_t colon) noexcept {
  constexpr std::array<std::string_view, 4> names = {"user-agent", "disallow", "sitemap", "allow"};
  const std::string_view rest = value.substr(colon + 1);
  for (const std::string_view name : names) {
    if (colon <= name.size()) continue;
    const std::size_t begin = colon - name.size();
    if (!base::equals_ignore_case(value.substr(begin, name.size()), name)) continue;
    const char before = value[begin - 1];
    const bool sign = before == '/' || before == '*';
    if (!sign && (name == "allow" || (!base::is_letter(before) && !base::is_digit(before)))) continue;
    if (name == "user-agent" && !rest.empty()) return begin;
    if (name == "sitemap" && base::starts_with_ignore_case(base::trimmed(rest), "http")) return begin;
    if (name.ends_with("allow") && !rest.empty() && (base::is_space(rest[0]) || rest[0] == '/' || rest[0] == '*')) {
      return begin;
    }
  }
  return std::string_view::npos;
}

constexpr std::size_t max_name_bytes = 40;    // longer names are not compared
constexpr std::size_t max_name_letters = 20;  // longer names are not similar

}  // namespace

DirectiveKind nearest_directive(std::string_view name) noexcept {
  if (name.size() > max_name_bytes) return DirectiveKind::other;
  std::array<char, max_name_letters> buffer;
  std::size_t size = 0;
  for (const char c : name) {
    const char lower = base::lower(c);
    if (lower < 'a' || lower > 'z') continue;
    if (size == buffer.size()) return DirectiveKind::other;
    buffer[size++] = lower;
  }
  const std::string_view letters(buffer.data(), size);
  DirectiveKind nearest = DirectiveKind::other;
  std::size_t fewest = 3;
  for (const Target& target : targets) {
    const std::size_t max = target.letters.size() <= 5 ? 1 : 2;
    std::size_t found = base::slips_between(letters, target.letters, max);
    if (found == 2 && (letters.empty() || letters.front() != target.letters.front())) continue;
    if (found > max) {
      if (!target.as_prefix || !letters.starts_with(target.letters)) continue;
      found = 2;
    }
    if (found < fewest) {
      fewest = found;
      nearest = target.kind;
    }
  }
  return nearest;
}

bool is_common_name(std::string_view name) noexcept {
  constexpr std::array<std::string_view, 7> common = {"user-agent", "useragent",   "allow", "disallow",
                                                      "sitemap",    "crawl-delay", "host"};
  return std::any_of(common.begin(), common.end(), [&](auto word) { return base::equals_ignore_case(name, word); });
}

std::size_t find_joined_directive(std::string_view value) noexcept {
  std::size_t word = 0;  // begin of the last word before the next ":"
  for (std::size_t i = 1; i < value.size(); ++i) {
    if (base::is_space(value[i - 1]) && !base::is_space(value[i]) && value[i] != ':') word = i;
    if (value[i] != ':') continue;
    std::size_t end = i;
    while (end > word && base::is_space(value[end - 1])) --end;
    const std::string_view name = value.substr(word, end - word);
    const bool host = word == 0 && base::equals_ignore_case(name, "host");  // "host:80"
    if (is_common_name(name) && !host) return word;
    if (const std::size_t glued = find_glued_name(value, i); glued != std::string_view::npos) return glued;
  }
  return std::string_view::npos;
}

}  // namespace robotrules::advice
