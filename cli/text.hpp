// Octets from files, URLs and headers, made fit for JSON and for a terminal.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace robotrules::cli {

bool is_utf8(std::string_view octets) noexcept;

// Appends `octets` as a JSON string with its quotes. Always valid UTF-8: what is not becomes U+FFFD, one for each
// maximal part of a broken sequence. Controls (C0, DEL, C1) and invisible marks (U+200B, U+202E, U+FEFF, ...)
// are written as \uXXXX.
void append_json(std::string& out, std::string_view octets);

// A JSON text in UTF-8 with DEL, C1 controls and invisible marks written as \uXXXX, as append_json() does.
// (They can stand inside its strings only.)
std::string harmless_json(std::string_view json);

// `octets` for people: C0, DEL, C1 and octets that are not UTF-8 as \xNN, invisible marks as \u202E. Nothing
// that comes from a file can move the cursor, change a colour or start a new line.
std::string printable(std::string_view octets);

// `url` without user and password: nothing that is printed or written has them. Any text; what is no URL stays as it
// is.
std::string without_userinfo(std::string_view url);
// Both.
std::string printable_url(std::string_view url);

// "1 rule", "2 rules"
std::string counted(std::size_t number, std::string_view what);

// The system's sentence for an errno; any thread may ask.
std::string error_text(int error);

// RFC 4648 section 4. Decoding takes the alphabet with "+" and "/", with or without "=" at the end, and nothing else.
std::string base64(std::string_view octets);
// False where `text` is no base64; `out` is overwritten either way.
bool decode_base64(std::string_view text, std::string& out);

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
