#include <robotrules/rules.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/ascii.hpp"
#include "base/sort.hpp"

namespace robotrules {
namespace {

constexpr bool is_token_octet(char c) noexcept { return base::is_letter(c) || c == '_' || c == '-'; }

// Returns true for bytes of names in headers: token bytes, digits, dots and bytes that are not ASCII.
constexpr bool is_name_byte(char c) noexcept {
  return is_token_octet(c) || base::is_digit(c) || c == '.' || static_cast<unsigned char>(c) >= 0x80;
}

constexpr bool is_robot_name_byte(char c) noexcept {
  return static_cast<unsigned char>(c) > ' ' && c != '\x7F' && c != '/' && c != '#' && c != '*';
}

// Returns true for bytes of a robot's name that separate no products in a header.
constexpr bool is_plain_name_byte(char c) noexcept {
  return is_robot_name_byte(c) && c != '(' && c != ')' && c != ',' && c != ';';
}

bool contains_word(std::string_view text, std::string_view lower_case) noexcept {
  return std::search(text.begin(), text.end(), lower_case.begin(), lower_case.end(),
                     [](char a, char b) { return base::lower(a) == b; }) != text.end();
}

// Products and platforms that are in the headers of many programs, so they do not identify a robot.
constexpr std::array<std::string_view, 45> shared_names = {
    "mozilla", "applewebkit", "webkit",  "chrome",  "chromium", "crios",   "safari", "gecko", "khtml",
    "like",    "compatible",  "mobile",  "version", "opera",    "opr",     "presto", "edge",  "edg",
    "edga",    "msie",        "trident", "firefox", "fxios",    "android", "linux",  "build", "windows",
    "nt",      "win64",       "wow64",   "x64",     "x11",      "x86_64",  "i686",   "u",     "macintosh",
    "iphone",  "ipad",        "ipod",    "cpu",     "ubuntu",   "fedora",  "debian", "cros",  "tablet"};

constexpr std::array<std::string_view, 9> robot_signs = {"bot",     "crawl", "spider",  "slurp", "archiver",
                                                         "scraper", "fetch", "indexer", "agent"};

// Words that are part of many names, but are not a name alone.
constexpr std::array<std::string_view, 12> general_words = {"bot", "robot",   "crawler", "spider", "web", "agent",
                                                            "the", "scraper", "fetcher", "http",   "by",  "at"};

bool is_shared(std::string_view name) noexcept {
  return std::any_of(shared_names.begin(), shared_names.end(),
                     [&](auto word) { return base::equals_ignore_case(name, word); });
}

struct PossibleName {
  std::string_view name;
  std::uint8_t rank;  // lower is more likely
};

constexpr std::uint8_t general_rank = 3;
constexpr std::uint8_t shared_rank = 4;    // and up
constexpr std::uint8_t platform_rank = 5;  // a shared word without a version: "x64", "like"

std::uint8_t rank_of(std::string_view name, bool versioned) noexcept {
  if (is_shared(name)) return versioned ? shared_rank : platform_rank;
  if (std::any_of(general_words.begin(), general_words.end(),
                  [&](auto w) { return base::equals_ignore_case(name, w); }))
    return general_rank;
  if (std::any_of(robot_signs.begin(), robot_signs.end(), [&](auto w) { return contains_word(name, w); })) return 0;
  return versioned ? 1 : 2;
}

// Returns the name that `word` begins with; empty if the word is a URL, an address, a number or punctuation.
std::string_view name_of(std::string_view word, bool& versioned) noexcept {
  versioned = false;
  if (word.find("://") != std::string_view::npos || word.find('@') != std::string_view::npos) return {};
  if (word.size() >= 4 && base::equals_ignore_case(word.substr(0, 4), "www.")) return {};
  std::size_t size = 0;
  while (size < word.size() && is_name_byte(word[size])) ++size;
  std::string_view name = word.substr(0, size);
  const std::string_view rest = word.substr(size);
  if (rest.starts_with(':') && rest.size() > 1) return {};  // "rv:109.0", "mailto:..."
  if (rest.starts_with('/')) {
    const char next = rest.size() > 1 ? rest[1] : '\0';
    versioned = base::is_digit(next) || ((base::lower(next) == 'v') && rest.size() > 2 && base::is_digit(rest[2]));
    if (!versioned && name.find('.') != std::string_view::npos) return {};  // "foo.example/bot.html"
  }
  while (name.ends_with('.')) name.remove_suffix(1);
  const bool has_letter = std::any_of(
      name.begin(), name.end(), [](char c) { return base::is_letter(c) || static_cast<unsigned char>(c) >= 0x80; });
  return has_letter ? name : std::string_view();
}

class Collector {
 public:
  // Adds one run of words between separators. In a comment, a run of several words is prose ("like Gecko"), so only
  // words with a version and words that sound like a robot count as names.
  void add_run(std::string_view run, bool in_comment) {
    std::size_t words = 0;
    for_each_word(run, [&](std::string_view) { ++words; });
    for_each_word(run, [&](std::string_view word) {
      bool versioned = false;
      const std::string_view name = name_of(word, versioned);
      if (name.empty()) return;
      std::uint8_t rank = rank_of(name, versioned);
      if (in_comment && words > 1 && !versioned) {
        if (rank != 0) return;
        rank = general_rank;  // "(we run no crawlers)"
      }
      if (!known(name)) found_.push_back({name, rank});
    });
  }

  std::vector<std::string_view> names() {
    // Names of equal rank stay in the order of the header.
    base::sort(found_,
               [](auto& a, auto& b) { return a.rank != b.rank ? a.rank < b.rank : a.name.data() < b.name.data(); });
    std::vector<std::string_view> result;
    for (const PossibleName& candidate : found_) {
      if (candidate.rank < shared_rank || candidate.rank == found_.front().rank) result.push_back(candidate.name);
    }
    return result;
  }

 private:
  template <typename F>
  static void for_each_word(std::string_view run, F each) {
    std::size_t at = 0;
    while (at < run.size()) {
      while (at < run.size() && base::is_space(run[at])) ++at;
      std::size_t end = at;
      while (end < run.size() && !base::is_space(run[end])) ++end;
      if (end > at) each(run.substr(at, end - at));
      at = end;
    }
  }

  // A text with more than a hundred products is not a header.
  bool known(std::string_view name) const noexcept {
    return found_.size() >= 100 || std::any_of(found_.begin(), found_.end(), [&](const PossibleName& c) {
             return base::equals_ignore_case(c.name, name);
           });
  }

  std::vector<PossibleName> found_;
};

}  // namespace

bool is_product_token(std::string_view name) noexcept {
  return !name.empty() && std::all_of(name.begin(), name.end(), is_token_octet);
}

std::string_view leading_product_token(std::string_view text) noexcept {
  std::size_t size = 0;
  while (size < text.size() && is_token_octet(text[size])) ++size;
  return text.substr(0, size);
}

std::vector<std::string_view> product_tokens(std::string_view header) {
  header = base::trimmed(header);
  Collector collector;
  std::size_t depth = 0, begin = 0;
  for (std::size_t i = 0; i < header.size(); ++i) {
    const char c = header[i];
    if (c == '\\' && depth > 0) {
      ++i;
      continue;
    }
    const std::size_t before = depth;
    if (c == '(') ++depth;
    if (c == ')' && depth > 0) --depth;
    // A nested comment belongs to the outer one.
    const bool bracket = (c == '(' && before == 0) || (c == ')' && depth == 0);
    if (bracket || c == ';' || c == ',') {
      collector.add_run(header.substr(begin, i - begin), before > 0);
      begin = i + 1;
    }
  }
  collector.add_run(header.substr(std::min(begin, header.size())), depth > 0);
  std::vector<std::string_view> names = collector.names();
  const bool one_word = !header.empty() && std::none_of(header.begin(), header.end(), base::is_space);
  if (names.empty() && one_word) names.push_back(header);
  return names;
}

bool is_robot_name(std::string_view name) noexcept {
  return !name.empty() && std::all_of(name.begin(), name.end(), is_robot_name_byte);
}

std::string_view robot_name(std::string_view agent) {
  agent = base::trimmed(agent);
  if (!agent.empty() && std::all_of(agent.begin(), agent.end(), is_plain_name_byte)) return agent;
  if (agent == "*") return {};  // most often asked of the texts without a name
  const std::vector<std::string_view> tokens = product_tokens(agent);
  return !tokens.empty() && is_robot_name(tokens.front()) ? tokens.front() : std::string_view();
}

}  // namespace robotrules
