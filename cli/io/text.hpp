// Octets from files, URLs and headers, made fit for JSON and for a terminal.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace robotrules::cli {

// Returns `url` for people: printable, without user and password. Any text.
std::string printable_url(std::string_view url);

// "1 rule", "2 rules"
std::string counted(std::size_t number, std::string_view what);

// The system's sentence for an errno; any thread may ask.
std::string error_text(int error);

// The candidate that `word` was probably meant to be, or empty where none is near.
template <class Range>
std::string_view nearest(std::string_view word, const Range& candidates);

// Insertions, deletions, replacements and swaps of neighbours, without regard to ASCII case.
std::size_t edit_distance(std::string_view a, std::string_view b);

template <class Range>
std::string_view nearest(std::string_view word, const Range& candidates) {
  std::string_view best;
  std::size_t best_distance = word.size() / 3 + 2;  // beyond that it is another word
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    const bool begins = word.size() >= 3 && candidate.starts_with(word);
    if (distance < best_distance || (begins && best.empty())) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace robotrules::cli
