#include "advice/compare/witness.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>

#include "base/hex.hpp"
#include "base/sort.hpp"

namespace robotrules::advice {
namespace {

// Hexadecimal digits are left out. Small letters come first, because they are easiest to read.
constexpr std::string_view candidates = "zqxjkvwyghilmnoprstuZQXJKVWYGHILMNOPRSTU";

bool needs_no_escape(int byte) noexcept {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') || byte == '-' ||
         byte == '.' || byte == '_' || byte == '~';
}

// Puts `instead` in place of each row of "*".
std::string with_stars(std::string_view body, std::string_view instead) {
  std::string out;
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body[i] != '*') {
      out += body[i];
    } else if (i == 0 || body[i - 1] != '*') {
      out += instead;
    }
  }
  return out;
}

// Slashes at the beginning are left out, because some dialects add one.
std::string head_of(std::string_view pattern) {
  std::string head = base::decoded_escapes(literal_head(pattern));
  head.erase(0, std::min(head.find_first_not_of('/'), head.size()));
  return head;
}

class Paths {
 public:
  explicit Paths(std::vector<std::string>& paths) : paths_(paths), begin_(paths.size()) {}

  // Adds the path as it is, and with its escapes in their other spellings.
  void add(const std::string& path) {
    add_one(path);
    if (path.find('%') == std::string::npos && !has_high(path)) return;
    add_one(respelled(path, false));
    add_one(respelled(path));
  }

 private:
  static bool has_high(std::string_view text) noexcept {
    return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
  }

  void add_one(std::string_view text) {
    std::string path = askable(text);
    const auto begin = paths_.begin() + static_cast<std::ptrdiff_t>(begin_);
    if (std::find(begin, paths_.end(), path) == paths_.end()) paths_.push_back(std::move(path));
  }

  std::vector<std::string>& paths_;
  std::size_t begin_;
};

}  // namespace

Filler::Filler(const std::vector<std::string_view>& patterns) {
  constexpr std::size_t count = candidates.size();
  std::array<std::size_t, count> seen{};
  std::bitset<count * count * count> rows;
  std::array<std::uint8_t, 256> index{};
  index.fill(count);
  for (std::size_t i = 0; i < count; ++i)
    index[static_cast<unsigned char>(candidates[i])] = static_cast<std::uint8_t>(i);

  const auto look = [&](std::string_view text) {
    std::size_t run = 0;
    std::size_t number = 0;
    for (const char c : text) {
      const std::size_t letter = index[static_cast<unsigned char>(c)];
      run = letter == count ? 0 : run + 1;
      if (run == 0) continue;
      ++seen[letter];
      number = (number * count + letter) % rows.size();
      if (run >= 3) rows.set(number);
    }
  };
  for (const std::string_view pattern : patterns) {
    look(pattern);
    const std::string plain = base::decoded_escapes(pattern);
    look(plain);
    heads_.push_back(base::decoded_escapes(literal_head(pattern)));
  }
  base::sort(heads_);
  heads_.erase(std::unique(heads_.begin(), heads_.end()), heads_.end());

  letters_ = candidates;
  // Letters that occur nowhere come first, then the rarest.
  base::stable_sort(letters_, [&](char a, char b) {
    return seen[index[static_cast<unsigned char>(a)]] < seen[index[static_cast<unsigned char>(b)]];
  });
  word_ = std::string(3, letters_.front());
  for (const char first : letters_) {
    for (const char second : letters_) {
      for (const char third : letters_) {
        const auto at = [&](char c) { return std::size_t{index[static_cast<unsigned char>(c)]}; };
        if (rows.test((at(first) * count + at(second)) * count + at(third))) continue;
        word_ = {first, second, third};
        return;
      }
    }
  }
}

std::string Filler::behind(std::string_view head) const {
  std::string text = base::decoded_escapes(head);
  for (const char letter : letters_) {
    text += letter;
    const auto next = std::lower_bound(heads_.begin(), heads_.end(), text);
    if (next == heads_.end() || !next->starts_with(text)) {
      return letter == word_.front() ? word_ : letter + word_;
    }
    text.pop_back();
  }
  return word_;
}

std::string askable(std::string_view path) {
  std::string url = path.starts_with("//") ? "https://example.org" : path.starts_with('/') ? "" : "/";
  for (const char c : path) c == '#' ? url += "%23" : url += c;
  return url;
}

std::string respelled(std::string_view pattern, bool decode) {
  std::string out;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (const int byte = base::escaped_byte(pattern.substr(i)); byte >= 0) {
      if (decode && needs_no_escape(byte)) {
        out += static_cast<char>(byte);
      } else {
        base::append_percent(out, static_cast<char>(byte));
      }
      i += 2;
    } else if (static_cast<unsigned char>(pattern[i]) >= 0x80) {
      base::append_percent(out, pattern[i]);
    } else {
      out += pattern[i];
    }
  }
  return out;
}

std::string_view literal_head(std::string_view pattern) noexcept {
  if (pattern.ends_with('$')) pattern.remove_suffix(1);
  return pattern.substr(0, pattern.find('*'));
}

Heads::Heads(const std::vector<std::string_view>& patterns) {
  std::vector<std::string> all;
  all.reserve(patterns.size());
  for (const std::string_view pattern : patterns) all.push_back(head_of(pattern));
  base::sort(all);
  for (std::string& head : all) {
    if (heads_.empty() || !head.starts_with(heads_.back())) heads_.push_back(std::move(head));
  }
}

bool Heads::may_meet(std::string_view pattern) const {
  const std::string head = head_of(pattern);
  // Some dialects resolve dot segments, and some read each line of a path.
  if (head.starts_with('.') || head.find("/.") != std::string::npos || head.find('\n') != std::string::npos)
    return true;
  const auto next = std::lower_bound(heads_.begin(), heads_.end(), head);
  if (next != heads_.end() && next->starts_with(head)) return true;
  return next != heads_.begin() && head.starts_with(*(next - 1));
}

void append_examples(std::vector<std::string>& paths, std::string_view pattern, const Filler& filler) {
  Paths add(paths);
  std::string_view body = pattern;
  const bool anchored = body.ends_with('$');
  if (anchored) body.remove_suffix(1);
  const std::string filled = with_stars(body, filler.word());
  const std::string emptied = with_stars(body, "");
  if (!anchored) add.add(filled + filler.behind(filled));
  add.add(filled);
  if (body.find('*') != std::string_view::npos) {
    if (!anchored) add.add(emptied + filler.behind(emptied));
    add.add(emptied);
  }
  // For dialects without wildcards, and for a "$" that also matches before "?".
  if (body.size() != pattern.size() || body.find('*') != std::string_view::npos) {
    const std::string itself(pattern);
    add.add(itself + filler.behind(itself));
    add.add(itself);
  }
  if (anchored) add.add(filled + "?" + filler.word());
  // In some dialects "Allow: /d/index.html" also allows "/d/".
  const std::size_t slash = filled.rfind('/');
  if (slash != std::string::npos && std::string_view(filled).substr(slash + 1).starts_with("index.htm")) {
    add.add(filled.substr(0, slash + 1));
  }
}

std::string example_of(std::string_view pattern, const Filler& filler) {
  std::vector<std::string> paths;
  append_examples(paths, pattern, filler);
  return paths.front();
}

}  // namespace robotrules::advice
