// Text for messages and from people: printable URLs, counts, system errors, suggestions for misspelt words.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/slips.hpp"

namespace robotrules::cli {

// Returns any text as a printable URL, without user and password. The address of a store keeps its user.
std::string printable_url(std::string_view url);

// Returns an operand that is in the wrong place, printable: a URL as above, and without the password of a store's name,
// however that is spelt.
std::string printable_operand(std::string_view operand);

// Returns "1 rule", "2 rules".
std::string counted(std::size_t number, std::string_view what);

// Returns "one, two, three".
template <class Range>
std::string listed(const Range& names, std::string_view between = ", ") {
  std::string list;
  for (const std::string_view name : names) list.append(list.empty() ? "" : between).append(name);
  return list;
}

// Returns the parts of "a, b" between the commas, without white space around them. Empty parts are left out.
std::vector<std::string_view> comma_parts(std::string_view list);

// Returns `text` as one word of a shell: in single quotes if it has other characters than letters, digits and
// "%+,-./:=@_".
std::string shell_word(std::string_view text);

// Returns one line of text as lines of at most `columns` columns: where a word goes too far, a line break replaces the
// space before it, and the next line begins with `indent` spaces. Longer words stay whole. Colours take no column, any
// other byte takes one. `at`: the column where the text begins.
std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent, std::size_t at = 0);

// Returns the system's sentence for an errno. Any thread may call it.
std::string error_text(int error);

// Returns the candidate that `word` probably means, or an empty view if none is similar.
template <class Range>
std::string_view nearest(std::string_view word, const Range& candidates) {
  std::string_view best;
  // Words with more slips are different words.
  std::size_t best_distance = std::min(word.size() / 3 + 2, base::max_word_bytes + 1);
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = base::slips_between(word, candidate, base::max_word_bytes);
    const bool begins = word.size() >= 3 && candidate.starts_with(word);
    if (distance < best_distance || (begins && best.empty())) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

// Returns "did you mean ls?", with `before` before the candidate; `otherwise` if none is similar.
template <class Range>
std::string suggestion(std::string_view word, const Range& candidates, std::string_view otherwise,
                       std::string_view before = {}) {
  const std::string_view near = nearest(word, candidates);
  if (near.empty()) return std::string(otherwise);
  return "did you mean " + std::string(before) + std::string(near) + "?";
}

// Returns the URL that `text` means: "https://" is added to a text that begins with a host name, such as
// "example.org/x". Another text is returned as it is.
std::string read_url(std::string_view text);

// Returns the URL or the path that `text` means to a command that has the file. "https://" is added if a host name is
// followed by a port or a path, and "/" is added to a relative path or a query: "/foo.html" for "foo.html". A text with
// a scheme is returned as it is.
std::string read_url_or_path(std::string_view text);

struct StoreWord {
  std::string word;  // a word of a shell that names the store: without a password and first_ever, or "$VARIABLE"
  std::string note;  // says where the missing password comes from; empty: none is missing
};

// `variable` stands for a name that is of no use without its secrets.
StoreWord store_word(std::string_view name, std::string_view variable = "DB");

}  // namespace robotrules::cli
