#include "page/page_rule.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include <robotrules/rules.hpp>

#include "base/ascii.hpp"
#include "fields/loose_date.hpp"

namespace robotrules::agent {
namespace {

constexpr std::size_t max_unknown = 100;
constexpr std::size_t max_unknown_bytes = 200;
constexpr std::size_t max_list = std::size_t{64} << 10;

struct Flag {
  std::string_view name;
  bool PageRules::* member;  // null: it permits what is permitted by default
};
constexpr std::array<Flag, 15> flags = {{{"noindex", &PageRules::noindex},
                                         {"nofollow", &PageRules::nofollow},
                                         {"noarchive", &PageRules::noarchive},
                                         {"nocache", &PageRules::noarchive},
                                         {"nosnippet", &PageRules::nosnippet},
                                         {"noimageindex", &PageRules::noimageindex},
                                         {"notranslate", &PageRules::notranslate},
                                         {"noai", &PageRules::noai},
                                         {"noimageai", &PageRules::noimageai},
                                         {"indexifembedded", &PageRules::indexifembedded},
                                         {"all", nullptr},
                                         {"index", nullptr},
                                         {"follow", nullptr},
                                         {"archive", nullptr},
                                         {"snippet", nullptr}}};

const Flag* find_flag(std::string_view name) noexcept {
  const auto* found =
      std::find_if(flags.begin(), flags.end(), [&](const Flag& f) { return base::equals_ignore_case(f.name, name); });
  return found == flags.end() ? nullptr : found;
}

std::optional<int> read_limit(std::string_view value) noexcept {
  if (value == "-1") return -1;
  const std::optional<std::int64_t> number = base::read_digits(value, std::numeric_limits<int>::max());
  return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

std::optional<ImagePreview> read_preview(std::string_view value) noexcept {
  for (const ImagePreview one : {ImagePreview::none, ImagePreview::standard, ImagePreview::large}) {
    if (base::equals_ignore_case(value, to_string(one))) return one;
  }
  return std::nullopt;
}

// Returns false if the name or the value is invalid.
bool apply_value(std::string_view name, std::string_view value, PageRules& rules) {
  PageRules own;
  if (base::equals_ignore_case(name, "max-snippet")) {
    own.max_snippet = read_limit(value);
    limit(rules.max_snippet, own.max_snippet);
    return own.max_snippet.has_value();
  }
  if (base::equals_ignore_case(name, "max-video-preview")) {
    own.max_video_preview = read_limit(value);
    limit(rules.max_video_preview, own.max_video_preview);
    return own.max_video_preview.has_value();
  }
  if (base::equals_ignore_case(name, "max-image-preview")) {
    const std::optional<ImagePreview> preview = read_preview(value);
    if (preview) rules.max_image_preview = std::min(rules.max_image_preview.value_or(ImagePreview::large), *preview);
    return preview.has_value();
  }
  if (base::equals_ignore_case(name, "unavailable_after")) {
    const std::optional<Timestamp> time = parse_loose_date(value);
    if (time) rules.unavailable_after = std::min(rules.unavailable_after.value_or(Timestamp::max()), *time);
    return time.has_value();
  }
  return false;
}

std::string_view first_word(std::string_view text) noexcept {
  const auto* end = std::find_if(text.begin(), text.end(), base::is_space);
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

bool is_false(std::string_view value) noexcept {
  return value == "?0" || value == "0" || base::equals_ignore_case(value, "false");
}

// Returns the position of the next comma outside quotes, or the end. A quote starts only after "="; an unclosed one is
// ignored.
std::size_t find_comma(std::string_view list, std::size_t from) noexcept {
  for (std::size_t i = from; i < list.size(); ++i) {
    if (list[i] == ',') return i;
    if (list[i] != '"' || i == 0 || list[i - 1] != '=') continue;
    const std::size_t close = list.find('"', i + 1);
    if (close != std::string_view::npos) i = close;
  }
  return list.size();
}

bool holds_date(std::string_view item) noexcept {
  constexpr std::string_view name = "unavailable_after";
  const auto same = [](char a, char b) { return base::lower(a) == b; };
  return std::search(item.begin(), item.end(), name.begin(), name.end(), same) != item.end();
}

}  // namespace

bool takes_value(std::string_view name) noexcept {
  return base::equals_ignore_case(name, "unavailable_after") || base::starts_with_ignore_case(name, "max-");
}

bool is_rule_name(std::string_view name) noexcept {
  return takes_value(name) || find_flag(name) != nullptr || base::equals_ignore_case(name, "none");
}

bool names_agent(std::string_view name, std::string_view agent) noexcept {
  if (agent.empty()) return false;
  const std::string_view word = first_word(name);
  return base::equals_ignore_case(leading_product_token(name), agent) ||
         base::equals_ignore_case(word.substr(0, word.find('/')), agent);
}

void limit(std::optional<int>& held, const std::optional<int>& other) noexcept {
  if (!other || (held && *other == -1)) return;
  if (!held || *held == -1 || *other < *held) held = other;
}

void add_unknown(std::string_view written, PageRules& rules) {
  written = written.substr(0, max_unknown_bytes);
  const bool there = std::find(rules.unknown.begin(), rules.unknown.end(), written) != rules.unknown.end();
  if (!written.empty() && !there && rules.unknown.size() < max_unknown) rules.unknown.emplace_back(written);
}

void apply_rule(std::string_view name, std::optional<std::string_view> value, std::string_view written,
                PageRules& rules) {
  const Flag* flag = find_flag(name);
  const bool none = base::equals_ignore_case(name, "none");
  if (flag == nullptr && !none) {
    if (!value || !apply_value(name, base::trimmed(*value), rules)) add_unknown(written, rules);
    return;
  }
  if (value && is_false(base::trimmed(*value))) return;
  if (none) rules.noindex = rules.nofollow = true;
  if (flag != nullptr && flag->member != nullptr) rules.*flag->member = true;
}

void read_rule_list(std::string_view list, PageRules& rules) {
  list = list.substr(0, max_list);
  while (!list.empty()) {
    const std::string_view item = next_item(list);
    // Words without commas between them are separate rules. The value after a colon belongs to the last word before it.
    const std::size_t colon = item.find(':');
    std::string_view names = base::trimmed(item.substr(0, colon));
    while (!names.empty()) {
      const std::string_view name = first_word(names);
      names.remove_prefix(name.size());
      while (!names.empty() && base::is_space(names.front())) names.remove_prefix(1);
      if (names.empty() && colon != std::string_view::npos) {
        const auto begin = static_cast<std::size_t>(name.data() - item.data());
        apply_rule(name, item.substr(colon + 1), item.substr(begin), rules);
      } else {
        apply_rule(name, std::nullopt, name, rules);
      }
    }
  }
}

std::string_view next_item(std::string_view& list) noexcept {
  std::size_t end = find_comma(list, 0);
  if (holds_date(list.substr(0, end))) {
    // "unavailable_after: Sat, 25 Jun 2010", "Jun 25, 2010": these commas belong to the date, because no rule starts
    // with a digit.
    while (end < list.size()) {
      const std::size_t next = list.find_first_not_of(" \t", end + 1);
      if (next == std::string_view::npos || !base::is_digit(list[next])) break;
      end = find_comma(list, end + 1);
    }
  }
  const std::string_view item = base::trimmed(list.substr(0, end));
  list.remove_prefix(std::min(end + 1, list.size()));
  return item;
}

}  // namespace robotrules::agent
