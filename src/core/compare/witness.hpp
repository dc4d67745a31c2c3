// Witnesses: example paths of patterns. What two files, two dialects or two robots are told is compared by asking about
// these paths, so that every difference that is found has a path that proves it.
//
// Where no pattern has a wildcard, asking about the examples of every pattern finds every difference there is: the
// rules that match a path are those whose patterns are its prefixes, and the example of the longest of them is matched
// by the same rules. With wildcards there are more combinations than anyone can try, and the examples are only good
// ones.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace robotrules::core {

// Letters that lead away from every pattern. None of them is a hexadecimal digit: behind a stray "%" they make no
// escape.
class Filler {
 public:
  // `patterns`: all that will be asked about. They are looked at with their escapes decoded too.
  explicit Filler(const std::vector<std::string_view>& patterns);

  // Three letters that stand in a row in no pattern: what is put for "*". (Where the patterns hold all 64,000 of them,
  // three that are rare.)
  const std::string& word() const noexcept { return word_; }

  // Letters to go on with behind `head`, so that no pattern without wildcards that is longer than `head` matches too.
  std::string behind(std::string_view head) const;

 private:
  std::string letters_;             // the rarest first
  std::vector<std::string> heads_;  // of the patterns up to their first "*", decoded, sorted
  std::string word_;
};

// Appends paths that `pattern` matches, the one that shows its bulk first: each "*" filled, more behind it; then the
// shorter and the odder ones: "*" as nothing, the pattern itself (for readers without wildcards), other spellings of
// its escapes, "index.html" left out. A few of them may not match under one dialect or another. No path is said twice;
// each is askable().
void append_examples(std::vector<std::string>& paths, std::string_view pattern, const Filler& filler);

// The first of them.
std::string example_of(std::string_view pattern, const Filler& filler);

// The path as a URL that means it: with a "/" in front; "#" would begin a fragment; and "//" would be followed by a
// host, so such a path is written as https://example.org//...
std::string askable(std::string_view path);

// The pattern with its escapes in capitals and octets that are not ASCII escaped, as Google compares them; `decode`:
// and unreserved octets decoded, as RFC 9309 does.
std::string respelled(std::string_view pattern, bool decode = true);

// The path that `pattern` would be without its wildcards: up to the first "*" or a last "$".
std::string_view literal_head(std::string_view pattern) noexcept;

// A shortest path that both patterns match, not always askable, as far as "*" and a last "$" go; null where there is
// none. Cost: the product of their lengths.
std::optional<std::string> overlap(std::string_view a, std::string_view b);

}  // namespace robotrules::core
