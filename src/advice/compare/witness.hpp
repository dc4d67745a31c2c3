// Witnesses: example paths of patterns. Two files, two dialects or two robots are compared by questions about these
// paths. So every difference that is found has a path that proves it.
//
// If no pattern has a wildcard, the examples of all patterns find every difference. Proof: the rules that match a path
// are those whose patterns are its prefixes, and the example of the longest of them is matched by the same rules. With
// wildcards there are too many combinations to try, so the examples are only good candidates.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace robotrules::advice {

// Letters that continue a path so that no other pattern matches it. None of them is a hexadecimal digit, so they never
// form an escape with a stray "%".
class Filler {
 public:
  // `patterns`: all patterns that are compared. They are also read with their escapes decoded.
  explicit Filler(const std::vector<std::string_view>& patterns);

  // Returns three letters to put in place of "*". No pattern contains them in a row, unless the patterns contain all
  // 64,000 possible rows; then they are rare letters.
  const std::string& word() const noexcept { return word_; }

  // Returns letters to append to `head`, so that no pattern without wildcards that is longer than `head` matches.
  std::string behind(std::string_view head) const;

 private:
  std::string letters_;             // the rarest first
  std::vector<std::string> heads_;  // literal_head() of each pattern, decoded, sorted
  std::string word_;
};

// Appends paths that `pattern` matches. The first is the typical one: letters in place of each "*" and at the end. Then
// come shorter and unusual ones: nothing in place of "*", the pattern itself (for dialects without wildcards), other
// spellings of its escapes, the path without "index.html". Some dialects do not match all of them. Each path is
// appended once and is askable().
void append_examples(std::vector<std::string>& paths, std::string_view pattern, const Filler& filler);

// Returns the first path of append_examples().
std::string example_of(std::string_view pattern, const Filler& filler);

// Returns a URL for Rules::check() that has this path: with a "/" in front, "%23" for "#" (which would begin a
// fragment), and https://example.org in front of "//" (which would begin a host).
std::string askable(std::string_view path);

// Returns the pattern with its escapes in capitals and bytes that are not ASCII escaped, as Google compares them.
// `decode` true: escapes of unreserved characters are decoded too, as RFC 9309 says.
std::string respelled(std::string_view pattern, bool decode = true);

// Returns the part of `pattern` before the first "*" or a last "$".
std::string_view literal_head(std::string_view pattern) noexcept;

// The beginnings of some patterns. It tells which other patterns hardly match any path that one of these matches.
class Heads {
 public:
  explicit Heads(const std::vector<std::string_view>& patterns);

  // Returns false if the examples of `pattern` begin otherwise than the paths that these patterns match. Escapes are
  // compared decoded.
  bool may_meet(std::string_view pattern) const;

 private:
  std::vector<std::string> heads_;  // sorted; none begins with another one
};

// Returns a shortest path that both patterns match ("*" and a last "$" are special, escapes are not), or null if there
// is none. The path is not always askable(). Cost: the product of the lengths.
std::optional<std::string> overlap(std::string_view a, std::string_view b);

}  // namespace robotrules::advice
