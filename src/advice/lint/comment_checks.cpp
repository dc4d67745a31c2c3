// The comments that silence findings: "# robotrules: ignore CODE", with the mistakes in them.
#include <algorithm>
#include <string>
#include <vector>

#include "advice/lint/checks.hpp"
#include "base/ascii.hpp"
#include "base/slips.hpp"

namespace robotrules::advice {
namespace {

constexpr std::string_view own_name = "robotrules";
constexpr std::string_view own_mark = "robotrules:";

// Returns the comment of a line from `own_name` on, or an empty view if the line has no such comment.
std::string_view own_comment(std::string_view line) {
  for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at)) {
    at = line.find_first_not_of("# \t", at);
    if (at == std::string_view::npos) break;
    if (base::starts_with_ignore_case(line.substr(at), own_name)) return line.substr(at);
  }
  return {};
}

// Returns the words after `own_name`. White space and commas separate them. A word that begins with "#" or "--" begins
// a remark and ends them.
std::vector<std::string_view> words_of(std::string_view comment) {
  constexpr std::string_view separators = " \t\v\f\r,";
  std::vector<std::string_view> words;
  std::size_t at = std::min(comment.find_first_not_of(":=-", own_name.size()), comment.size());
  while ((at = comment.find_first_not_of(separators, at)) != std::string_view::npos) {
    const std::size_t end = std::min(comment.find_first_of(separators, at), comment.size());
    const std::string_view word = comment.substr(at, end - at);
    if (word.starts_with('#') || word.starts_with("--")) break;
    words.push_back(word);
    at = end;
  }
  return words;
}

// Returns true if a comment that begins with `own_name` is meant to silence findings: "robotrules ignore CODE", but not
// "robotrules.example".
bool is_meant_to_silence(std::string_view comment, const std::vector<std::string_view>& words) {
  constexpr std::string_view verbs[] = {"ignore", "disable", "silence", "suppress"};
  if (comment.starts_with(own_mark)) return true;
  const std::size_t begin = own_name.size();
  const bool separate = begin < comment.size() && std::string_view(" \t:=-").find(comment[begin]) != comment.npos;
  return separate && !words.empty() && std::ranges::any_of(verbs, [&](std::string_view verb) {
           return base::starts_with_ignore_case(words.front(), verb);
         });
}

bool is_code(std::string_view word) { return find_diagnostic_code(word) != nullptr; }

// Returns the code that `word` probably means, or an empty view.
std::string_view nearest_code(std::string_view word) {
  const std::string name = base::lower_case(word);
  std::string_view nearest;
  std::size_t fewest = std::min<std::size_t>(name.size() / 3, 3) + 1;
  for (const DiagnosticCode& known : diagnostic_codes()) {
    if (name.size() >= 3 && known.code.starts_with(name)) return known.code;
    const std::size_t slips = base::slips_between(name, known.code, fewest - 1);
    if (slips >= fewest) continue;
    fewest = slips;
    nearest = known.code;
  }
  return nearest;
}

// Returns how to write the comment, with the codes that it names.
std::string rewritten(const std::vector<std::string_view>& words) {
  const bool whole_file = !words.empty() && base::lower_case(words.front()).find("file") != std::string::npos;
  const std::string begin = filled({"# robotrules: ignore{}", {whole_file ? "-file " : " "}});
  std::string codes;
  for (const std::string_view word : words) {
    if (is_code(word)) codes.append(codes.empty() ? "" : ", ").append(word);
  }
  if (codes.empty()) return filled({"Write {}, with the code of the finding.", {quote(begin + "CODE")}});
  return filled({"Write {}.", {quote(begin + codes)}});
}

}  // namespace

void read_comment(const LintLine& line, Findings& findings) {
  const std::string_view comment = own_comment(line.text);
  if (comment.empty()) return;
  const std::vector<std::string_view> words = words_of(comment);
  if (!is_meant_to_silence(comment, words)) return;
  const auto fail = [&](std::string_view part, const Sentence& message, const Sentence& remedy) {
    findings.add(Code::bad_ignore_comment, line.number, line.column(part), message, remedy);
  };
  const std::string nothing = "The comment silences nothing, because ";
  const bool whole_file = !words.empty() && words.front() == "ignore-file";
  if (!comment.starts_with(own_mark)) {
    return fail(comment, {"{}it does not begin with \"robotrules:\".", {nothing}}, rewritten(words));
  }
  if (!words.empty() && words.front() != "ignore" && !whole_file) {
    return fail(words.front(), {"{}{} is neither \"ignore\" nor \"ignore-file\".", {nothing, quote(words.front())}},
                rewritten(words));
  }
  if (words.size() < 2) return fail(comment, {"{}it names no code.", {nothing}}, rewritten(words));
  const bool alone = line.lexed.form == core::LexedLine::Form::comment_only;
  std::string_view unknown;
  for (const std::string_view word : std::span(words).subspan(1)) {
    if (is_code(word)) {
      findings.silence(whole_file ? 0 : alone ? line.number + 1 : line.number, word);
    } else if (unknown.empty()) {
      unknown = word;
    }
  }
  if (unknown.empty()) return;
  const std::string_view near = findings.has_room(Code::bad_ignore_comment) ? nearest_code(unknown) : "";
  fail(unknown, {"{} is not the code of a finding, so the comment does not silence it.", {quote(unknown)}},
       near.empty() ? "Write the code of the finding. A remark after the codes begins with \"#\"."
                    : Sentence("Write {}.", {quote(near)}));
}

}  // namespace robotrules::advice
